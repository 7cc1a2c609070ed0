#include "views/studies/report_watch.h"

#include <algorithm>
#include <utility>

#include <QtCore/QDateTime>
#include <QtCore/QFileInfo>

#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/workspace/report_set.h"

namespace ulp::views {
namespace {

constexpr int kDelayMs = 200;

const QString kReportChangedTopic = QStringLiteral("report-on-disk");
const QString kReportPartialTopic = QStringLiteral("report-partial");

bool isOpenEnded(const report::Run& run) {
  return run.status == report::RunStatus::Pending || run.status == report::RunStatus::Running;
}

bool isPartial(const report::Report& report) {
  return std::ranges::any_of(report.runs, isOpenEnded);
}

}  // namespace

ReportWatch::ReportWatch(ReportSet& reports,
                         Messages& messages,
                         Background& background,
                         std::function<bool()> isFollowed)
    : m_reports(reports),
      m_messages(messages),
      m_background(background),
      m_isFollowed(std::move(isFollowed)) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &ReportWatch::look);
  connect(&m_reports, &ReportSet::documentChanged, this, &ReportWatch::follow);
  const auto later = [this] { m_delay.start(); };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
}

void ReportWatch::follow() {
  QStringList files;
  for (const analysis::ReportSource& source : m_reports.sources()) {
    // The bundled example lies inside the program.
    if (!source.loaded.folder.empty()) {
      files << QString::fromStdString(source.loaded.file.string());
    }
  }
  if (files != m_files) {
    if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty()) {
      m_watcher.removePaths(old);
    }
    m_files = files;
    m_stamps.clear();
    m_messages.dismiss(kReportChangedTopic);
    for (const QString& file : m_files) {
      // A report is replaced as a whole; the folder tells when that happens.
      m_watcher.addPath(file);
      m_watcher.addPath(QFileInfo(file).absolutePath());
    }
    look();
  }
  sayWhatIsMissing();
}

void ReportWatch::sayWhatIsMissing() {
  const auto reports = m_reports.sources();
  // Of what is no file the one who makes it says how far it is.
  const auto partial = std::ranges::find_if(reports, [](const analysis::ReportSource& source) {
    return isPartial(*source.loaded.report) && !isUnsaved(source.loaded);
  });
  if (partial == reports.end() || m_isFollowed()) {
    m_messages.dismiss(kReportPartialTopic);
    return;
  }
  const std::vector<report::Run>& runs = partial->loaded.report->runs;
  const auto missing = std::ranges::count_if(runs, isOpenEnded);
  m_messages.raise(
      {.severity = Severity::Fine,
       .text = tr("%1 holds %2 of %3 runs. If the others are still being made, they appear here by "
                  "themselves.")
                   .arg(QString::fromStdString(partial->loaded.file.string()),
                        QString::number(static_cast<qlonglong>(runs.size()) - missing),
                        QString::number(runs.size())),
       .topic = kReportPartialTopic,
       .stays = true});
}

void ReportWatch::look() {
  m_background.run<Stamps>(
      QStringLiteral("reports-on-disk"),
      this,
      [files = m_files](const std::stop_token&) {
        Stamps stamps;
        for (const QString& file : files) {
          if (const QFileInfo info(file); info.exists()) {
            stamps[file] = QStringLiteral("%1 %2")
                               .arg(info.size())
                               .arg(info.lastModified().toMSecsSinceEpoch());
          }
        }
        return stamps;
      },
      [this](const Stamps& stamps) { compare(stamps); });
}

void ReportWatch::compare(const Stamps& stamps) {
  QStringList changed;
  for (const auto& [file, stamp] : stamps) {
    if (!m_files.contains(file)) {
      continue;
    }
    if (!m_watcher.files().contains(file)) {
      m_watcher.addPath(file);
    }
    const QString before = std::exchange(m_stamps[file], stamp);
    if (!before.isEmpty() && before != stamp) {
      changed << file;
    }
  }
  if (changed.isEmpty() || m_isFollowed()) {
    return;
  }
  const auto reports = m_reports.sources();
  const bool isAwaited = std::ranges::any_of(reports, [&](const analysis::ReportSource& source) {
    return isPartial(*source.loaded.report) &&
           changed.contains(QString::fromStdString(source.loaded.file.string()));
  });
  if (isAwaited) {
    m_reports.reload();
    return;
  }
  m_messages.raise({.text = tr("%1 was written anew by another program.").arg(changed.front()),
                    .topic = kReportChangedTopic,
                    .actions = {{tr("Show what it holds now"), [this] { m_reports.reload(); }}}});
}

}  // namespace ulp::views
