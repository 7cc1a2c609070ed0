#pragma once

#include <string>

#include <gtest/gtest.h>

#include <QtCore/QChar>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QStringList>
#include <QtCore/QTemporaryDir>

#include "core/base/files/atomic_file.h"

namespace ulp::test {

/// Text of each page of a PDF, laid out as it stands there.
inline QStringList pdfPages(const std::string& pdf) {
  const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("d.pdf"));
  if (program.isEmpty() || !writeFileAtomically(file.toStdString(), pdf)) {
    ADD_FAILURE() << "pdftotext cannot be run; `make setup` installs poppler-utils";
    return {};
  }
  QProcess process;
  process.start(program, {QStringLiteral("-layout"), file, QStringLiteral("-")});
  process.waitForFinished();
  QStringList pages = QString::fromUtf8(process.readAllStandardOutput()).split(QChar(0x0c));
  pages.removeLast();
  return pages;
}

}  // namespace ulp::test
