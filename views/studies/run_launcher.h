#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "runner/queue/job_queue.h"
#include "views/framework/widgets/message.h"

namespace ulp::views {

class Background;
struct Workspace;

/// Starts the open study in the queue and shows its report in the workspace as it grows. Asks in
/// the message bar before anything of an earlier run would be lost.
class RunLauncher : public QObject {
  Q_OBJECT

 public:
  RunLauncher(Workspace& workspace, Background& background, queue::JobQueue& jobs);

  /// Checks the study and enqueues it. A study with unsaved edits is saved first; one that has no
  /// file yet is first given one by the user.
  void launch();
  /// The same on a host, by ssh; `installs`: Ulpscope is copied there where it is missing.
  void launchOn(const QString& host, bool installs);
  /// The job whose report the workspace follows; none once the user opened another report.
  [[nodiscard]] std::optional<queue::JobId> followedJob() const { return m_followed; }
  /// Opens what the job has written so far and follows it. It must have written a report.
  void show(const queue::JobState& job);
  /// Checks study files and enqueues those that can run, in this order; what is wrong with the
  /// others is said.
  void enqueueFiles(const QStringList& paths);
  /// Goes on with what a job has not finished: failed, stopped and missing variants. `variants`
  /// names the only ones to run, also skipped ones; empty: all but those.
  void resume(const queue::JobState& job, const QStringList& variants = {});
  /// Does the same without those that failed, which stay so.
  void resumeWithoutFailed(const queue::JobState& job);
  /// Opens the study of a job as a new one in the editor, with a free folder for its results.
  void editAgain(const queue::JobState& job);

 Q_SIGNALS:
  void launched(quint64 job);

 private:
  struct Checked;

  [[nodiscard]] static Result<Checked> checkStudy(const std::string& text, const std::string& path);
  [[nodiscard]] static Result<Checked> checkFile(const std::string& path);
  void launchWith(const queue::JobRequest& place);
  void check(const queue::JobRequest& place);
  /// Asks before code runs that a study brings; true: there is none, or the user has agreed.
  [[nodiscard]] bool mayRunCode(const Checked& checked, const QString& topic);
  /// Enqueues what was checked, or says why not; messages have this topic.
  void take(const Result<Checked>& checked, const QString& topic);
  /// Asks what becomes of the results that the folder of a study holds.
  void decide(const Checked& checked, const QString& topic);
  /// Offers what is left where results cannot be continued: another folder, or to replace them.
  void refuseResuming(const queue::JobRequest& request,
                      const QString& reason,
                      const QString& topic);
  [[nodiscard]] std::vector<MessageAction> waysToStartAnew(const queue::JobRequest& request,
                                                           const QString& topic);
  [[nodiscard]] std::function<void()> starting(queue::JobRequest request, const QString& topic);
  void startInFreeFolder(const queue::JobRequest& request, const QString& topic);
  void enqueue(queue::JobRequest request);
  void onReportUpdated(const queue::JobStatePtr& state);
  void onFinished(const queue::JobStatePtr& state);

  Workspace& m_workspace;
  Background& m_background;
  queue::JobQueue& m_jobs;
  std::optional<queue::JobId> m_followed;
  int m_fileLists = 0;
  QStringList m_agreed;  ///< code that the user lets run, by study and function
};

}  // namespace ulp::views
