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

QString rowsSummary(const RuleVerdicts& verdicts) {
  std::array<std::size_t, 4> counts{};
  int all = 0;
  for (int variant = 0; variant < verdicts.document->variantCount(); ++variant) {
    if (const analysis::RunJudgement* run = verdicts.find(variant)) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts.at(i) += run->counts.at(i);
        all += static_cast<int>(run->counts.at(i));
      }
    }
  }
  const auto countOf = [&](Judgement judgement) {
    return static_cast<int>(counts.at(static_cast<std::size_t>(judgement)));
  };
  const int failed = countOf(Judgement::Failed);
  const int warned = countOf(Judgement::Warned);
  const int open = countOf(Judgement::NotJudged);
  const int passed = countOf(Judgement::Passed);
  QStringList parts;
  if (failed > 0) {
    parts << severityGlyph(Severity::Broken) + QLatin1Char(' ') +
                 RuleVerdictsWords::tr("fail: %1 of %n tensor(s)", nullptr, all).arg(failed);
  }
  if (warned > 0) {
    parts << severityGlyph(Severity::Look) + QLatin1Char(' ') +
                 RuleVerdictsWords::tr("%n warning(s)", nullptr, warned);
  }
  if (passed > 0 && parts.isEmpty()) {
    parts << severityGlyph(Severity::Fine) + QLatin1Char(' ') +
                 RuleVerdictsWords::tr("pass: %1 of %n tensor(s)", nullptr, all).arg(passed);
  }
  if (verdicts.isReadingElements) {
    parts << RuleVerdictsWords::tr("reading elements…");
  } else if (open > 0) {
    parts << RuleVerdictsWords::tr("not judged: %1").arg(open);
  }
  return parts.join(QStringLiteral(" · "));
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
