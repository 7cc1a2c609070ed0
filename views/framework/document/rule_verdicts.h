#pragma once

#include <memory>
#include <string>

#include <QtCore/QString>

#include "core/analysis/rules/report_judgement.h"
#include "views/framework/document/report_document.h"
#include "views/framework/look/theme.h"

namespace ulp::views {

/// What rules say of a document. Immutable once made.
struct RuleVerdicts {
  DocumentPtr document;
  analysis::VerdictRules rules;
  analysis::ReportJudgement judgement;  ///< of the document's report
  bool isReadingElements = false;       ///< rows that need them are not judged yet

  /// Null where the variant has no such tensor, or is not judged.
  [[nodiscard]] const analysis::RowVerdict* find(int variant, int site) const;
  /// Null: it is not judged.
  [[nodiscard]] const analysis::RunJudgement* find(int variant) const;
};

/// "■ fail: 3 of 120 tensors", with what else there is to know of all rows of the variants.
[[nodiscard]] QString rowsSummary(const RuleVerdicts& verdicts);

using RuleVerdictsPtr = std::shared_ptr<const RuleVerdicts>;

/// "pass", "warning", "fail", "not judged" in the user's language.
[[nodiscard]] QString judgementWord(analysis::Judgement judgement);
/// The same behind its glyph; what is not judged has "–".
[[nodiscard]] QString judgementText(analysis::Judgement judgement);
[[nodiscard]] Severity severityOf(analysis::Judgement judgement);
/// The word that filters and files have, in every language: "fail", "unjudged".
[[nodiscard]] QString judgementKey(analysis::Judgement judgement);

}  // namespace ulp::views
