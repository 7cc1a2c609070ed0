#include "views/plugins/tensor/inspector/distribution_plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QPainter>

#include "core/base/text/format_number.h"
#include "views/charts/raster/raster.h"
#include "views/framework/words/metric_text.h"
#include "views/plugins/tensor/pictures/tensor_text.h"

namespace ulp::views {
namespace {

using analysis::PairStatistics;
using analysis::ValueBins;

/// Octaves of a histogram: what is smaller than that below the largest counts as zero there.
constexpr int kMostOctaves = 48;
constexpr int kTicks = 5;
/// Below a count of one; where nothing was counted.
constexpr double kNothing = -0.35;

struct DistributionPlotsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Tensor)
};

/// The curves of A, B and B − A, in this order, without points.
std::array<PlotCurve, 3> curvesOf(const PairNames& names) {
  return {PlotCurve{.name = QStringLiteral("A")},
          PlotCurve{.name = QStringLiteral("B"), .style = names.style},
          PlotCurve{.name = QStringLiteral("B − A"), .isDifference = true}};
}

double logCount(std::uint64_t count) {
  return count == 0 ? kNothing : std::log10(static_cast<double>(count));
}

void setCountAxis(Plot& plot, std::uint64_t largest) {
  plot.y = {kNothing, std::max(1.0, logCount(largest) * 1.05)};
  plot.yTicks = charts::logTicks({0, plot.y.high}, kTicks);
}

QString nonFiniteText(const PairStatistics& statistics) {
  QStringList parts;
  const auto add = [&parts](const numerics::NonFiniteCounts& counts, const char* tensor) {
    if (counts.total() > 0) {
      parts << DistributionPlotsWords::tr("%1 not finite in %2")
                   .arg(static_cast<qulonglong>(counts.total()))
                   .arg(QLatin1String(tensor));
    }
  };
  add(statistics.reference.nonFinite, "A");
  add(statistics.variant.nonFinite, "B");
  return parts.join(QStringLiteral(", "));
}

/// The axis of the histograms: exponents from `low` on, on both sides of zero.
struct SignedLogAxis {
  int low = 0;
  int high = 0;

  [[nodiscard]] double end() const { return high - low + 2; }
  /// Of a value of at least 2^low.
  [[nodiscard]] double position(double value) const {
    const double magnitude = std::log2(std::abs(value)) - low + 1;
    return value < 0 ? -magnitude : magnitude;
  }
};

SignedLogAxis axisOf(const PairStatistics& statistics) {
  ValueBins::Exponents all;
  for (const ValueBins* bins :
       {&statistics.reference, &statistics.variant, &statistics.difference}) {
    const ValueBins::Exponents own = bins->exponents();
    if (!own.isEmpty()) {
      all = all.isEmpty()
                ? own
                : ValueBins::Exponents{std::min(all.low, own.low), std::max(all.high, own.high)};
    }
  }
  if (all.isEmpty()) {
    return {0, 0};
  }
  return {std::max(all.low, all.high - kMostOctaves), all.high};
}

struct SignedBin {
  double from = 0;  ///< value
  double to = 0;
  std::uint64_t count = 0;
};

/// Lowest values first; the middle one holds zeros and what is too small for the axis.
std::vector<SignedBin> signedBins(const ValueBins& bins, const SignedLogAxis& axis) {
  const auto first = static_cast<std::size_t>(axis.low + 1023) * ValueBins::kBinsPerOctave;
  const auto last = static_cast<std::size_t>(axis.high + 1024) * ValueBins::kBinsPerOctave;
  std::vector<SignedBin> result;
  for (std::size_t bin = last; bin-- > first;) {
    result.push_back({-ValueBins::edgeOf(bin + 1),
                      -ValueBins::edgeOf(bin),
                      bins.counts[ValueBins::kNegative + bin]});
  }
  std::uint64_t small = bins.zeros;
  for (std::size_t bin = 0; bin < first; ++bin) {
    small += bins.counts[bin] + bins.counts[ValueBins::kNegative + bin];
  }
  const double edge = ValueBins::edgeOf(first);
  result.push_back({-edge, edge, small});
  for (std::size_t bin = first; bin < last; ++bin) {
    result.push_back({ValueBins::edgeOf(bin), ValueBins::edgeOf(bin + 1), bins.counts[bin]});
  }
  return result;
}

