#pragma once

#include "core/numerics/comparison/comparison_kernels.h"

/// What the fused pass knows about element types and bit patterns. In an anonymous namespace: see
/// Note [kernel files] in kernel_body.h.
namespace ulp::numerics::detail {
namespace {

struct Float32 {
  using Storage = float;
  static constexpr bool kWide = false;
};
struct BFloat16 {
  using Storage = std::uint16_t;
  static constexpr bool kWide = false;
};
struct Float16 {
  using Storage = std::uint16_t;
  static constexpr bool kWide = false;
};
struct Float64 {
  using Storage = double;
  static constexpr bool kWide = true;
};

inline constexpr std::int64_t kMagnitude = 0x7FFFFFFFFFFFFFFF;
inline constexpr std::int64_t kExponentField = 0x7FF0000000000000;
inline constexpr int kMagnitudeUpper = kMagnitude >> 32;
inline constexpr int kExponentUpper = kExponentField >> 32;
/// Exponent field of 1.0.
inline constexpr std::int64_t kUnitExponent = 0x3FF0000000000000;
/// The exponent and the upper three bits of the mantissa of |d|: bits / 2^kBinShift is its raw bin.
inline constexpr int kBinShift = 49;
/// Raw bin that stands for bin 0, one below that of the lowest edge.
inline constexpr std::uint64_t kZeroBin = ((1023 + kHistogramMinExponent) << 3) - 1;
inline constexpr std::uint64_t kLastBin = kZeroBin + kHistogramBins - 1;
/// Vectors find slots, raw bins times kBinCounters; that of the first counter is this one.
inline constexpr std::uint32_t kFirstSlot =
    ((kZeroBin + 1) << kBinCountersLog2) - static_cast<std::uint32_t>(kZeroCounters);
/// The lowest slot that each element of a step can have: a counter of bin 0 of its own, once
/// i % kBinCounters is added.
struct LowestSlots {
  alignas(64) std::uint32_t of[kStep];
};
constexpr LowestSlots lowestSlots() {
  LowestSlots lowest{};
  for (std::size_t i = 0; i < kStep; ++i) {
    lowest.of[i] = kFirstSlot + static_cast<std::uint32_t>(i - i % kBinCounters);
  }
  return lowest;
}
inline constexpr LowestSlots kLowestSlots = lowestSlots();

/// Slots are counted this many elements after they were found. Counting reads them one by one from
/// memory; while the vector store that wrote them is under way each of these reads waits for it,
/// which took a third of the time of the whole pass.
inline constexpr std::size_t kCountLag = 4 * kStep;

/// How far ahead memory is asked for: the processor's own prefetching ends with each page of 4 KB.
/// Reading past the end asks for what is never used and harms nothing.
inline constexpr std::size_t kPrefetchBytes = 2048;

}  // namespace
}  // namespace ulp::numerics::detail
