#include "views/framework/workspace/report_rules.h"

#include <functional>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "views/framework/document/tensor_pair_source.h"
#include "views/framework/settings/settings_store.h"
#include "views/framework/threads/background.h"
#include "views/framework/words/term_text.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/report_set.h"

namespace ulp::views {
namespace {

/// Subject, origin and text, one after the other, of the reports whose rules were chosen last.
const Setting<QStringList> kChosenRules{QStringLiteral("rules/chosen"), {}};
constexpr qsizetype kFields = 3;
constexpr qsizetype kRemembered = 50;

struct ReportRulesWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::ReportRules)
};

QString subjectOf(const report::LoadedReport& loaded) {
  const auto& dumps = loaded.report->dumps;
  return QString::fromStdString(dumps && loaded.folder.empty()
                                    ? dumps->baseline.path.string() + "\n" +
                                          dumps->candidate.path.string()
                                    : loaded.file.string());
}

RulesChoice rememberedFor(const QString& subject, const QStringList& chosen) {
  for (qsizetype i = 0; i + kFields <= chosen.size(); i += kFields) {
    if (chosen[i] == subject) {
      return {chosen[i + 1], chosen[i + 2]};
    }
  }
  return {};
}

QStringList withChoice(const QString& subject, const RulesChoice& choice, const QStringList& old) {
  QStringList chosen;
  if (!choice.text.isEmpty()) {
    chosen << subject << choice.origin << choice.text;
  }
  for (qsizetype i = 0; i + kFields <= old.size() && chosen.size() < kFields * kRemembered;
       i += kFields) {
    if (old[i] != subject) {
      chosen << old.mid(i, kFields);
    }
  }
  return chosen;
}

analysis::PairReader pairReaderOf(const DocumentPtr& document, const std::stop_token& stop) {
  return [tensors = std::make_shared<KeptTensors>(document), stop](
             const report::Run& run,
             const report::Comparison& row) -> Result<analysis::TensorPairPtr> {
    const QString variant = QString::fromStdString(run.name);
    const PairedRuns runs{tensors->document()->baselineOf(variant), variant};
    const TensorPairAnswer answer = readTensorPair(*tensors, runs, row.site, stop);
    if (answer.pair == nullptr && answer.problem.kind == TensorPairProblem::Kind::Unreadable) {
      return fail(ErrorCode::Io, answer.problem.text.toStdString());
    }
    return answer.pair;
  };
}

Result<RuleVerdictsPtr> judgeDocument(const DocumentPtr& document,
                                      const RulesChoice& choice,
                                      const std::function<void(RuleVerdictsPtr)>& publish,
                                      const std::stop_token& stop) {
  const std::string origin = choice.origin.toStdString();
  const auto rules = ULP_TRY(analysis::VerdictRules::parse(choice.text.toStdString(), origin));
  if (&judgedReport(*document) != &document->report()) {
    return fail(ErrorCode::Unsupported,
                ReportRulesWords::tr("Rules are asked of errors, not of how they stand to those "
                                     "of a baseline: show the errors")
                    .toStdString());
  }
  RuleVerdicts verdicts{.document = document, .rules = rules.withFiniteImplied(), .judgement = {}};
  verdicts.judgement = ULP_TRY(analysis::judgeReport(document->report(), verdicts.rules, stop));
  if (verdicts.judgement.isUndecided(verdicts.rules)) {
    verdicts.isReadingElements = true;
    publish(std::make_shared<const RuleVerdicts>(verdicts));
    verdicts.isReadingElements = false;
    ULP_TRY(analysis::decideByElements(document->report(),
                                       verdicts.rules,
                                       verdicts.judgement,
                                       pairReaderOf(document, stop),
                                       stop));
  }
  return std::make_shared<const RuleVerdicts>(std::move(verdicts));
}

}  // namespace

ReportRules& ReportRules::of(ReportSet& reports, SettingsStore& settings, Background& background) {
  auto* rules = reports.findChild<ReportRules*>(QString(), Qt::FindDirectChildrenOnly);
  return rules == nullptr ? *new ReportRules(reports, settings, background) : *rules;
}

ReportRules::ReportRules(ReportSet& reports, SettingsStore& settings, Background& background)
    : QObject(&reports),
      m_reports(reports),
      m_settings(settings),
      m_background(background),
      m_tag(workTagOf(this, "rules")) {
  connect(&m_reports, &ReportSet::documentChanged, this, &ReportRules::follow);
  follow();
}

void ReportRules::follow() {
  const DocumentPtr& document = m_reports.document();
  const QString subject = document ? subjectOf(document->loaded()) : QString();
  if (subject != m_subject) {
    m_subject = subject;
    m_choice = rememberedFor(subject, m_settings.get(kChosenRules));
  }
  judge();
}

void ReportRules::apply(const RulesChoice& choice) {
  m_choice = choice;
  if (!m_subject.isEmpty()) {
    m_settings.update(kChosenRules, [subject = m_subject, choice](const QStringList& old) {
      return withChoice(subject, choice, old);
    });
  }
  judge();
}

void ReportRules::judge() {
  m_verdicts = nullptr;
  m_problem.reset();
  const DocumentPtr& document = m_reports.document();
  m_isJudging = document && !m_choice.text.isEmpty();
  if (!m_isJudging) {
    m_background.cancel(m_tag);
    Q_EMIT changed();
    return;
  }
  m_background.run<Result<RuleVerdictsPtr>, RuleVerdictsPtr>(
      m_tag,
      this,
      [document, choice = m_choice](const std::stop_token& stop,
                                    const std::function<void(RuleVerdictsPtr)>& publish) {
        return judgeDocument(document, choice, publish, stop);
      },
      [this](const RuleVerdictsPtr& early) {
        m_verdicts = early;
        Q_EMIT changed();
      },
      [this](const Result<RuleVerdictsPtr>& verdicts) { receive(verdicts); });
  Q_EMIT changed();
}

void ReportRules::receive(const Result<RuleVerdictsPtr>& verdicts) {
  m_isJudging = false;
  if (verdicts) {
    m_verdicts = *verdicts;
  } else {
    m_problem = verdicts.error();
  }
  Q_EMIT changed();
}

Result<analysis::JudgedReport> judgeForExport(const DocumentPtr& document,
                                              const RulesChoice& choice,
                                              const report::ExportOptions& options,
                                              const std::stop_token& stop) {
  const std::string origin = choice.origin.toStdString();
  auto rules = ULP_TRY(analysis::VerdictRules::parse(choice.text.toStdString(), origin));
  return analysis::judgeChosen(
      document->report(), options, {std::move(rules), origin}, pairReaderOf(document, stop), stop);
}

QString reasonText(const analysis::RowVerdict& verdict, const RuleVerdicts& verdicts) {
  const bool isWaiting = verdicts.isReadingElements &&
                         verdict.judgement == analysis::Judgement::NotJudged &&
                         verdict.rule != analysis::RowVerdict::kNoRule;
  return isWaiting ? ReportRulesWords::tr("The elements are being read")
                   : sentenceText(analysis::reasonOf(verdict, verdicts.rules));
}

}  // namespace ulp::views
