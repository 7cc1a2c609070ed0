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
  bool isDrawnFromOne = false;  ///< as numerics::Metric has it
};

/// "–", which stands for a value that does not exist.
[[nodiscard]] QString missingText();
/// The value without its unit, which the header carries; NaN (undefined) is missingText().
/// `isNonFinite`: elements that are not finite made it NaN (ReportDocument::isNonFinite()), so that
/// it is that word.
[[nodiscard]] QString metricText(double value, const MetricInfo& metric, bool isNonFinite = false);
/// The same with its unit, for read-outs: "19.9 %", "38.2 dB".
[[nodiscard]] QString metricTextWithUnit(double value,
                                         const MetricInfo& metric,
                                         bool isNonFinite = false);
/// The value in the metric's unit: 19.9 for a ratio of 0.199 that is shown in percent.
[[nodiscard]] double inUnit(double value, const MetricInfo& metric);
/// "%", "dB", "ULP", or empty.
[[nodiscard]] QString unitText(numerics::MetricUnit unit);
/// The width of a distribution or of its interval, in the metric's unit: two digits say all, as in
/// intervalText().
[[nodiscard]] QString widthText(double width, const MetricInfo& metric);
/// Column title with the unit: "RMS rel, %".
[[nodiscard]] QString metricHeader(const MetricInfo& metric);
/// A whole number as the user's language groups its digits.
[[nodiscard]] QString countText(std::uint64_t count);
/// Every digit, as numbers go to the clipboard; empty for NaN.
[[nodiscard]] QString exactText(double value);
/// Help of a metric: formula, unit, which direction is better.
[[nodiscard]] QString metricHelp(const MetricInfo& metric);

/// The metric as charts draw it on a logarithmic axis: 1 − cosine in place of the cosine, of which
/// less is better; others as they are.
[[nodiscard]] MetricInfo asDrawn(const MetricInfo& metric);
/// A value of `metric` as asDrawn(metric); what rounding put above 1 counts as 1.
[[nodiscard]] double asDrawn(double value, const MetricInfo& metric);

/// What the room of a column depends on, gathered value by value.
class ColumnSpread {
 public:
  /// In the metric's own unit (a ratio for percentages); one that is not finite is ignored.
  void add(double value);

 private:
  friend class ColumnFormat;

  double m_smallest = std::numeric_limits<double>::infinity();  ///< magnitude above 0
  double m_largest = 0;
};

/// Writes the numbers of one column as metricText() does everywhere, with no-break spaces behind
/// those that have fewer decimals, so that the decimal points stand under each other.
class ColumnFormat {
 public:
  ColumnFormat() = default;
  /// `values` in the metric's own unit (a ratio for percentages); non-finite ones are ignored.
  ColumnFormat(std::span<const double> values, const MetricInfo& metric);
  ColumnFormat(const ColumnSpread& spread, const MetricInfo& metric);
  /// Of widths, as widthText() writes them.
  [[nodiscard]] static ColumnFormat ofWidths(const ColumnSpread& spread, const MetricInfo& metric);

  [[nodiscard]] QString text(double value, bool isNonFinite = false) const;

 private:
  ColumnFormat(const ColumnSpread& spread, const MetricInfo& metric, bool isOfWidths);
  [[nodiscard]] QString written(double value, bool isNonFinite = false) const;

  MetricInfo m_metric;
  bool m_isOfWidths = false;
  qsizetype m_fraction = 0;  ///< characters from the decimal point on, of the longest number
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
