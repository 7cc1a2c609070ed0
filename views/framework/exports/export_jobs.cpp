#include "views/framework/exports/export_jobs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QUrl>
#include <QtGui/QDesktopServices>

#include "core/base/files/atomic_file.h"
#include "core/base/stop_pace.h"
#include "core/base/stop_scope.h"
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
  /// The same for files that `write` writes by itself; `replaced`: by a newer job.
  [[nodiscard]] Result<WrittenFiles> writeFiles(const std::function<Result<WrittenFiles>()>& write,
                                                const std::stop_token& replaced) {
    const std::stop_callback ended(replaced, [this] { m_stop.request_stop(); });
    const StopScope stopScope(m_stop.get_token());
    const MeterScope meterScope(m_meter);
    return write();
  }
  /// Returns whether the file will not be replaced, whatever the job still does.
  bool stop() { return goOnTo(State::Stopped); }
  /// Has writeFiles() end by itself.
  void requestStop() { m_stop.request_stop(); }
  [[nodiscard]] bool writesFiles() const { return m_writesFiles; }
  void setWritesFiles() { m_writesFiles = true; }

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
  std::stop_source m_stop;
  bool m_writesFiles = false;
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

std::shared_ptr<ExportJobs::Progress> ExportJobs::begin(const QString& target, Stop stop) {
  m_messages.dismiss(topicOf(target));
  const auto progress = std::make_shared<Progress>();
  m_progress[target] = progress;
  m_looks.start();
  QTimer::singleShot(kPatience, this, [this, target, progress, stop] {
    const auto current = m_progress.find(target);
    if (current != m_progress.end() && current->second == progress) {
      m_messages.raise(
          {.severity = Severity::Fine,
           .text = tr("Writing %1…").arg(target),
           .topic = topicOf(target),
           .actions = {{tr("Stop"),
                        [this, target, progress, stop] { (this->*stop)(target, *progress); }}},
           .stays = true});
    }
  });
  return progress;
}

void ExportJobs::writeFile(const QString& file, std::function<Result<std::string>()> make) {
  const auto progress = begin(file, &ExportJobs::stopFile);
  m_background.save<Result<std::size_t>>(
      file,
      this,
      [file, progress, make = std::move(make)] { return progress->makeAndWrite(file, make); },
      [this, file](const Result<std::size_t>& bytes) { finish(file, bytes); });
}

void ExportJobs::write(const QString& target, std::function<Result<WrittenFiles>()> write) {
  const auto progress = begin(target, &ExportJobs::stopWriting);
  progress->setWritesFiles();
  m_background.run<Result<WrittenFiles>>(
      target,
      this,
      [progress, write = std::move(write)](const std::stop_token& stop) {
        return progress->writeFiles(write, stop);
      },
      [this, target](const Result<WrittenFiles>& written) { finishWriting(target, written); });
}

bool ExportJobs::isWriting() const {
  return std::ranges::any_of(m_progress, [](const auto& one) { return one.second->writesFiles(); });
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

void ExportJobs::stopFile(const QString& file, Progress& progress) {
  if (progress.stop()) {
    m_background.cancel(file);
    forget(file);
    sayStopped(tr("Stopped; %1 was not written.").arg(file), topicOf(file));
  }
}

void ExportJobs::stopWriting(const QString& target, Progress& progress) {
  progress.requestStop();
  m_messages.raise({.severity = Severity::Fine,
                    .text = tr("Stopping; what is unfinished of %1 is removed.").arg(target),
                    .topic = topicOf(target),
                    .stays = true});
}

void ExportJobs::sayStopped(const QString& text, const QString& topic) {
  m_messages.raise({.severity = Severity::Fine, .text = text, .topic = topic});
}

void ExportJobs::finish(const QString& file, const Result<std::size_t>& bytes) {
  if (!bytes) {
    forget(file);
    report(bytes.error(), topicOf(file));
    return;
  }
  const QString size = QString::fromStdString(formatBytes(*bytes));
  sayWritten(file, QFileInfo(file).absolutePath(), {.text = tr("Wrote %1 (%2).").arg(file, size)});
}

void ExportJobs::finishWriting(const QString& target, const Result<WrittenFiles>& written) {
  if (written) {
    const QFileInfo info(target);
    sayWritten(target, info.isDir() ? target : info.absolutePath(), *written);
    return;
  }
  forget(target);
  if (written.error().code() == ErrorCode::Cancelled) {
    sayStopped(errorText(written.error()), topicOf(target));
  } else {
    report(written.error(), topicOf(target));
  }
}

void ExportJobs::sayWritten(const QString& target,
                            const QString& folder,
                            const WrittenFiles& written) {
  constexpr qsizetype kNotesShown = 3;
  forget(target);
  QStringList sentences{written.text};
  sentences << written.notes.mid(0, kNotesShown);
  if (const auto more = static_cast<int>(written.notes.size() - kNotesShown); more > 0) {
    sentences << tr("… and %n more note(s).", nullptr, more);
  }
  m_messages.raise({.severity = written.notes.isEmpty() ? Severity::Fine : Severity::Look,
                    .text = sentences.join(QLatin1Char('\n')),
                    .topic = topicOf(target),
                    .actions = {{tr("Show folder"), [folder] {
                                   QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
                                 }}}});
  Q_EMIT this->written(target);
}

void ExportJobs::report(const Error& error, const QString& topic) {
  m_messages.raise(messageOf(error, topic));
}

}  // namespace ulp::views
