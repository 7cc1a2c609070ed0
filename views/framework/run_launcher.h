#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <QtCore/QObject>

#include "core/base/result.h"
#include "runner/queue/job_queue.h"

namespace ulp::views {

class Background;
class Workspace;

/// Starts the open study in the queue and shows its report in the workspace as it grows. Asks in
/// the message bar before anything of an earlier run would be lost.
class RunLauncher : public QObject {
  Q_OBJECT

 public:
  RunLauncher(Workspace& workspace,
              Background& background,
              queue::JobQueue& jobs,
              QObject* parent = nullptr);

  /// Checks the study and enqueues it. A study with unsaved edits is saved first; one that has no
  /// file yet is first given one by the user.
  void launch();
  /// Checks a study file and enqueues it; what the workspace follows stays as long as jobs go on.
  void enqueueFile(const QString& path);
  /// The job whose report the workspace follows; none once the user opened another report.
  [[nodiscard]] std::optional<queue::JobId> followedJob() const { return m_followed; }
  /// Opens what the job has written so far and follows it. It must have written a report.
  void show(const queue::JobState& job);
  /// Runs the same request again; finished runs are kept.
  void retry(const queue::JobState& job);

 Q_SIGNALS:
  void launched(quint64 job);

 private:
  void enqueueIfValid(const QString& tag,
                      const std::string& path,
                      const std::function<Result<std::string>()>& read);
  void decide(const std::filesystem::path& studyFile, const std::filesystem::path& outputDir);
  void enqueue(const std::filesystem::path& studyFile, worker::ExistingResults existing);
  void enqueue(queue::JobRequest request);
  void onReportUpdated(const queue::JobStatePtr& state);
  void onFinished(const queue::JobStatePtr& state);

  Workspace& m_workspace;
  Background& m_background;
  queue::JobQueue& m_jobs;
  std::optional<queue::JobId> m_followed;
};

}  // namespace ulp::views
