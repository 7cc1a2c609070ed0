#pragma once

#include <functional>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QTimer>

class QProcess;

namespace ulp::queue {

class JobQueue;

/// How a study stands that was handed to a cluster.
struct ClusterState {
  QString folder;             ///< of the run
  QString summary{};          ///< "2 running, 3 pending (Resources)"; empty: not asked yet
  QStringList reasons{};      ///< why tasks are pending, in Slurm's words: "Resources"
  QString problem{};          ///< why the last question or wish failed; empty: it did not
  bool isUnanswered = false;  ///< the problem is that it could not be asked
  int waiting = 0;            ///< tasks
  int pending = 0;
  int running = 0;
  int done = 0;
  int failed = 0;

  [[nodiscard]] int tasks() const { return waiting + pending + running + done + failed; }
  /// Nothing happens any more unless somebody asks for it.
  [[nodiscard]] bool isOver() const { return tasks() > 0 && pending + running == 0; }
};

/// Reads what `ulpscope-cli submit RUN --status --format json` prints; false where it is none.
[[nodiscard]] bool readClusterState(const QByteArray& json, ClusterState& state);

/// Studies on a cluster: each is asked about every few seconds, by processes of ulpscope-cli, until
/// it is over. No call blocks.
class ClusterWatch : public QObject {
  Q_OBJECT

 public:
  /// `worker`: the ulpscope-cli to start.
  explicit ClusterWatch(QString worker, QObject* parent = nullptr);
  ~ClusterWatch() override;
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  /// The one of a queue.
  [[nodiscard]] static ClusterWatch& of(const JobQueue& queue);

  /// Hands a study to the cluster: `words` stand behind `ulpscope-cli submit`.
  void submit(const QStringList& words);
  /// Whether a study is being handed over.
  [[nodiscard]] bool isSubmitting() const { return m_isSubmitting; }
  /// Begins to ask about a run.
  void watch(const QString& folder);
  /// Forgets a run; its tasks go on.
  void forget(const QString& folder);
  /// Submits again what failed.
  void again(const QString& folder);
  /// Takes back what waits and runs.
  void cancel(const QString& folder);
  /// Puts together what is there, then says so by merged().
  void merge(const QString& folder);
  [[nodiscard]] const std::vector<ClusterState>& states() const { return m_states; }

 Q_SIGNALS:
  void changed();
  void submitted(const QString& folder);
  void refused(const QString& problem);
  void merged(const QString& folder);

 private:
  struct Answer {
    bool isGood = false;
    QByteArray out;
    QString problem;
  };
  void ask(const QStringList& words, const std::function<void(const Answer&)>& then);
  void askAll();
  void askState(const QString& folder);
  void wish(const QString& folder, const QStringList& words);
  [[nodiscard]] ClusterState* find(const QString& folder);

  QString m_worker;
  std::vector<ClusterState> m_states;  ///< in the order in which they were added
  QTimer m_timer;
  int m_open = 0;  ///< questions without an answer
  bool m_isSubmitting = false;
};

}  // namespace ulp::queue
