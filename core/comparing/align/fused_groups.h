#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/comparing/align/fused_layout.h"
#include "core/comparing/align/fused_names.h"
#include "core/comparing/match/entry_keys.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// A unit and how its entries are found.
struct KeyedUnit {
  const dumps::DumpUnit& unit;
  EntryKeys& keys;
};

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
[[nodiscard]] std::vector<FusedGroup> findFused(const KeyedUnit& fused,
                                                const KeyedUnit& split,
                                                const FusedNames& names);

}  // namespace ulp::analysis
