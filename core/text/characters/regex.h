#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
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
  /// one does not count. Errors: Unsupported (the pattern backtracks beyond Oniguruma's limit).
  [[nodiscard]] Result<Stretches> stretches(std::string_view text) const;

 private:
  struct Program;
  explicit Regex(std::shared_ptr<const Program> program) : m_program(std::move(program)) {}
  std::shared_ptr<const Program> m_program;
};

/// `text` as a pattern that matches nothing else.
[[nodiscard]] std::string escapedForRegex(std::string_view text);

}  // namespace ulp::text
