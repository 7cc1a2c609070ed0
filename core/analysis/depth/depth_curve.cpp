#include "core/analysis/depth/depth_curve.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "core/base/list_of.h"
#include "core/base/undefined.h"

namespace ulp::analysis {
namespace {

using AxisKey = std::pair<Pass, std::string>;

bool isShown(const Site& site, Level level) {
  return !isOfParameters(site.pass) && site.level <= level;
}

/// Position of every row of the report: forward before backward, each in order of first
/// appearance.
std::map<AxisKey, int> foldedAxis(const report::Report& report, Level level) {
  std::map<AxisKey, int> axis;
  const auto addRows = [&](const report::Run& run, Pass pass) {
    for (const report::Comparison& row : run.comparisons) {
      if (row.site.pass == pass && isShown(row.site, level)) {
        axis.try_emplace({pass, row.site.name}, static_cast<int>(axis.size()));
      }
    }
  };
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (const report::Run& run : report.runs) {
      addRows(run, pass);
    }
  }
  return axis;
}

DepthCurve curveOf(const report::Run& run,
                   const std::map<AxisKey, int>& axis,
                   int metric,
                   int scale) {
  DepthCurve curve{run.name, {}};
  for (const report::Comparison& row : run.comparisons) {
    const auto place = axis.find({row.site.pass, row.site.name});
    if (place != axis.end()) {
      curve.points.push_back({place->second,
                              row.site,
                              metricAt(row, metric),
                              metricAt(row, scale),
                              row.variantNonFinite.total()});
    }
  }
  std::ranges::stable_sort(curve.points,
                           [](const DepthPoint& a, const DepthPoint& b) { return a.x < b.x; });
  return curve;
}

double growth(double before, double now) {
  if (before == 0) {
    return now > 0 ? std::numeric_limits<double>::infinity() : 1;
  }
  return now / before;
}

}  // namespace

double metricAt(const report::Comparison& row, int column) {
  const auto index = static_cast<std::size_t>(column);
  return column >= 0 && index < row.metrics.size() ? row.metrics[index] : kUndefined;
}

Result<std::vector<DepthCurve>> depthCurves(const report::Report& report,
                                            std::string_view metric,
                                            Level level) {
  const int column = report.metricIndex(metric);
  if (column < 0) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("the report does not hold the metric '{}'", metric));
  }
  const std::map<AxisKey, int> axis = foldedAxis(report, level);
  std::vector<DepthCurve> curves;
  for (const report::Run& run : report.runs) {
    if (run.role == report::RunRole::Variant && !run.comparisons.empty()) {
      curves.push_back(curveOf(run, axis, column, report.metricIndex("ref_scale")));
    }
  }
  return curves;
}

std::vector<Jump> findJumps(std::span<const JumpRow> rows, double factor) {
  std::vector<Jump> jumps;
  const JumpRow* before = nullptr;
  bool wasFinite = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JumpRow& row = rows[i];
    if (i == 0 || rows[i - 1].pass != row.pass) {
      before = nullptr;
      wasFinite = true;
    }
    const double grown =
        before == nullptr || std::isnan(row.value) ? 1 : growth(before->value, row.value);
    const bool startsNonFinite = wasFinite && row.nonFinite != 0;
    if (grown >= factor || startsNonFinite) {
      jumps.push_back({i, grown, startsNonFinite});
    }
    wasFinite = wasFinite && row.nonFinite == 0;
    before = std::isnan(row.value) ? before : &row;
  }
  return jumps;
}

std::vector<Jump> findJumps(const DepthCurve& curve, double factor) {
  const auto rowOf = [](const DepthPoint& point) {
    return JumpRow{point.site.pass, point.value, point.nonFinite};
  };
  return findJumps(listOf(curve.points, rowOf), factor);
}

std::vector<double> noiseFloor(std::span<const std::vector<double>> repeats,
                               numerics::Better better) {
  if (repeats.empty()) {
    return {};
  }
  std::vector<double> floor(repeats.front().size(), kUndefined);
  for (const std::vector<double>& values : repeats) {
    for (std::size_t i = 0; i < floor.size(); ++i) {
      if (std::isfinite(values[i]) && !numerics::isNoWorse(values[i], floor[i], better)) {
        floor[i] = values[i];
      }
    }
  }
  return floor;
}

}  // namespace ulp::analysis
