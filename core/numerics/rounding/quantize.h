#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numerics/rounding/number_format.h"

namespace ulp::numerics {

enum class RoundingMode : std::uint8_t {
  NearestEven,
  /// Up with the probability of the distance from the lower neighbour: unbiased.
  Stochastic
};

/// What becomes of numbers beyond the largest finite one of an element format. The elements of
/// block-scaled formats saturate always (OCP MX 1.0, section 6.3); NaN stays NaN.
enum class Overflow : std::uint8_t {
  /// Infinity, or NaN where the format has none: IEEE 754, torch's casts, and the OCP 8-bit
  /// specification's non-saturating mode.
  Propagate,
  /// The largest finite number, for infinities as well: the OCP 8-bit specification's saturating
  /// mode.
  Saturate
};

struct Rounding {
  RoundingMode mode = RoundingMode::NearestEven;
  Overflow overflow = Overflow::Propagate;
  /// Random numbers are a function of seed, stream and position of the element alone: neither the
  /// number of threads nor the order of calls matters. Two tensors that must be rounded
  /// independently need two streams (a hash of the site, the step, …).
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};

/// A contiguous part of a tensor, as quantize() takes it.
struct QuantizeOptions {
  NumberFormat format = NumberFormat::Float32;
  Rounding rounding;
  /// Blocks begin anew with each row of so many elements, and the last of a row may be shorter. 0:
  /// the part is one row.
  std::size_t rowLength = 0;
  /// Position of the part's first element in the tensor; a multiple of rowLength for formats with
  /// blocks.
  std::uint64_t firstIndex = 0;
  /// nvfp4TensorScale() of the whole tensor; other formats ignore it.
  float tensorScale = 1;
};

/// Rounds each element of `in` (or each block of them) to the format, and writes it as a number of
/// the wider type. Both spans have the same length; they are the same memory or do not overlap. A
/// block with a NaN or an infinity becomes NaN throughout: its scale is one.
void quantize(std::span<const float> in, std::span<float> out, const QuantizeOptions& options);
/// Rounded once, not by way of float32.
void quantize(std::span<const double> in, std::span<double> out, const QuantizeOptions& options);

/// The largest magnitude among the finite elements, 0 without any.
[[nodiscard]] float largestFinite(std::span<const float> in);
[[nodiscard]] double largestFinite(std::span<const double> in);

/// The float32 scale that maps the largest magnitude of a tensor to that of E2M1 times that of
/// E4M3: largest / (6 · 448), but never 0.
[[nodiscard]] float nvfp4TensorScale(double largest);

}  // namespace ulp::numerics
