#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/undefined.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::numerics {

enum class MetricScale : std::uint8_t { Linear, Logarithmic };
enum class Better : std::uint8_t { Lower, Higher };
/// How the value is written for people: as it is, as a percentage of 1, in decibel, in ULP.
enum class MetricUnit : std::uint8_t { None, Percent, Decibel, Ulp };

/// What was recorded of a tensor in the place of its elements; NaN where it is missing or not
/// finite.
struct TensorStatistics {
  double max = kUndefined;
  double min = kUndefined;
  double mean = kUndefined;
  double norm = kUndefined;  ///< L2, of all elements
  std::uint64_t count = 0;   ///< elements
};

/// A number between a reference and a candidate tensor. `id` is its key in reports and on the
/// command line; a dot nests it ("ulp.mean" is "ulp": {"mean": …}).
struct Metric {
  std::string id;
  std::string label;    ///< column title: "RMS rel"
  std::string formula;  ///< one line with its source, shown as help
  MetricUnit unit = MetricUnit::None;
  MetricScale scale = MetricScale::Logarithmic;
  Better better = Better::Lower;
  /// Best at 1, where it cannot be told how near it is: charts draw 1 less the metric, in decades.
  bool isDrawnFromOne = false;
  int order = 0;  ///< position among the metrics of tables and reports
  /// Other tools' numbers, for comparisons with their dumps; a study does not report it.
  bool isOfDumps = false;
  /// NaN when it is undefined for these moments (no element compared, a zero norm): shown as
  /// missing. Null: elements do not give it.
  double (*value)(const Moments&) = nullptr;
  /// Computes the metric from statistics that were recorded in place of elements. Null: only
  /// elements give it.
  double (*ofStatistics)(const TensorStatistics& reference,
                         const TensorStatistics& candidate) = nullptr;
};

/// False where either is NaN.
[[nodiscard]] inline bool isNoWorse(double value, double other, Better better) {
  return better == Better::Lower ? value <= other : value >= other;
}

/// All metrics, sorted by `order`. A value that app, command line and tests make and pass on.
class MetricRegistry {
 public:
  void add(Metric metric);
  [[nodiscard]] const std::vector<Metric>& all() const { return m_metrics; }
  [[nodiscard]] std::optional<std::size_t> indexOf(std::string_view id) const;

 private:
  std::vector<Metric> m_metrics;
};

/// Defined by the build from the files of metrics/plugins.
void registerBuiltin(MetricRegistry& registry);

/// The registry with every metric of this build.
[[nodiscard]] MetricRegistry builtinMetrics();
/// Gives the metrics that a study reports: those of elements, without those that only dumps have.
[[nodiscard]] MetricRegistry elementMetrics();

}  // namespace ulp::numerics
