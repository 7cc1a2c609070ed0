#include "runner/queue/cluster_watch.h"

#include <algorithm>
#include <utility>

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>

#include "runner/queue/job_queue.h"

namespace ulp::queue {
namespace {

constexpr int kBetweenQuestionsMs = 3000;

/// The last line that the program has written, without its name in front.
QString problemIn(const QByteArray& messages) {
  const QStringList lines =
      QString::fromUtf8(messages).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  const QLatin1String name("ulpscope-cli: ");
  QString last = lines.isEmpty() ? QString() : lines.last();
  return last.startsWith(name) ? last.mid(name.size()) : last;
}

}  // namespace

bool readClusterState(const QByteArray& json, ClusterState& state) {
  const QJsonObject object = QJsonDocument::fromJson(json).object();
  const QJsonObject counts = object[QStringLiteral("counts")].toObject();
  if (counts.isEmpty()) {
    return false;
  }
  state.summary = object[QStringLiteral("summary")].toString();
  state.waiting = counts[QStringLiteral("waiting")].toInt();
  state.pending = counts[QStringLiteral("pending")].toInt();
  state.running = counts[QStringLiteral("running")].toInt();
  state.done = counts[QStringLiteral("done")].toInt();
  state.failed = counts[QStringLiteral("failed")].toInt();
  state.reasons.clear();
  for (const QJsonValue task : object[QStringLiteral("tasks")].toArray()) {
    const QString reason = task[QStringLiteral("reason")].toString();
    if (task[QStringLiteral("state")].toString() == QStringLiteral("pending") &&
        !reason.isEmpty() && !state.reasons.contains(reason)) {
      state.reasons << reason;
    }
  }
  return true;
}

ClusterWatch::ClusterWatch(QString worker, QObject* parent)
    : QObject(parent), m_worker(std::move(worker)) {
  m_timer.setInterval(kBetweenQuestionsMs);
  connect(&m_timer, &QTimer::timeout, this, &ClusterWatch::askAll);
}

ClusterWatch::~ClusterWatch() {
  // They end by themselves in a moment, and whoever destroys a process waits for it.
  for (auto* process : findChildren<QProcess*>()) {
    process->disconnect(this);
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
  }
}

ClusterWatch& ClusterWatch::of(const JobQueue& queue) {
  return *queue.findChild<ClusterWatch*>(QString(), Qt::FindDirectChildrenOnly);
}

void ClusterWatch::submit(const QStringList& words) {
  m_isSubmitting = true;
  Q_EMIT changed();
  ask(QStringList{QStringLiteral("submit")} + words +
          QStringList{QStringLiteral("--format"), QStringLiteral("json")},
      [this](const Answer& answer) {
        m_isSubmitting = false;
        const QString folder =
            QJsonDocument::fromJson(answer.out).object()[QStringLiteral("folder")].toString();
        if (!answer.isGood || folder.isEmpty()) {
          Q_EMIT refused(answer.problem);
        } else {
          watch(folder);
          Q_EMIT submitted(folder);
        }
        Q_EMIT changed();
      });
}

void ClusterWatch::watch(const QString& folder) {
  if (find(folder) == nullptr) {
    m_states.push_back({.folder = folder});
    Q_EMIT changed();
  }
  askState(folder);
  m_timer.start();
}

void ClusterWatch::forget(const QString& folder) {
  std::erase_if(m_states, [&folder](const ClusterState& each) { return each.folder == folder; });
  Q_EMIT changed();
}

void ClusterWatch::again(const QString& folder) {
  wish(folder, {QStringLiteral("submit"), folder, QStringLiteral("--again")});
}

void ClusterWatch::cancel(const QString& folder) {
  wish(folder, {QStringLiteral("submit"), folder, QStringLiteral("--cancel")});
}

void ClusterWatch::wish(const QString& folder, const QStringList& words) {
  ask(words, [this, folder](const Answer& answer) {
    if (ClusterState* state = find(folder)) {
      state->problem = answer.isGood ? QString() : answer.problem;
      watch(folder);
      Q_EMIT changed();
    }
  });
}

void ClusterWatch::merge(const QString& folder) {
  ask({QStringLiteral("merge"), folder}, [this, folder](const Answer& answer) {
    // A report that says which runs are missing is one, too.
    const bool isThere = answer.out.contains("\nReport: ");
    if (ClusterState* state = find(folder)) {
      state->problem = isThere ? QString() : answer.problem;
    }
    Q_EMIT changed();
    if (isThere) {
      Q_EMIT merged(folder);
    }
  });
}

void ClusterWatch::ask(const QStringList& words, const std::function<void(const Answer&)>& then) {
  auto* process = new QProcess(this);
  const auto finish = [this, process, then](bool isGood, const QString& problem) {
    process->disconnect(this);
    process->deleteLater();
    const QByteArray messages = process->readAllStandardError();
    then({.isGood = isGood,
          .out = process->readAllStandardOutput(),
          .problem = problem.isEmpty() ? problemIn(messages) : problem});
  };
  connect(process, &QProcess::finished, this, [finish](int code, QProcess::ExitStatus status) {
    finish(code == 0 && status == QProcess::NormalExit, {});
  });
  connect(process, &QProcess::errorOccurred, this, [finish, process](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) {
      finish(false, process->errorString());
    }
  });
  process->start(m_worker, words);
  process->closeWriteChannel();
}

void ClusterWatch::askAll() {
  if (std::ranges::all_of(m_states, &ClusterState::isOver)) {
    m_timer.stop();
  }
  if (m_open > 0) {
    return;  // Slurm is slow; nobody asks twice
  }
  for (const ClusterState& state : m_states) {
    if (!state.isOver()) {
      askState(state.folder);
    }
  }
}

void ClusterWatch::askState(const QString& folder) {
  ++m_open;
  ask({QStringLiteral("submit"),
       folder,
       QStringLiteral("--status"),
       QStringLiteral("--format"),
       QStringLiteral("json")},
      [this, folder](const Answer& answer) {
        --m_open;
        ClusterState* state = find(folder);
        if (state == nullptr) {
          return;
        }
        if (!answer.isGood || !readClusterState(answer.out, *state)) {
          state->problem = answer.problem;
          state->isUnanswered = true;
        } else if (std::exchange(state->isUnanswered, false)) {
          state->problem.clear();
        }
        Q_EMIT changed();
      });
}

ClusterState* ClusterWatch::find(const QString& folder) {
  const auto found = std::ranges::find(m_states, folder, &ClusterState::folder);
  return found == m_states.end() ? nullptr : &*found;
}

}  // namespace ulp::queue
