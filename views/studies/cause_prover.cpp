#include "views/studies/cause_prover.h"

#include <algorithm>
#include <utility>

#include "runner/queue/job_queue.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/workspace/bundled_example.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

const report::Run* findRun(const OpenReports& open, const QString& name) {
  return open.joined.report->findRun(name.toStdString());
}

/// What a run was compared with; empty: no run of that name is open.
QString referenceOf(const OpenReports& open, const report::Run& run) {
  const report::Run* reference = open.joined.report->referenceOf(run);
  return reference == nullptr ? QString() : QString::fromStdString(reference->name);
}

}  // namespace

CauseProver& CauseProver::of(Workspace& workspace, queue::JobQueue& jobs, Background& background) {
  auto* prover = workspace.reports.findChild<CauseProver*>(QString(), Qt::FindDirectChildrenOnly);
  return prover == nullptr ? *new CauseProver(workspace, jobs, background) : *prover;
}

CauseProver::CauseProver(Workspace& workspace, queue::JobQueue& jobs, Background& background)
    : QObject(&workspace.reports),
      m_reports(workspace.reports),
      m_messages(workspace.messages),
      m_jobs(jobs),
      m_background(background) {
  connect(&m_jobs, &queue::JobQueue::jobChanged, this, &CauseProver::onJob);
  connect(&m_jobs, &queue::JobQueue::jobFinished, this, &CauseProver::onJobFinished);
  connect(&m_jobs, &queue::JobQueue::queueChanged, this, &CauseProver::onQueueChanged);
}

std::optional<CauseQuestion> CauseProver::questionOf(const QString& variant) const {
  const DocumentPtr& document = m_reports.document();
  const report::Run* run = document ? findRun(*document->basis().open, variant) : nullptr;
  if (run == nullptr) {
    return std::nullopt;
  }
  // Ratios and differences are made of the errors against the reference.
  const DocumentBasis& basis = document->basis();
  const bool isAgainstBaseline = basis.relation == Relation::Error && !basis.baseline.isEmpty() &&
                                 findRun(*basis.open, basis.baseline) != nullptr;
  CauseQuestion question{isAgainstBaseline ? basis.baseline : referenceOf(*basis.open, *run),
                         variant};
  return question.baseline.isEmpty() || question.baseline == variant ? std::nullopt
                                                                     : std::optional(question);
}

QString CauseProver::whyNot() const {
  const DocumentPtr& document = m_reports.document();
  if (!document) {
    return tr("No report is open.");
  }
  if (document->report().dumps) {
    return tr("Dumps hold what another program computed. Only a study can be run again.");
  }
  if (document->loaded().folder.empty() || isExample(document->loaded().file)) {
    return tr("This report lies in no folder that its runs could be repeated beside.");
  }
  const std::string& settings = document->report().effectiveJson;
  // A report that is saved without any has an empty object.
  if (settings.empty() || settings == "{}") {
    return tr("The report does not say with which settings its runs were made.");
  }
  return {};
}

std::string CauseProver::keyOf(const CauseQuestion& question) const {
  const DocumentPtr& document = m_reports.document();
  if (!document) {
    return {};
  }
  const OpenReports& open = *document->basis().open;
  std::string key;
  for (const QString& name : {question.baseline, question.candidate}) {
    const auto run = analysis::namedRun(open.joined, open.sources, name.toStdString());
    if (!run) {
      return {};
    }
    key += run->loaded.file.string() + '#' + run->loaded.report->provenance.startedAt + '#' +
           run->run + '\n';
  }
  return key;
}

QString CauseProver::tagOf(const std::string& key) const {
  return workTagOf(this, "cause") + QString::fromStdString(key);
}

CauseState CauseProver::state(const CauseQuestion& question) const {
  const auto found = m_proofs.find(keyOf(question));
  if (found == m_proofs.end()) {
    return {};
  }
  CauseState state = found->second.state;
  if (found->second.job) {
    state.waitingBefore = m_jobs.jobsBefore(*found->second.job);
  }
  return state;
}

