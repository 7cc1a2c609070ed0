#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/numerics/tensor_view.h"

namespace ulp::compat::msit {

/// The elements in float32, rounded to nearest, as torch's `Tensor.float()`.
[[nodiscard]] std::vector<float> asFloats(const numerics::TensorView& tensor);

/// Extremes and mean in float32; NaN where an element is one.
struct Range {
  float max = 0;
  float min = 0;
  float mean = 0;
};
/// Gives the smallest and largest value; nothing for a tensor without elements.
[[nodiscard]] std::optional<Range> rangeOf(std::span<const float> values);

/// What msit computes between two tensors, in float32 but for the cosine. Elements where the
/// reference is below 1.19e-7 count as equal.
struct Metrics {
  double cosineSimilarity = 0;  ///< in float64, rounded to 10 decimals
  float maxRelativeError = 0;
  float meanRelativeError = 0;
  float maxAbsoluteError = 0;
  float meanAbsoluteError = 0;
  /// Of softmax over all elements together; nothing where rounding made it negative, which msit
  /// replaces by the integer 0.
  std::optional<float> klDivergence;
  float relativeEuclideanDistance = 0;
};

/// Why msit compares two tensors no further; empty: it does.
[[nodiscard]] std::string reasonAgainst(std::span<const float> golden,
                                        std::span<const float> my,
                                        bool isShapeEqual);
/// Computes the metrics of two tensors of equally many elements, at least one, all finite.
[[nodiscard]] Metrics compareValues(std::span<const float> golden, std::span<const float> my);

[[nodiscard]] double cosineSimilarity(std::span<const float> golden, std::span<const float> my);

/// Formats in which KL divergence is computed, each step rounded.
enum class KlPrecision : std::uint8_t { Float32, Float16, BFloat16 };
/// Sum of p (log p - log q), p and q being the softmax of `golden` and of `my`; nothing where it
/// comes out negative.
[[nodiscard]] std::optional<float> klDivergence(std::span<const float> golden,
                                                std::span<const float> my,
                                                KlPrecision precision = KlPrecision::Float32);

/// Round to `decimals`, half to even of the exact binary value, as Python's round().
[[nodiscard]] double roundedTo(double value, int decimals);

}  // namespace ulp::compat::msit
