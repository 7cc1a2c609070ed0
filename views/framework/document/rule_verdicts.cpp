#include "views/framework/document/rule_verdicts.h"

#include <algorithm>
#include <array>

#include <QtCore/QCoreApplication>

#include "views/framework/widgets/severity.h"

namespace ulp::views {
namespace {

using analysis::Judgement;

struct RuleVerdictsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::RuleVerdicts)
};

}  // namespace

const analysis::RunJudgement* RuleVerdicts::find(int variant) const {
  const auto& runs = document->report().runs;
  const auto index = static_cast<std::size_t>(&document->variant(variant) - runs.data());
  const analysis::RunJudgement& run = judgement.runs.at(index);
  return run.rows.empty() ? nullptr : &run;
}

const analysis::RowVerdict* RuleVerdicts::find(int variant, int site) const {
  const report::Comparison* row = document->comparison(variant, site);
  const analysis::RunJudgement* run = find(variant);
  return row == nullptr || run == nullptr
             ? nullptr
             : &run->rows.at(
                   static_cast<std::size_t>(row - document->variant(variant).comparisons.data()));
}

QString judgementWord(Judgement judgement) {
  switch (judgement) {
    case Judgement::Passed:
      return RuleVerdictsWords::tr("pass");
    case Judgement::Warned:
      return RuleVerdictsWords::tr("warning");
    case Judgement::Failed:
      return RuleVerdictsWords::tr("fail");
    case Judgement::NotJudged:
      break;
  }
  return RuleVerdictsWords::tr("not judged");
}

QString judgementText(Judgement judgement) {
  const QString glyph = judgement == Judgement::NotJudged ? QStringLiteral("–")
                                                          : severityGlyph(severityOf(judgement));
  return QStringLiteral("%1 %2").arg(glyph, judgementWord(judgement));
}

Severity severityOf(Judgement judgement) {
  return judgement == Judgement::Failed   ? Severity::Broken
         : judgement == Judgement::Warned ? Severity::Look
                                          : Severity::Fine;
}

QString judgementKey(Judgement judgement) {
  constexpr std::array kKeys{"pass", "warning", "fail", "unjudged"};
  return QLatin1String(kKeys.at(static_cast<std::size_t>(judgement)));
}

}  // namespace ulp::views
