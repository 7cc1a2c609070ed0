#include "views/framework/exports/export_jobs.h"

#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QUrl>
#include <QtGui/QDesktopServices>

#include "core/base/files/atomic_file.h"
#include "core/base/text/format_number.h"
#include "views/framework/widgets/message.h"

namespace ulp::views {
namespace {

const QString kExportTopic = QStringLiteral("export");

Result<std::size_t> makeAndWrite(const QString& file,
                                 const std::function<Result<std::string>()>& make) {
  std::string content = ULP_TRY(make());
  ULP_TRY(writeFileAtomically(file.toStdString(), content, LinkPolicy::Follow));
  return content.size();
}

}  // namespace

void ExportJobs::writeFile(const QString& file, std::function<Result<std::string>()> make) {
  m_messages.dismiss(kExportTopic);
  m_background.save<Result<std::size_t>>(
      file,
      this,
      [file, make = std::move(make)] { return makeAndWrite(file, make); },
      [this, file](const Result<std::size_t>& bytes) { finish(file, bytes); });
}

void ExportJobs::finish(const QString& file, const Result<std::size_t>& bytes) {
  if (!bytes) {
    report(bytes.error());
    return;
  }
  const QString size = QString::fromStdString(formatBytes(*bytes));
  const QString folder = QFileInfo(file).absolutePath();
  m_messages.raise({.severity = Severity::Fine,
                    .text = tr("Wrote %1 (%2).").arg(file, size),
                    .topic = kExportTopic,
                    .actions = {{tr("Show folder"), [folder] {
                                   QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
                                 }}}});
  Q_EMIT written(file);
}

void ExportJobs::report(const Error& error) {
  m_messages.raise(messageOf(error, kExportTopic));
}

}  // namespace ulp::views