std::vector<charts::Tick> signedLogTicks(const SignedLogAxis& axis) {
  std::vector<charts::Tick> ticks{{0, QStringLiteral("0"), true}};
  const double decades = (axis.high - axis.low + 1) * std::log10(2.0);
  const int step = std::max(1, static_cast<int>(std::ceil(decades / 4)));
  const int top = static_cast<int>(std::floor((axis.high + 1) * std::log10(2.0)));
  for (int exponent = top; exponent * std::log2(10.0) >= axis.low; exponent -= step) {
    const double value = std::pow(10.0, exponent);
    const QString label = valueText(value, 2);
    ticks.push_back({axis.position(value), label, false});
    ticks.push_back({-axis.position(value), QStringLiteral("−%1").arg(label), false});
  }
  std::ranges::sort(ticks, {}, &charts::Tick::position);
  return ticks;
}

QString lossText(const analysis::FormatFit& fit, std::uint64_t finite) {
  const auto percent = [finite](std::uint64_t part) {
    const double share =
        finite == 0 ? std::nan("") : static_cast<double>(part) / static_cast<double>(finite);
    const bool isTiny = part > 0 && share < 1e-4;
    return isTiny ? QStringLiteral("<0.01 %")
                  : QString::fromStdString(formatPercent(share)) + QStringLiteral(" %");
  };
  if (fit.overflow == 0 && fit.underflow == 0) {
    return DistributionPlotsWords::tr("holds all of B");
  }
  QStringList parts;
  if (fit.overflow > 0) {
    parts << DistributionPlotsWords::tr("overflow %1").arg(percent(fit.overflow));
  }
  if (fit.underflow > 0) {
    parts << DistributionPlotsWords::tr("underflow %1").arg(percent(fit.underflow));
  }
  return parts.join(QStringLiteral("  "));
}

QString shortFormat(DType format) {
  switch (format) {
    case DType::Float16:
      return QStringLiteral("fp16");
    case DType::BFloat16:
      return QStringLiteral("bf16");
    case DType::Float8E4M3FN:
      return QStringLiteral("fp8 e4m3");
    default:
      return QStringLiteral("fp8 e5m2");
  }
}

/// Exponents from the lowest to the highest that the plot shows.
charts::Range exponentRange(const PairStatistics& statistics) {
  const ValueBins::Exponents a = statistics.reference.exponents();
  const ValueBins::Exponents b = statistics.variant.exponents();
  int low = -16;
  int high = 16;
  for (const ValueBins::Exponents& own : {a, b}) {
    if (!own.isEmpty()) {
      low = std::min(low, own.low - 1);
      high = std::max(high, own.high + 2);
    }
  }
  return {static_cast<double>(low), static_cast<double>(high)};
}

PlotCurve exponentCurve(PlotCurve curve, const ValueBins& bins, const charts::Range& range) {
  curve.isSteps = true;
  curve.isFilled = true;
  for (int exponent = static_cast<int>(range.low); exponent < static_cast<int>(range.high);
       ++exponent) {
    const bool exists = exponent >= -1023 && exponent <= 1023;
    curve.points.emplace_back(exponent, logCount(exists ? bins.ofExponent(exponent) : 0));
  }
  curve.points.emplace_back(range.high, kNothing);
  return curve;
}

report::DataCell cellOf(std::uint64_t count) {
  return static_cast<double>(count);
}

}  // namespace

Plot histogramPlot(const PairStatistics& statistics, const PairNames& names) {
  Plot plot;
  plot.title = DistributionPlotsWords::tr("Values of A, B and B − A");
  plot.xTitle = DistributionPlotsWords::tr("value, logarithmic on both sides of zero");
  plot.nonFinite = nonFiniteText(statistics);
  const SignedLogAxis axis = axisOf(statistics);
  plot.x = {-axis.end(), axis.end()};
  plot.xTicks = signedLogTicks(axis);
  const std::array<const ValueBins*, 3> sources{
      &statistics.reference, &statistics.variant, &statistics.difference};
  std::uint64_t largest = 0;
  std::array<PlotCurve, 3> curves = curvesOf(names);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    PlotCurve& curve = curves[i];
    curve.isSteps = true;
    curve.isFilled = i == 0;
    const std::vector<SignedBin> bins = signedBins(*sources[i], axis);
    for (const SignedBin& bin : bins) {
      const bool isMiddle = bin.from < 0 && bin.to > 0;
      curve.points.emplace_back(isMiddle ? -1 : axis.position(bin.from), logCount(bin.count));
      largest = std::max(largest, bin.count);
    }
    curve.points.emplace_back(axis.end(), kNothing);
    plot.curves.push_back(std::move(curve));
  }
  setCountAxis(plot, largest);
  if (largest == 0) {
    plot.empty = DistributionPlotsWords::tr("No element is finite.");
  }
  return plot;
}

