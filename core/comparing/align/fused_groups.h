#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/first_error.h"
#include "core/base/text/regular_expression.h"
#include "core/comparing/align/edited_sides.h"

namespace ulp::analysis {

/// Names that the parts of a fused tensor may have.
struct FusedParts {
  std::vector<std::string> paths{};
  FusedLayout layout = FusedLayout::Found;
  std::int64_t groups = 0;
  std::optional<std::int64_t> dim{};
};

/// What is fused, by the rules of a mapping and by the names that models and frameworks use. For
/// one thread.
class FusedNames {
 public:
  /// Errors: InvalidArgument for a rule that is no regular expression.
  [[nodiscard]] static Result<FusedNames> make(const DumpRules& rules);

  /// Where parts of what is called `path` may be found, likeliest first; empty: it is not fused.
  [[nodiscard]] std::vector<FusedParts> partsOf(const std::string& path);
  /// Whether weights of these names are the other way round is found; false: the rules say it.
  [[nodiscard]] bool findsTransposed(std::span<const std::string* const> names);
  /// Whoever uses the names asks it before what they led to is used. Errors: Unsupported where an
  /// expression took too many steps.
  [[nodiscard]] Result<> check() const { return m_error.check(); }

 private:
  bool m_knowsNames = true;
  bool m_findsTransposed = true;
  std::vector<FusedRule> m_rules;
  std::vector<RegularExpression> m_matches;  ///< of each rule
  std::vector<RegularExpression> m_transposed;
  FirstError m_error;
};

/// Segments of dotted names that differ: "qkv_proj" and "q_proj".
struct NameDifference {
  std::string from;
  std::string to;
};
[[nodiscard]] NameDifference differenceOf(std::string_view from, std::string_view to);
/// `path` with the last segments `difference.from` replaced; unchanged where it has none.
[[nodiscard]] std::string replaced(const std::string& path, const NameDifference& difference);

/// What becomes of a row of a fused call.
struct FusedRow {
  enum class How : std::uint8_t {
    Shared,  ///< the parts have the same: what they read
    Cut,     ///< the parts have a piece each
    Sum,     ///< the parts have terms of it: the gradient that leaves
    None     ///< it does not add up
  };
  How how = How::None;
  std::size_t row = 0;                ///< of the fused unit
  std::vector<std::size_t> partners;  ///< of the other one, one for each part; empty: lacking
  FusedCut cut{};
  bool isTransposed = false;  ///< of Cut: the pieces are the parts' matrices transposed
  /// Of Cut: how it falls into the parts transposed, where that fits as well and no class says
  /// which way round they lie; `cut` is of the parts as they are.
  std::optional<FusedCut> turned{};
  std::string reason{};        ///< of None
  bool hasElements = false;    ///< the row and its partners
  bool hasStatistics = false;  ///< the same
};

/// A call on one side, and the calls of its parts on the other.
struct FusedGroup {
  std::size_t fused = 0;           ///< in the fused unit's entries
  std::vector<std::size_t> parts;  ///< in the other unit's entries
  FusedParts names;                ///< in the words of the baseline
  std::string path;                ///< of the fused call, in the same words
  std::vector<FusedRow> rows{};

  /// "qkv_proj" and "q_proj".
  [[nodiscard]] std::string fusedLabel() const { return difference(0).from; }
  [[nodiscard]] std::string label(std::size_t part) const { return difference(part).to; }
  [[nodiscard]] NameDifference difference(std::size_t part) const {
    return differenceOf(path, names.paths[part]);
  }
};

/// Calls of `fused` that stand for several of `split`: neither side has both.
[[nodiscard]] std::vector<FusedGroup> findFused(const EditedSide& fused,
                                                const EditedSide& split,
                                                FusedNames& names);

}  // namespace ulp::analysis
