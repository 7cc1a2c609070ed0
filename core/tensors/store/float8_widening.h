#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ulp::tensors {

/// float8_e4m3fn has finite values where IEEE's layout has infinities (256 … 448), which HDF5
/// cannot describe. Tensors that hold such values are stored as float16, which is exact.
[[nodiscard]] bool exceedsIeeeFloat8(std::span<const std::byte> elements);
/// Widens each e4m3fn element to IEEE half precision.
[[nodiscard]] std::vector<std::uint16_t> float8ToHalf(std::span<const std::byte> elements);
/// The inverse of float8ToHalf(), for halves that it made.
[[nodiscard]] std::byte halfToFloat8(std::uint16_t half);

}  // namespace ulp::tensors
