#include "views/framework/exports/export_jobs.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QUrl>
#include <QtGui/QDesktopServices>

#include "core/base/files/atomic_file.h"
#include "core/base/stop_pace.h"
#include "core/base/text/format_number.h"
#include "core/base/work_meter.h"
#include "views/framework/threads/remaining_time.h"
#include "views/framework/widgets/message.h"

namespace ulp::views {
namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kBetweenLooks{250};

}  // namespace

/// How far one is: only before it replaces its file it can be stopped.
class ExportJobs::Progress {
 public:
  /// Of the job's thread.
  [[nodiscard]] Result<std::size_t> makeAndWrite(const QString& file,
                                                 const std::function<Result<std::string>()>& make) {
    const MeterScope scope(m_meter);
    std::string content = ULP_TRY(make());
    if (!goOnTo(State::Writing)) {
      return stopped();
    }
    ULP_TRY(writeFileAtomically(file.toStdString(), content, LinkPolicy::Follow));
    return content.size();
  }
  /// Returns whether the file will not be replaced, whatever the job still does.
  bool stop() { return goOnTo(State::Stopped); }

  void look() { m_time.progressed(m_meter.fraction(), RemainingTime::Clock::now()); }
  [[nodiscard]] LongExport shown(const QString& file) const {
    return {file, m_meter.fraction(), m_time.secondsLeft(RemainingTime::Clock::now())};
  }
  [[nodiscard]] bool isLong() const { return RemainingTime::Clock::now() - m_start >= kPatience; }

 private:
  enum class State : std::uint8_t { Making, Writing, Stopped };

  bool goOnTo(State state) {
    State from = State::Making;
    return m_state.compare_exchange_strong(from, state);
  }

  std::atomic<State> m_state = State::Making;
  WorkMeter m_meter;
  RemainingTime m_time;
  RemainingTime::Clock::time_point m_start = RemainingTime::Clock::now();
};

ExportJobs::ExportJobs(Messages& messages) : m_messages(messages) {
  m_looks.setInterval(kBetweenLooks);
  connect(&m_looks, &QTimer::timeout, this, &ExportJobs::look);
}

ExportJobs::~ExportJobs() = default;

QString ExportJobs::topicOf(const QString& file) {
  return QStringLiteral("export ") + file;
}

void ExportJobs::writeFile(const QString& file, std::function<Result<std::string>()> make) {
  m_messages.dismiss(topicOf(file));
  const auto progress = std::make_shared<Progress>();
  m_progress[file] = progress;
  m_looks.start();
  m_background.save<Result<std::size_t>>(
      file,
      this,
      [file, progress, make = std::move(make)] { return progress->makeAndWrite(file, make); },
      [this, file](const Result<std::size_t>& bytes) { finish(file, bytes); });
  QTimer::singleShot(kPatience, this, [this, file, progress] {
    const auto current = m_progress.find(file);
    if (current != m_progress.end() && current->second == progress) {
      offerToStop(file, progress);
    }
  });
}

std::optional<LongExport> ExportJobs::longExport() const {
  for (const auto& [file, progress] : m_progress) {
    if (progress->isLong()) {
      return progress->shown(file);
    }
  }
  return std::nullopt;
}

void ExportJobs::look() {
  for (const auto& [file, progress] : m_progress) {
    progress->look();
  }
  Q_EMIT progressed();
}

void ExportJobs::forget(const QString& file) {
  m_progress.erase(file);
  if (m_progress.empty()) {
    m_looks.stop();
  }
  Q_EMIT progressed();
}

void ExportJobs::offerToStop(const QString& file, const std::shared_ptr<Progress>& progress) {
  const auto stop = [this, file, progress] {
    if (!progress->stop()) {
      return;
    }
    m_background.cancel(file);
    forget(file);
    m_messages.raise({.severity = Severity::Fine,
                      .text = tr("Stopped; %1 was not written.").arg(file),
                      .topic = topicOf(file)});
  };
  m_messages.raise({.severity = Severity::Fine,
                    .text = tr("Writing %1…").arg(file),
                    .topic = topicOf(file),
                    .actions = {{tr("Stop"), stop}},
                    .stays = true});
}

void ExportJobs::finish(const QString& file, const Result<std::size_t>& bytes) {
  forget(file);
  if (!bytes) {
    report(bytes.error(), topicOf(file));
    return;
  }
  const QString size = QString::fromStdString(formatBytes(*bytes));
  const QString folder = QFileInfo(file).absolutePath();
  m_messages.raise({.severity = Severity::Fine,
                    .text = tr("Wrote %1 (%2).").arg(file, size),
                    .topic = topicOf(file),
                    .actions = {{tr("Show folder"), [folder] {
                                   QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
                                 }}}});
  Q_EMIT written(file);
}

void ExportJobs::report(const Error& error, const QString& topic) {
  m_messages.raise(messageOf(error, topic));
}

}  // namespace ulp::views
