#include "views/framework/workspace/bundled_example.h"

#include <map>

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QDirIterator>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QSaveFile>
#include <QtCore/QStandardPaths>

#include "views/framework/workspace/report_set.h"

namespace ulp::views {
namespace {

/// Everything of the example, by path below its folder.
using ExampleFiles = std::map<QString, QByteArray>;

QString cacheFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
         QStringLiteral("/ulpscope/");
}

QString folderPrefix() {
  return cacheFolder() + QStringLiteral("example-");
}

ExampleFiles readExample() {
  const QDir folder(QFileInfo(kExampleReport).path());
  ExampleFiles files;
  for (QDirIterator entry(folder.path(), QDir::Files, QDirIterator::Subdirectories);
       entry.hasNext();) {
    QFile file(entry.next());
    if (file.open(QIODevice::ReadOnly)) {
      files[folder.relativeFilePath(file.fileName())] = file.readAll();
    }
  }
  return files;
}

QString folderOf(const ExampleFiles& files) {
  QCryptographicHash hash(QCryptographicHash::Sha1);
  for (const auto& [name, content] : files) {
    hash.addData(name.toUtf8());
    hash.addData(content);
  }
  constexpr qsizetype kDigits = 12;
  // The last part is what the window calls the report.
  return folderPrefix() + QString::fromLatin1(hash.result().toHex().left(kDigits)) +
         QStringLiteral("/SmolLM2-135M example");
}

Result<> write(const QString& path, const QByteArray& content) {
  if (QFileInfo(path).size() == content.size()) {
    return {};
  }
  QDir().mkpath(QFileInfo(path).path());
  QSaveFile file(path);
  const bool isWritten =
      file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit();
  return isWritten ? Result<>{}
                   : fail(ErrorCode::Io,
                          (path + QStringLiteral(": ") + file.errorString()).toStdString());
}

}  // namespace

bool isExample(const std::filesystem::path& file) {
  const QString path = QString::fromStdString(file.string());
  return path == kExampleReport ||
         (path.startsWith(folderPrefix()) && path.endsWith(QFileInfo(kExampleReport).fileName()));
}

Result<std::filesystem::path> unpackExample() {
  const ExampleFiles files = readExample();
  const QString folder = folderOf(files);
  for (const auto& [name, content] : files) {
    ULP_TRY(write(folder + QLatin1Char('/') + name, content));
  }
  return std::filesystem::path(folder.toStdString()) /
         QFileInfo(kExampleReport).fileName().toStdString();
}

}  // namespace ulp::views