report::DataTable histogramTable(const PairStatistics& statistics) {
  report::DataTable table{
      "Values of A, B and B − A", report::columnsOf("from; to; A; B; B − A"), {}};
  const SignedLogAxis axis = axisOf(statistics);
  const auto a = signedBins(statistics.reference, axis);
  const auto b = signedBins(statistics.variant, axis);
  const auto difference = signedBins(statistics.difference, axis);
  for (std::size_t i = 0; i < a.size(); ++i) {
    table.rows.push_back(
        {a[i].from, a[i].to, cellOf(a[i].count), cellOf(b[i].count), cellOf(difference[i].count)});
  }
  return table;
}

Plot exponentPlot(const PairStatistics& statistics, const PairNames& names) {
  Plot plot;
  plot.title = DistributionPlotsWords::tr("Exponents of A and B, and what formats hold");
  plot.xTitle = DistributionPlotsWords::tr("exponent: 2^e ≤ |value| < 2^(e + 1)");
  plot.nonFinite = nonFiniteText(statistics);
  plot.x = exponentRange(statistics);
  plot.xTicks = charts::linearTicks(plot.x, 2 * kTicks);
  std::uint64_t largest = 0;
  const auto count = [&](const ValueBins& bins) {
    for (int exponent = -1023; exponent <= 1023; ++exponent) {
      largest = std::max(largest, bins.ofExponent(exponent));
    }
  };
  count(statistics.reference);
  count(statistics.variant);
  setCountAxis(plot, largest);
  const auto [a, b, difference] = curvesOf(names);
  plot.curves.push_back(exponentCurve(a, statistics.reference, plot.x));
  plot.curves.push_back(exponentCurve(b, statistics.variant, plot.x));
  const std::uint64_t finite = statistics.variant.finite();
  for (const analysis::FormatFit& fit : statistics.variantFits) {
    const analysis::FormatRange range = analysis::rangeOf(fit.format);
    plot.bars.push_back({shortFormat(fit.format),
                         static_cast<double>(range.lowestNormal),
                         static_cast<double>(range.highest + 1),
                         static_cast<double>(range.lowestSubnormal),
                         lossText(fit, finite)});
  }
  if (largest == 0) {
    plot.empty = DistributionPlotsWords::tr("No element is finite and other than zero.");
  }
  return plot;
}

report::DataTable exponentTable(const PairStatistics& statistics) {
  report::DataTable table{"Exponents of A and B", report::columnsOf("exponent; A; B"), {}};
  const charts::Range range = exponentRange(statistics);
  const int low = std::max(-1023, static_cast<int>(range.low));
  const int high = std::min(1024, static_cast<int>(range.high));
  for (int exponent = low; exponent < high; ++exponent) {
    table.rows.push_back({static_cast<double>(exponent),
                          cellOf(statistics.reference.ofExponent(exponent)),
                          cellOf(statistics.variant.ofExponent(exponent))});
  }
  return table;
}

report::DataTable formatTable(const PairStatistics& statistics) {
  report::DataTable table{"What narrower formats would lose", report::columnsOf("format"), {}};
  for (const char* tensor : {"A", "B"}) {
    std::ranges::move(report::columnsOf("overflow; underflow; subnormal", tensor),
                      std::back_inserter(table.columns));
  }
  for (std::size_t i = 0; i < analysis::kNarrowFormats.size(); ++i) {
    std::vector<report::DataCell>& row = table.rows.emplace_back();
    row.emplace_back(std::string(toString(statistics.referenceFits[i].format)));
    for (const auto* fits : {&statistics.referenceFits, &statistics.variantFits}) {
      const analysis::FormatFit& fit = (*fits)[i];
      row.insert(row.end(), {cellOf(fit.overflow), cellOf(fit.underflow), cellOf(fit.subnormal)});
    }
  }
  return table;
}

Plot densityPlot(const PairStatistics& statistics, const PairNames& names) {
  Plot plot;
  plot.title =
      DistributionPlotsWords::tr("B, %1, against A, %2").arg(names.variant, names.baseline);
  plot.xTitle = DistributionPlotsWords::tr("A; linear near zero, logarithmic beyond");
  plot.nonFinite = nonFiniteText(statistics);
  plot.x = {-1, 1};
  plot.y = {-1, 1};
  plot.hasDiagonal = true;
  const analysis::DensityGrid& density = statistics.density;
  if (density.counts.empty()) {
    plot.empty = DistributionPlotsWords::tr("No element is finite in both tensors.");
    return plot;
  }
  for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    const QString label = valueText(density.valueAt(part), 2);
    plot.xTicks.push_back({part, label, part == 0});
    plot.yTicks.push_back({part, label, part == 0});
  }
  return plot;
}

