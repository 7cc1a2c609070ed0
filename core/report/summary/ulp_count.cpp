#include "core/report/summary/ulp_count.h"

#include <cmath>

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/metrics/metric.h"

namespace ulp::report {
namespace {

/// As many as the smallest formats have numbers: below it nothing needs to be looked up.
constexpr double kFewUlp = 256;
constexpr int kBitsOfByte = 8;

}  // namespace

bool countsUlp(std::string_view metric) {
  static const numerics::MetricRegistry kMetrics = numerics::builtinMetrics();
  const auto known = kMetrics.indexOf(metric);
  return known && kMetrics.all()[*known].unit == numerics::MetricUnit::Ulp;
}

std::optional<DType> ulpFormatOf(const Comparison& row) {
  const std::optional<DType> reference = parseDType(row.referenceDType);
  const std::optional<DType> variant = parseDType(row.variantDType);
  return reference && variant ? std::optional(numerics::ulpFormat(*reference, *variant))
                              : std::nullopt;
}

bool isSensibleUlp(const Comparison& row, double count) {
  // What is no number is data, and has words of its own.
  if (!std::isfinite(count) || std::abs(count) <= kFewUlp) {
    return true;
  }
  const std::optional<DType> format = ulpFormatOf(row);
  return !format || isSensibleUlp(*format, count);
}

bool isSensibleUlp(DType format, double count) {
  return !std::isfinite(count) ||
         std::abs(count) <= std::ldexp(1.0, kBitsOfByte * static_cast<int>(itemSize(format)));
}

}  // namespace ulp::report
