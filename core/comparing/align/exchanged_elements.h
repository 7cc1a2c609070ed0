#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// What two tensors of one shape tell of the order of two dimensions that are equally long.
enum class Told : std::uint8_t {
  NoMatter,  ///< it changes nothing that is compared
  Nothing,
  AsTheyAre,
  Exchanged
};

/// Asks elements of rows of one shape, whose dimensions `dim` and `dim` + 1 are equally long: at
/// most 32 pairs of places, of 256 elements each. Exchanged, or AsTheyAre, where at least half of
/// the difference is gone that way. Files that cannot be read, or are not as long as recorded, tell
/// NoMatter: the comparison says what is wrong with them.
[[nodiscard]] Told tellExchanged(const dumps::DumpUnit& baseline,
                                 std::size_t row,
                                 const dumps::DumpUnit& candidate,
                                 std::size_t otherRow,
                                 std::size_t dim);

}  // namespace ulp::analysis
