#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include <QtCore/QString>

#include "core/numerics/metrics/metric.h"
#include "core/report/model/spread.h"

namespace ulp::views {

/// A metric of a report with what the registry of this build knows about it. A metric that it does
/// not know (a report of another version) shows its id.
struct MetricInfo {
  QString id;
  QString label;
  QString formula;  ///< empty: unknown
  numerics::MetricUnit unit = numerics::MetricUnit::None;
  numerics::MetricScale scale = numerics::MetricScale::Logarithmic;
  numerics::Better better = numerics::Better::Lower;
};

/// "–", which stands for a value that does not exist.
[[nodiscard]] QString missingText();
/// The value without its unit, which the header carries; NaN (undefined) is missingText().
[[nodiscard]] QString metricText(double value, const MetricInfo& metric);
/// The value with its unit, for read-outs: "19.9 %", "38.2 dB".
[[nodiscard]] QString metricTextWithUnit(double value, const MetricInfo& metric);
/// The value in the metric's unit: 19.9 for a ratio of 0.199 that is shown in percent.
[[nodiscard]] double inUnit(double value, const MetricInfo& metric);
/// "%", "dB", "ULP", or empty.
[[nodiscard]] QString unitText(numerics::MetricUnit unit);
/// Column title with the unit: "RMS rel, %".
[[nodiscard]] QString metricHeader(const MetricInfo& metric);
/// A whole number as the user's language groups its digits.
[[nodiscard]] QString countText(std::uint64_t count);
/// Every digit, as numbers go to the clipboard; empty for NaN.
[[nodiscard]] QString exactText(double value);
/// Help of a metric: formula, unit, which direction is better.
[[nodiscard]] QString metricHelp(const MetricInfo& metric);

/// What the format of a column depends on, gathered value by value.
class ColumnSpread {
 public:
  explicit ColumnSpread(const MetricInfo& metric);
  /// In the metric's own unit (a ratio for percentages); one that is not finite is ignored.
  void add(double value);

 private:
  friend class ColumnFormat;

  double m_factor = 1;
  double m_smallest = std::numeric_limits<double>::infinity();
  double m_largest = 0;
  double m_nearestToOne = 1;  ///< distance
};

/// How all numbers of one column are written, so that their decimal points stand under each other
/// and every one keeps at least two significant digits. Columns over more decades than fit in six
/// decimals are written with exponents.
class ColumnFormat {
 public:
  ColumnFormat() = default;
  /// `values` in the metric's own unit (a ratio for percentages); non-finite ones are ignored.
  ColumnFormat(std::span<const double> values, const MetricInfo& metric);
  ColumnFormat(const ColumnSpread& spread, const MetricInfo& metric);

  [[nodiscard]] QString text(double value) const;

 private:
  double m_factor = 1;
  int m_decimals = 2;
  bool m_scientific = true;
};

/// False where nothing is known of samples.
[[nodiscard]] bool isKnown(const report::Spread& spread);
/// " ±0.021 (n=7)", as reports in text have it behind a mean; empty for one sample.
[[nodiscard]] QString intervalText(const report::Spread& spread,
                                   std::uint64_t samples,
                                   numerics::MetricUnit unit);
/// Samples in which the number is finite.
[[nodiscard]] std::uint64_t finiteSamples(const report::Spread& spread, std::uint64_t samples);
/// What a tooltip says of a mean: interval, standard deviation, extremes, samples and in how many
/// of them it is undefined; empty for one sample.
[[nodiscard]] QString spreadHelp(const report::Spread& spread,
                                 std::uint64_t samples,
                                 const MetricInfo& metric);

}  // namespace ulp::views
