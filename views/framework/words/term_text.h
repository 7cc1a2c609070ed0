#pragma once

#include <span>
#include <string>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/text/sentence.h"

namespace ulp::report {
struct SummaryColumn;
}

namespace ulp::views {

/// A sentence of the core in the user's language, with those in its places. Of literals the pass
/// behind a name ("decoder.1, forward") is translated, and nothing else.
[[nodiscard]] QString sentenceText(const Sentence& sentence);
[[nodiscard]] QStringList sentenceTexts(std::span<const Sentence> sentences);
/// A word or title of a rule in the user's language.
[[nodiscard]] QString ruleText(const std::string& english);

/// Title of a column of the summary; those that are names of tensors are as they are.
[[nodiscard]] QString summaryTitle(const report::SummaryColumn& column);

}  // namespace ulp::views
