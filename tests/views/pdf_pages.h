#pragma once

#include <string>

#include <gtest/gtest.h>

#include <QtCore/QChar>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QStandardPaths>
#include <QtCore/QStringList>
#include <QtCore/QTemporaryDir>

#include "core/base/files/atomic_file.h"

namespace ulp::test {

/// What a program of Poppler prints of a PDF. Its complaints about the file are failures.
inline QString readPdf(const QString& program, QStringList arguments, const std::string& pdf) {
  const QString found = QStandardPaths::findExecutable(program);
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("d.pdf"));
  if (found.isEmpty() || !writeFileAtomically(file.toStdString(), pdf)) {
    ADD_FAILURE() << program.toStdString() << " cannot be run; `make setup` installs poppler-utils";
    return {};
  }
  arguments.replaceInStrings(QStringLiteral("FILE"), file);
  QProcess process;
  process.start(found, arguments);
  process.waitForFinished();
  EXPECT_EQ(process.readAllStandardError().toStdString(), "");
  return QString::fromUtf8(process.readAllStandardOutput());
}

/// Text of each page of a PDF, laid out as it stands there.
inline QStringList pdfPages(const std::string& pdf) {
  const QString text =
      readPdf(QStringLiteral("pdftotext"),
              {QStringLiteral("-layout"), QStringLiteral("FILE"), QStringLiteral("-")},
              pdf);
  QStringList pages = text.split(QChar(0x0c));
  pages.removeLast();
  return pages;
}

/// The bookmarks of a PDF: "2 Findings" where they lead to the second page.
inline QStringList pdfBookmarks(const std::string& pdf) {
  const QString xml = readPdf(QStringLiteral("pdftohtml"),
                              {QStringLiteral("-xml"),
                               QStringLiteral("-i"),
                               QStringLiteral("-stdout"),
                               QStringLiteral("FILE")},
                              pdf);
  static const QRegularExpression kItem(QStringLiteral("<item page=\"(\\d+)\">([^<]*)</item>"));
  QStringList bookmarks;
  for (auto items = kItem.globalMatch(xml); items.hasNext();) {
    const QRegularExpressionMatch item = items.next();
    bookmarks << item.captured(1) + QLatin1Char(' ') + item.captured(2);
  }
  return bookmarks;
}

}  // namespace ulp::test
