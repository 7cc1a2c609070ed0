#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::worker {

/// Two captures of experts' rows, brought to the pairs of token and expert that both have.
struct AlignedRows {
  engine::Capture reference;  ///< in the order of the reference
  engine::Capture variant;
  std::vector<std::size_t> places;  ///< of each row among those of the reference
  std::uint64_t onlyReference = 0;  ///< rows that the variant has not
  std::uint64_t onlyVariant = 0;
};

/// Both have keys. Copies nothing where these are the same. Errors: Internal for keys that are not
/// those of the rows; Device, OutOfMemory.
[[nodiscard]] Result<AlignedRows> alignRows(const engine::Capture& reference,
                                            const engine::Capture& variant);

/// The rows of the variant as those of the reference stand, with NaN where it has none of them, 0
/// in integers: of one shape with the reference, as files keep it. Errors: as above.
[[nodiscard]] Result<engine::Capture> rowsOfReference(const engine::Capture& reference,
                                                      const engine::Capture& variant);

}  // namespace ulp::worker