void CauseProver::look(const CauseQuestion& question) {
  const std::string key = keyOf(question);
  if (key.empty() || m_proofs.contains(key) || !whyNot().isEmpty()) {
    return;
  }
  m_proofs[key] = {.question = question};
  m_background.run<Result<CauseAnswerPtr>>(
      tagOf(key),
      this,
      [open = m_reports.document()->basis().open,
       question](const std::stop_token& stop) -> Result<CauseAnswerPtr> {
        if (!mayBeAnswered(*open, question)) {
          return CauseAnswerPtr();
        }
        const auto study = ULP_TRY(planCause(*open, question, {}, stop));
        return study.isDone ? judgeCause(study, stop) : CauseAnswerPtr();
      },
      [this, key](const Result<CauseAnswerPtr>& answer) {
        // Whoever wants to know why there is none asks for the proof.
        if (answer && *answer && m_proofs[key].state.phase == Phase::Open) {
          finish(key, answer);
        }
      });
}

CauseSettings CauseProver::usual(const CauseQuestion& question) const {
  const DocumentPtr& document = m_reports.document();
  return document ? usualSettings(*document->basis().open, question) : CauseSettings();
}

void CauseProver::prove(const CauseQuestion& question, const CauseSettings& settings) {
  const std::string key = keyOf(question);
  if (key.empty() || !whyNot().isEmpty() || m_proofs[key].state.isAtWork()) {
    return;
  }
  m_messages.dismiss(topicOf(key));
  m_proofs[key] = {.state = {.phase = Phase::Planning, .settings = settings}, .question = question};
  Q_EMIT changed();
  using Planned = Result<std::shared_ptr<const CauseStudy>>;
  m_background.run<Planned>(
      tagOf(key),
      this,
      [open = m_reports.document()->basis().open, question, settings](
          const std::stop_token& stop) -> Planned {
        auto study = ULP_TRY(planCause(*open, question, settings, stop));
        if (!study.isDone && !study.isTaken) {
          ULP_TRY(writeCauseStudy(study));
        }
        return std::make_shared<const CauseStudy>(std::move(study));
      },
      [this, key](const Planned& planned) { take(key, planned); });
}

void CauseProver::take(const std::string& key,
                       const Result<std::shared_ptr<const CauseStudy>>& planned) {
  if (!planned) {
    fail(key, planned.error());
    return;
  }
  Proving& proving = m_proofs[key];
  proving.study = *planned;
  const QString folder = QString::fromStdString(proving.study->folder.string());
  if (proving.study->isTaken) {
    refuse(key, tr("%1 holds other things than runs of this proof.").arg(folder));
    return;
  }
  // Whoever asks again means these results.
  CauseSettings& next = proving.state.settings;
  next.folder = next.results == CauseResults::NewFolder ? folder : next.folder;
  next.results = CauseResults::GoOn;
  if (proving.study->isDone) {
    judge(key);
    return;
  }
  proving.state.phase = Phase::Running;
  proving.job = m_jobs.enqueue(causeRequest(*proving.study));
  proving.state.job = m_jobs.state(*proving.job);
  Q_EMIT changed();
}

void CauseProver::judge(const std::string& key) {
  m_proofs[key].state.phase = Phase::Judging;
  Q_EMIT changed();
  m_background.run<Result<CauseAnswerPtr>>(
      tagOf(key),
      this,
      [study = m_proofs[key].study](const std::stop_token& stop) {
        return judgeCause(*study, stop);
      },
      [this, key](const Result<CauseAnswerPtr>& answer) { finish(key, answer); });
}

void CauseProver::finish(const std::string& key, const Result<CauseAnswerPtr>& answer) {
  if (!answer) {
    fail(key, answer.error());
    return;
  }
  Proving& proving = m_proofs[key];
  CauseSettings next = proving.state.settings;
  next.results = CauseResults::Replace;
  proving = {.state = {.phase = Phase::Answered, .settings = next, .answer = *answer},
             .question = proving.question};
  Q_EMIT changed();
}

QString CauseProver::topicOf(const std::string& key) const {
  return QStringLiteral("cause:") + QString::fromStdString(key);
}

