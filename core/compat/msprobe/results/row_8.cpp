#include <algorithm>
#include <cmath>
#include <limits>

#include "core/compat/msprobe/pairs/statistic_difference.h"
#include "core/compat/msprobe/results/table_8.h"
#include "core/dumps/msprobe/python_text.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::pythonFloat;

/// Any of the four changed by more than half of its size.
bool compareStatistics(ComparedRow& row) {
  // msprobe's own rule: the signed maximum, so that of two negative numbers the one nearer to zero
  // divides.
  constexpr double kLimit = 0.5;
  constexpr double kTiny = 1e-10;
  bool isWarned = false;
  for (std::size_t each = 0; each < row.difference.size(); ++each) {
    const auto left = pandasNumber(row.target->statistics[each]);
    const auto right =
        row.golden == nullptr ? std::nullopt : pandasNumber(row.golden->statistics[each]);
    row.difference[each] = textCell("N/A");
    row.relative[each] = "N/A";
    if (!left || !right) {
      continue;
    }
    const double difference = *left - *right;
    if (std::isnan(difference)) {
      row.difference[each] = textCell("Nan");
      row.relative[each] = "Nan";
      continue;
    }
    row.difference[each] = numberCell(difference);
    if (*right != 0) {
      // msprobe's own rule: divided by the number that is in the file, not by the one subtracted.
      const double divisor = *numberOf(row.golden->statistics[each]);
      row.relative[each] = pythonFloat(std::abs(difference / divisor * 100)) + "%";
    }
    isWarned |= std::abs(difference) / (std::abs(std::max(*left, *right)) + kTiny) > kLimit;
  }
  return isWarned;
}

/// As float() of the printed cell: the word "Nan" is a number, and other words are none.
std::optional<double> floatOf(const Metric& metric) {
  if (metric.state == MetricState::Nan) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return metric.isNumber() ? std::optional(metric.value) : std::nullopt;
}

std::string accuracyOf(const Metrics& metrics) {
  if (metrics[kCosine].state == MetricState::ShapeUnmatched) {
    return "Unmatched";
  }
  if (metrics[kCosine].state == MetricState::NotAvailable ||
      metrics[kMaxAbsolute].state == MetricState::NotAvailable) {
    return "No";
  }
  const auto cosine = floatOf(metrics[kCosine]);
  const auto largest = floatOf(metrics[kMaxAbsolute]);
  if (!cosine || !largest) {
    return "None";
  }
  const bool isBad = (*cosine < 0.99 && *largest > 0.001) || *cosine < 0.9 || *largest > 1;
  return isBad ? "No" : "Yes";
}

void judgeStatistics(ComparedRow& row) {
  const bool isWarned = compareStatistics(row);
  row.result = row.golden == nullptr ? "N/A" : "";
  if (isWarned) {
    row.result = "Warning";
    row.message = "Need double check api accuracy. ";
  }
  if (!row.isGradConsistent()) {
    row.message += "Requires_grad inconsistent. ";
  }
}

}  // namespace

std::optional<double> largestDifference(const ComparedRow& row, Mode mode) {
  if (mode == Mode::Tensor) {
    const Metric& largest = row.metrics[kMaxAbsolute];
    return largest.isNumber() ? std::optional(largest.value) : std::nullopt;
  }
  return row.difference[0].isNumber() ? std::optional(row.difference[0].number) : std::nullopt;
}

ComparedRow makeRow8(const Sides& sides, const Pair& pair, const TensorComparison* tensors) {
  ComparedRow row{.target = &sides.target.records[pair.target], .golden = goldenOf(sides, pair)};
  row.message = row.golden == nullptr ? "No bench data matched." : "";
  switch (sides.mode) {
    case Mode::Checksum:
      row.result = checksumOf(row.target) == checksumOf(row.golden) ? "pass"
                   : row.golden                                     ? "Different"
                                                                    : "N/A";
      break;
    case Mode::Statistics:
      judgeStatistics(row);
      break;
    case Mode::Tensor:
      row.metrics = tensors->metrics;
      row.message = row.isGradConsistent() ? row.message : "Requires_grad inconsistent. ";
      row.message += tensors->message;
      if (row.golden != nullptr && row.golden->name != row.target->name) {
        row.message += " Fuzzy matching data, the comparison accuracy may be affected.";
      }
      row.result = accuracyOf(row.metrics);
      break;
  }
  return row;
}

}  // namespace ulp::compat::msprobe
