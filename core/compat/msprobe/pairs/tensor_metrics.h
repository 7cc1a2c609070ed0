#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/compat/msprobe/files/table_file.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::compat::msprobe {

enum class MetricState : std::uint8_t { Number, Unsupported, ShapeUnmatched, NotAvailable, Nan };

struct Metric {
  MetricState state = MetricState::Unsupported;
  double value = 0;

  [[nodiscard]] bool isNumber() const { return state == MetricState::Number; }
};
[[nodiscard]] Cell toCell(const Metric& metric);

/// Places in Metrics, in the order of the columns.
inline constexpr std::size_t kCosine = 0;
inline constexpr std::size_t kEuclidean = 1;
inline constexpr std::size_t kMaxAbsolute = 2;
inline constexpr std::size_t kMaxRelative = 3;
inline constexpr std::size_t kOneThousandth = 4;
inline constexpr std::size_t kFiveThousandths = 5;
inline constexpr std::size_t kMetricCount = 6;
using Metrics = std::array<Metric, kMetricCount>;
/// All six the same.
[[nodiscard]] Metrics metricsOf(MetricState state);

struct TensorComparison {
  Metrics metrics{};
  std::string message{};  ///< what 8.3.x writes of it; empty: nothing to say
};

/// The rules of the two generations differ in what they call a scalar (26.x removes dimensions of
/// one first), in the epsilon that keeps a reference of zero from dividing, and in the type in
/// which relative errors are computed.
enum class Generation : std::uint8_t { V8, V26 };

/// Compares in one pass, in float64 but for the relative errors.
[[nodiscard]] TensorComparison compareTensors(const tensors::Tensor& target,
                                              const tensors::Tensor& golden,
                                              Generation generation);

/// "%.12f" and back, as msprobe rounds.
[[nodiscard]] double roundedTo12(double value);

}  // namespace ulp::compat::msprobe
