#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/base/text/regular_expression.h"
#include "core/text/characters/split.h"

namespace ulp::text {

/// A regular expression over UTF-8 in the syntax of Oniguruma, the library that Hugging Face's
/// tokenizers use: `\p{L}`, look-around, possessive quantifiers and case folding mean the same.
/// Immutable and safe to use from several threads; copies share what was compiled.
class Regex {
 public:
  /// Errors: InvalidArgument with the pattern and what Oniguruma says of it.
  [[nodiscard]] static Result<Regex> compile(std::string_view pattern);

  /// All matches from left to right and what lies between them. An empty match right behind another
  /// one does not count. Errors: Unsupported (the pattern takes too many steps).
  [[nodiscard]] Result<Stretches> stretches(std::string_view text) const;

 private:
  explicit Regex(RegularExpression expression) : m_expression(std::move(expression)) {}
  RegularExpression m_expression;
};

/// `text` as a pattern that matches nothing else.
[[nodiscard]] std::string escapedForRegex(std::string_view text);

}  // namespace ulp::text
