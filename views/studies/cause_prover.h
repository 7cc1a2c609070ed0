#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "runner/queue/job_state.h"
#include "views/studies/cause_study.h"

namespace ulp::queue {
class JobQueue;
}

namespace ulp::views {

class Background;
class Messages;
class ReportSet;
struct Workspace;

/// How far the answer to a question is.
struct CauseState {
  enum class Phase : std::uint8_t {
    Open,      ///< nobody has asked
    Planning,  ///< what to run is being found out
    Running,   ///< the study waits or runs: `job`
    Judging,   ///< its runs are done
    Answered,
    Failed  ///< `problem` says why
  };
  Phase phase = Phase::Open;
  QString problem{};           ///< with what can be done about it
  bool isFolderTaken = false;  ///< Failed: the folder holds what the proof cannot go on with
  CauseSettings settings{};    ///< to ask with next: those of last time
  queue::JobStatePtr job{};    ///< null: nothing of it is known yet
  int waitingBefore = 0;       ///< jobs that the queue starts first
  CauseAnswerPtr answer{};

  [[nodiscard]] bool isAtWork() const {
    return phase == Phase::Planning || phase == Phase::Running || phase == Phase::Judging;
  }
};

/// Proves why two runs of the open reports differ: runs the counterfactual study in the queue,
/// behind what is there, and judges it. The report that is open stays so. What was proved is kept
/// by the folder of that study alone, where look() finds it again. Lives on the GUI thread.
class CauseProver : public QObject {
  Q_OBJECT

 public:
  /// That of a window; made for whoever asks first, and dies with its reports.
  [[nodiscard]] static CauseProver& of(Workspace& workspace,
                                       queue::JobQueue& jobs,
                                       Background& background);

  /// The question that a variant of the open document asks: it, and what it was compared with. None
  /// where no report is open or has no such run.
  [[nodiscard]] std::optional<CauseQuestion> questionOf(const QString& variant) const;
  /// Why nothing can be proved of the open reports; empty: it can.
  [[nodiscard]] QString whyNot() const;

  [[nodiscard]] CauseState state(const CauseQuestion& question) const;
  /// Finds in the background whether it was answered before; a second look is none.
  void look(const CauseQuestion& question);
  /// What settings that are left empty stand for.
  [[nodiscard]] CauseSettings usual(const CauseQuestion& question) const;
  /// Starts or goes on to prove it.
  void prove(const CauseQuestion& question, const CauseSettings& settings);
  void stop(const CauseQuestion& question);
  /// The state is on the screen: of a failure nobody need be told elsewhere.
  void noteSeen(const CauseQuestion& question);

 Q_SIGNALS:
  void changed();

 private:
  using Phase = CauseState::Phase;
  struct Proving {
    CauseState state{};
    CauseQuestion question{};
    std::shared_ptr<const CauseStudy> study{};
    std::optional<queue::JobId> job{};
    bool isSeen = false;  ///< how it failed

    /// Nobody has asked, or the user has stopped it.
    void reset() { *this = {.state = {.settings = state.settings}, .question = question}; }
  };

  CauseProver(Workspace& workspace, queue::JobQueue& jobs, Background& background);
  /// Says which runs are meant, whatever else is open; empty: they are not open.
  [[nodiscard]] std::string keyOf(const CauseQuestion& question) const;
  [[nodiscard]] QString tagOf(const std::string& key) const;
  void take(const std::string& key, const Result<std::shared_ptr<const CauseStudy>>& planned);
  void judge(const std::string& key);
  void finish(const std::string& key, const Result<CauseAnswerPtr>& answer);
  void fail(const std::string& key, const Error& error);
  void fail(const std::string& key, const QString& problem);
  /// Says it in the place of the question, and to whoever looks elsewhere by then.
  void failRuns(const std::string& key, const queue::JobState& job);
  void refuse(const std::string& key, const QString& problem);
  [[nodiscard]] QString topicOf(const std::string& key) const;
  void onJob(const queue::JobStatePtr& job);
  void onQueueChanged();
  void onJobFinished(const queue::JobStatePtr& job);

  ReportSet& m_reports;
  Messages& m_messages;
  queue::JobQueue& m_jobs;
  Background& m_background;
  std::map<std::string, Proving> m_proofs;  ///< by keyOf()
};

}  // namespace ulp::views