void paintDensity(QPainter& painter,
                  const charts::PlotMap& map,
                  const analysis::DensityGrid& density,
                  const Theme& theme) {
  constexpr int kSide = analysis::DensityGrid::kSide;
  if (density.counts.empty()) {
    return;
  }
  charts::RasterGrid grid{.rows = kSide, .columns = kSide};
  std::uint64_t largest = 1;
  for (int row = kSide - 1; row >= 0; --row) {
    for (int column = 0; column < kSide; ++column) {
      const std::uint64_t count = density.at(row, column);
      grid.values.push_back(static_cast<double>(count));
      grid.missing.push_back(count == 0 ? 1 : 0);
      largest = std::max(largest, count);
    }
  }
  charts::ColorScale scale;
  scale.range = {0.7, std::max(2.0, static_cast<double>(largest))};
  charts::ScaleColors colors = charts::scaleColors(scale, theme);
  colors.dots = colors.background;
  constexpr double kRatio = 2;
  const QSize pixels = (map.plot.size() * kRatio).toSize();
  const charts::Range all{0, kSide};
  painter.drawImage(
      map.plot,
      charts::colorize(
          charts::aggregate(grid, all, all, pixels, scale.kind, charts::Prefer::Largest),
          scale,
          colors,
          kRatio));
}

report::DataTable densityTable(const PairStatistics& statistics) {
  report::DataTable table{
      "B against A, counted", report::columnsOf("A from; A to; B from; B to; count"), {}};
  constexpr int kSide = analysis::DensityGrid::kSide;
  const analysis::DensityGrid& density = statistics.density;
  const auto edge = [&density](int bin) { return density.valueAt(2.0 * bin / kSide - 1); };
  for (int b = 0; b < kSide && !density.counts.empty(); ++b) {
    for (int a = 0; a < kSide; ++a) {
      if (density.at(b, a) > 0) {
        table.rows.push_back(
            {edge(a), edge(a + 1), edge(b), edge(b + 1), cellOf(density.at(b, a))});
      }
    }
  }
  return table;
}

Plot profilePlot(const Profile& profile, const PairNames& names) {
  Plot plot;
  plot.title = profile.title;
  plot.xTitle = profile.axis;
  double low = 0;
  double high = 0;
  const auto addCurve = [&](PlotCurve curve, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at =
          static_cast<double>(profile.first + static_cast<std::int64_t>(i) * profile.step);
      curve.points.emplace_back(at, values[i]);
      if (std::isfinite(values[i])) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
    }
    plot.curves.push_back(std::move(curve));
  };
  const auto [a, b, difference] = curvesOf(names);
  addCurve(a, profile.reference);
  addCurve(b, profile.variant);
  const double margin = high > low ? (high - low) * 0.05 : 1;
  plot.y = {low - margin, high + margin};
  const auto last = static_cast<double>(
      profile.first + (static_cast<std::int64_t>(profile.reference.size()) - 1) * profile.step);
  plot.x = {std::min(static_cast<double>(profile.first), last),
            std::max(static_cast<double>(profile.first), last)};
  if (plot.x.span() == 0) {
    plot.x = {plot.x.low - 0.5, plot.x.high + 0.5};
  }
  plot.xTicks = charts::linearTicks(plot.x, kTicks);
  plot.yTicks = charts::linearTicks(plot.y, kTicks);
  plot.marks.push_back(static_cast<double>(profile.cursor));
  if (profile.nonFinite > 0) {
    plot.nonFinite =
        DistributionPlotsWords::tr("%1 not finite").arg(static_cast<qulonglong>(profile.nonFinite));
  }
  if (profile.reference.empty()) {
    plot.empty = DistributionPlotsWords::tr(
        "Point at an element, or select one, to see its row and column.");
  } else if (profile.reference.size() == 1) {
    plot.empty = DistributionPlotsWords::tr("There is a single element along this direction.");
  }
  return plot;
}

report::DataTable profileTable(const Profile& profile) {
  report::DataTable table{profile.title.toStdString(),
                          {{profile.axis.toStdString(), "", ""}, {"A", "", ""}, {"B", "", ""}},
                          {}};
  for (std::size_t i = 0; i < profile.reference.size(); ++i) {
    table.rows.push_back(
        {static_cast<double>(profile.first + static_cast<std::int64_t>(i) * profile.step),
         profile.reference[i],
         profile.variant[i]});
  }
  return table;
}

}  // namespace ulp::views
