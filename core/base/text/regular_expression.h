#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace ulp {

/// An expression that somebody else wrote, for text that somebody else wrote: a match takes a
/// bounded number of steps, and one that reaches the bound is an error, never "not found".
/// Immutable and safe to use from several threads; copies share what was compiled.
class RegularExpression {
 public:
  enum class Dialect : std::uint8_t {
    Names,           ///< ECMAScript; classes such as \d are those of ASCII (docs/mapping.md)
    NamesInAnyCase,  ///< the same, whatever the case
    Tokenizer        ///< that of Oniguruma, as tokenizers of Hugging Face have it
  };

  /// Error: InvalidArgument, which says what is wrong but neither the expression nor its place.
  /// Expressions for names have fewer than 4,096 bytes and 200 groups.
  [[nodiscard]] static Result<RegularExpression> compile(std::string_view pattern,
                                                         Dialect dialect = Dialect::Names);

  /// Tells whether it matches anywhere in `name`, where bytes that are not UTF-8 stand for U+FFFD.
  /// Errors: Unsupported for a name of more than kLongestRowName bytes, or that takes too many
  /// steps; it shows the expression and the name.
  [[nodiscard]] Result<bool> isFoundIn(std::string_view name) const;

  /// Replaces every match in `name` (as of isFoundIn()) with `replacement`, where $1 to $99 are
  /// groups, $& is the match, $` and $' are what stands before and behind it, and $$ is a dollar
  /// sign. Errors: as of isFoundIn(), and for a result that is longer than that.
  [[nodiscard]] Result<std::string> replaced(std::string_view name,
                                             std::string_view replacement) const;

  struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Finds the first match at `from` or behind it; `text` is UTF-8 and of any length for
  /// Dialect::Tokenizer. Errors: as of isFoundIn().
  [[nodiscard]] Result<std::optional<Match>> find(std::string_view text, std::size_t from) const;

 private:
  struct Program;
  explicit RegularExpression(std::shared_ptr<const Program> program)
      : m_program(std::move(program)) {}
  std::shared_ptr<const Program> m_program;
};

/// Compiles several expressions for names, in their order. The error says which one is wrong, too.
[[nodiscard]] Result<std::vector<RegularExpression>> compileExpressions(
    const std::vector<std::string>& texts);

/// Tells whether any of the expressions is found in `name`. Errors: as of isFoundIn().
[[nodiscard]] Result<bool> isAnyFoundIn(const std::vector<RegularExpression>& expressions,
                                        std::string_view name);

}  // namespace ulp
