#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/numerics/comparison/comparison.h"

/// Internal to core/numerics: the vector code behind compare().
namespace ulp::numerics::detail {

class Tally;

/// Every sum is kept in this many lanes, element i of a chunk in lane i % kLanes, whatever the
/// width of the machine's vectors: all kernels round alike, bit for bit.
inline constexpr std::size_t kLanes = 8;
/// A chunk is cut into runs of this many elements. Lanes start at 0 in each run, and those of its
/// runs are added in order: so a GPU can sum the runs side by side.
inline constexpr std::size_t kRun = 512;
/// Elements that a kernel takes at a time.
inline constexpr std::size_t kStep = 16;
/// Elements of a type that kernels do not load which are widened at a time.
inline constexpr std::size_t kBlock = 2048;

/// A bin is this many counters side by side, of which neighbouring elements take different ones: an
/// increment need not wait for the one before it to reach the cache.
inline constexpr int kBinCountersLog2 = 2;
inline constexpr std::size_t kBinCounters = std::size_t{1} << kBinCountersLog2;
/// Counters of bin 0, one for each element of a step: tensors that are equal, or equal in many
/// places, are common. They stand before those of bin 1.
inline constexpr std::size_t kZeroCounters = kStep;
inline constexpr std::size_t kCounters = kZeroCounters + (kHistogramBins - 1) * kBinCounters;

/// The sums of Moments over a part of a chunk. Threads write those of neighbouring chunks: no two
/// share a cache line.
struct alignas(64) SumLanes {
  double squaredReference[kLanes];
  double squaredCandidate[kLanes];
  double product[kLanes];
  double squaredDifference[kLanes];
  double absoluteDifference[kLanes];
  double ulp[kLanes];
};

/// The sum of a chunk from its lanes.
constexpr double sumOf(const double (&lanes)[kLanes]) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// 1 / ulp(r) from the bits of r as a double: its exponent field is
/// base - max(exponent field of r, smallest), both kept in place (shifted left by 52).
struct UlpScale {
  std::uint64_t smallest = 0;
  std::uint64_t base = 0;
};
[[nodiscard]] UlpScale ulpScaleOf(DType format);

/// What a kernel reads and writes beside the sums.
struct KernelState {
  UlpScale ulp;
  /// A pair with |d| <= worstBound and |d| <= relativeBound * |r| touches neither the worst
  /// elements nor the largest relative difference.
  double worstBound = 0;
  double relativeBound = 0;
  double maxUlp = 0;
  std::uint64_t zeroed = 0;  ///< pairs counted as 0, 0 that are not: not finite, or padding
  std::uint32_t* histogram = nullptr;  ///< kCounters, see there
  Tally* tally = nullptr;
};

/// The values of one step, widened.
struct StepValues {
  double reference[kStep];
  double candidate[kStep];
};

/// Called by a kernel for a step that holds a pair beyond a bound or a value that is not finite:
/// updates bounds and counts and replaces pairs that are not compared by 0, 0. `position` is that
/// of the first element in the tensor.
void inspectStep(KernelState& state, StepValues& values, std::uint64_t position);

/// A part of a chunk: `count` elements of both tensors, of the types of the kernel, at any
/// alignment. All parts of a chunk but the last are multiples of kRun.
struct Segment {
  const std::byte* reference = nullptr;
  const std::byte* candidate = nullptr;
  std::size_t count = 0;
  std::uint64_t position = 0;
};
using Kernel = void (*)(const Segment& segment, KernelState& state, SumLanes& sums);

/// Element types that kernels load themselves; the others are widened to one of these first.
enum class Native : std::uint8_t { Float32, BFloat16, Float16, Float64 };
inline constexpr std::size_t kNatives = 4;

/// The kernels of one instruction set, [reference][candidate].
struct KernelSet {
  std::string_view name;
  Kernel kernels[kNatives][kNatives];
};

[[nodiscard]] const KernelSet& portableKernels();
#ifdef ULP_X86_KERNELS
[[nodiscard]] const KernelSet& avx2Kernels();
[[nodiscard]] const KernelSet& avx512Kernels();
#endif

/// The sets that the running CPU can execute, fastest first; the portable one is always there.
[[nodiscard]] std::vector<const KernelSet*> availableKernels();

}  // namespace ulp::numerics::detail
