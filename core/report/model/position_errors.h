#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/expert_choice.h"

namespace ulp::report {

/// Of so many positions a report says the error: of the last ones of longer sequences, where
/// decoding is.
inline constexpr std::size_t kMostPositions = 2048;
/// No sequence has more.
inline constexpr std::uint64_t kLongestSequence = std::uint64_t{1} << 40U;

/// Error of a tensor at one position of the compared sequences, over all sequences, micro-batches
/// and samples.
struct PositionError {
  TokenError tokens{};          ///< of the tokens there, one a sequence
  std::uint64_t nonFinite = 0;  ///< elements of the variant that are no numbers
};

struct PositionRow {
  std::string name;  ///< forward row of level layer
  int layer = -1;
  std::vector<PositionError> errors{};  ///< from PositionErrors::first on
};

/// Whether the logits of a position have the same largest element in both runs.
struct PositionTops {
  std::uint64_t tokens = 0;   ///< without a NaN in either
  std::uint64_t flipped = 0;  ///< with another one
};

/// Error of a variant by position of the sequence. Positions are those of the compared sequences,
/// without padding and company.
struct PositionErrors {
  std::uint64_t prompt = 0;          ///< position of the first token that was generated
  std::uint64_t first = 0;           ///< position of the first error of a row
  std::vector<PositionRow> rows{};   ///< in order of execution
  std::vector<PositionTops> tops{};  ///< from `first` on; empty: logits were not captured

  [[nodiscard]] bool isEmpty() const { return rows.empty() && tops.empty(); }
  /// Positions of the longest row.
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] bool isGenerated(std::size_t index) const { return first + index >= prompt; }
  /// Null: there is no such row.
  [[nodiscard]] const PositionRow* find(std::string_view name) const;
  /// The row of the last layer; null: there is none.
  [[nodiscard]] const PositionRow* lastLayer() const;
};

void addPosition(PositionError& total, const PositionError& more);
/// Adds those of more tokens at the same positions. Where other positions are told, nothing is
/// known of the sum.
void addPositions(PositionErrors& total, const PositionErrors& more);

/// Adds up positions [from, to) of the errors, as far as there are such.
[[nodiscard]] PositionError sumOf(const PositionRow& row, std::size_t from, std::size_t to);
[[nodiscard]] PositionTops sumOf(const std::vector<PositionTops>& tops,
                                 std::size_t from,
                                 std::size_t to);

}  // namespace ulp::report