void CauseProver::fail(const std::string& key, const Error& error) {
  if (error.code() != ErrorCode::Cancelled) {
    fail(key, errorText(error));
    return;
  }
  m_proofs[key].reset();
  Q_EMIT changed();
}

void CauseProver::fail(const std::string& key, const QString& problem) {
  Proving& proving = m_proofs[key];
  CauseSettings next = proving.state.settings;
  // Its runs prove nothing: they are made anew.
  next.results = proving.study ? CauseResults::Replace : next.results;
  proving.job.reset();
  proving.state = {.phase = Phase::Failed, .problem = problem, .settings = next};
  Q_EMIT changed();
}

void CauseProver::refuse(const std::string& key, const QString& problem) {
  CauseState& state = m_proofs[key].state;
  CauseSettings next = state.settings;
  next.results = CauseResults::Replace;
  state = {.phase = Phase::Failed,
           .problem = problem + QLatin1Char(' ') +
                      tr("Replace what Ulpscope wrote there, or prove it in a new folder."),
           .isFolderTaken = true,
           .settings = next};
  Q_EMIT changed();
}

void CauseProver::failRuns(const std::string& key, const queue::JobState& job) {
  if (job.conflicts.isEmpty()) {
    fail(key, job.error);
  } else {
    refuse(key,
           tr("The runs of this proof in %1 cannot be continued: %2.")
               .arg(QString::fromStdString(job.outputDir.string()),
                    job.conflicts.join(QStringLiteral("; "))));
  }
  const Proving& proving = m_proofs[key];
  if (proving.isSeen) {
    return;
  }
  const CauseQuestion question = proving.question;
  const CauseState& state = proving.state;
  Message message{
      .severity = state.isFolderTaken ? Severity::Look : Severity::Broken,
      .text = tr("Why %1 differs is not proved. %2").arg(question.candidate, state.problem),
      .topic = topicOf(key)};
  if (state.isFolderTaken) {
    const auto asking = [this, question, next = state.settings](CauseResults results) {
      return [this, question, next, results] {
        CauseSettings settings = next;
        settings.results = results;
        prove(question, settings);
      };
    };
    message.actions = {{tr("New folder"), asking(CauseResults::NewFolder)},
                       {tr("Replace"), asking(CauseResults::Replace)}};
  }
  m_messages.raise(message);
}

void CauseProver::stop(const CauseQuestion& question) {
  const std::string key = keyOf(question);
  const auto found = m_proofs.find(key);
  if (found == m_proofs.end() || !found->second.state.isAtWork()) {
    return;
  }
  if (found->second.state.phase == Phase::Running) {
    m_jobs.cancel(*found->second.job);
    return;
  }
  m_background.cancel(tagOf(key));
  found->second.reset();
  Q_EMIT changed();
}

void CauseProver::noteSeen(const CauseQuestion& question) {
  if (const auto found = m_proofs.find(keyOf(question)); found != m_proofs.end()) {
    found->second.isSeen = found->second.state.phase == Phase::Failed;
  }
}

void CauseProver::onJob(const queue::JobStatePtr& job) {
  for (auto& [key, proving] : m_proofs) {
    if (proving.job == job->id) {
      proving.state.job = job;
      Q_EMIT changed();
      return;
    }
  }
}

void CauseProver::onQueueChanged() {
  for (auto& [key, proving] : m_proofs) {
    // The user took it off the list.
    if (proving.job && m_jobs.state(*proving.job) == nullptr) {
      proving.reset();
    }
  }
  Q_EMIT changed();
}

void CauseProver::onJobFinished(const queue::JobStatePtr& job) {
  const auto found = std::ranges::find_if(
      m_proofs, [&](const auto& entry) { return entry.second.job == job->id; });
  if (found == m_proofs.end()) {
    return;
  }
  const std::string key = found->first;
  found->second.job.reset();
  if (job->status == queue::JobStatus::Finished) {
    judge(key);
    return;
  }
  if (job->status == queue::JobStatus::Cancelled) {
    found->second.reset();
    Q_EMIT changed();
  } else {
    failRuns(key, *job);
  }
}

}  // namespace ulp::views
