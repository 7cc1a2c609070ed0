#include "core/compat/msprobe/pairs/tensor_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <vector>

#include "core/base/shape.h"
#include "core/base/text/parse_number.h"
#include "core/numerics/scalar_formats.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::compat::msprobe {
namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::size_t kLanes = 8;
constexpr double kEps64 = std::numeric_limits<double>::epsilon();
constexpr double kEps32 = static_cast<double>(std::numeric_limits<float>::epsilon());

/// The floating-point types that NumPy computes in, from narrow to wide.
enum class Real : std::uint8_t { Half, Single, Double };

/// What msprobe has after loading: bfloat16 and float8 become float32.
bool isInteger(DType dtype) {
  return !isFloatingPoint(dtype);
}

/// The type of relative errors: integers and bools go to float64.
Real realOf(DType dtype) {
  if (dtype == DType::Float16) {
    return Real::Half;
  }
  return isInteger(dtype) || dtype == DType::Float64 ? Real::Double : Real::Single;
}

/// The narrowest type that holds an array of `dtype` beside floats (numpy.result_type).
Real promotedReal(DType dtype) {
  if (isInteger(dtype) && itemSize(dtype) == 1) {
    return Real::Half;
  }
  return dtype == DType::Int16 ? Real::Single : realOf(dtype);
}

/// Rounds the exact or float64 result of one operation to the type, as the type itself would.
template <Real kReal>
constexpr double roundTo(double value) {
  if constexpr (kReal == Real::Half) {
    return static_cast<double>(numerics::decodeFloat16(numerics::encodeFloat16(value)));
  } else if constexpr (kReal == Real::Single) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return value;
  }
}

double roundTo(Real real, double value) {
  return real == Real::Half     ? roundTo<Real::Half>(value)
         : real == Real::Single ? roundTo<Real::Single>(value)
                                : value;
}

struct Sums {
  double dot = 0;
  double target = 0;
  double golden = 0;
  double difference = 0;
  double maxAbsolute = 0;
  double maxRelative = 0;
  bool hasNanRelative = false;
  std::size_t belowOne = 0;
  std::size_t belowFive = 0;
};

/// Relative errors of a block; the types are those of the target, the golden tensor, and both.
template <Real kTarget, Real kGolden>
void addRelative(std::span<const double> target,
                 std::span<const double> golden,
                 double epsilon,
                 Sums& sums) {
  constexpr Real kBoth = std::max(kTarget, kGolden);
  constexpr double kOne = roundTo<kBoth>(1e-3);
  constexpr double kFive = roundTo<kBoth>(5e-3);
  for (std::size_t each = 0; each < target.size(); ++each) {
    const bool isZero = golden[each] == 0;
    const double left = isZero ? roundTo<kTarget>(target[each] + epsilon) : target[each];
    const double right = isZero ? roundTo<kGolden>(golden[each] + epsilon) : golden[each];
    const double error = std::abs(roundTo<kBoth>(roundTo<kBoth>(left - right) / right));
    sums.hasNanRelative |= std::isnan(error);
    sums.maxRelative = error > sums.maxRelative ? error : sums.maxRelative;
    sums.belowOne += error < kOne ? 1U : 0U;
    sums.belowFive += error < kFive ? 1U : 0U;
  }
}

using AddRelative = void (*)(std::span<const double>, std::span<const double>, double, Sums&);

template <Real kTarget>
constexpr std::array<AddRelative, 3> kRelativeTo{addRelative<kTarget, Real::Half>,
                                                 addRelative<kTarget, Real::Single>,
                                                 addRelative<kTarget, Real::Double>};

struct RelativeRule {
  Real target = Real::Double;
  Real golden = Real::Double;
  double epsilon = kEps64;  ///< added where the golden element is zero

  [[nodiscard]] AddRelative adder() const {
    constexpr std::array kAdders{
        kRelativeTo<Real::Half>, kRelativeTo<Real::Single>, kRelativeTo<Real::Double>};
    return kAdders.at(static_cast<std::size_t>(target)).at(static_cast<std::size_t>(golden));
  }
};

RelativeRule ruleOf(DType target, DType golden, Generation generation) {
  if (generation == Generation::V8) {
    return {.target = realOf(target), .golden = realOf(golden)};
  }
  const Real both = std::max({realOf(target), realOf(golden), Real::Single});
  return {.target = both, .golden = both, .epsilon = both == Real::Single ? kEps32 : kEps64};
}

void addSums(std::span<const double> target, std::span<const double> golden, Sums& sums) {
  std::array<double, kLanes> dot{};
  std::array<double, kLanes> left{};
  std::array<double, kLanes> right{};
  std::array<double, kLanes> square{};
  std::array<double, kLanes> largest{};
  const auto add = [&](std::size_t element, std::size_t lane) {
    const double t = target[element];
    const double g = golden[element];
    const double difference = t - g;
    dot[lane] += t * g;
    left[lane] += t * t;
    right[lane] += g * g;
    square[lane] += difference * difference;
    largest[lane] = std::max(largest[lane], std::abs(difference));
  };
  std::size_t element = 0;
  for (; element + kLanes <= target.size(); element += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      add(element + lane, lane);
    }
  }
  for (; element < target.size(); ++element) {
    add(element, 0);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    sums.dot += dot[lane];
    sums.target += left[lane];
    sums.golden += right[lane];
    sums.difference += square[lane];
    sums.maxAbsolute = std::max(sums.maxAbsolute, largest[lane]);
  }
}

bool isFinite(std::span<const double> values) {
  bool all = true;
  for (const double value : values) {
    all &= std::abs(value) <= std::numeric_limits<double>::max();
  }
  return all;
}

/// Elements that are not finite on both sides become zero. False: somewhere they differ in kind.
bool zeroNonFinite(std::span<double> target, std::span<double> golden) {
  for (std::size_t each = 0; each < target.size(); ++each) {
    if (std::isinf(target[each]) != std::isinf(golden[each]) ||
        std::isnan(target[each]) != std::isnan(golden[each])) {
      return false;
    }
    if (!std::isfinite(target[each])) {
      target[each] = 0;
      golden[each] = 0;
    }
  }
  return true;
}

/// False: NaN or infinities at different places.
bool sumUp(const tensors::Tensor& target,
           const tensors::Tensor& golden,
           const RelativeRule& rule,
           Sums& sums) {
  constexpr std::size_t kReleased = std::size_t{1} << 22;
  std::vector<double> left(kBlock);
  std::vector<double> right(kBlock);
  const AddRelative addRelativeErrors = rule.adder();
  const std::size_t count = target.view.count();
  std::size_t released = 0;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t size = std::min(kBlock, count - first);
    const std::span<double> t(left.data(), size);
    const std::span<double> g(right.data(), size);
    numerics::readElements(target.view, static_cast<std::int64_t>(first), 1, t);
    numerics::readElements(golden.view, static_cast<std::int64_t>(first), 1, g);
    if (!(isFinite(t) && isFinite(g)) && !zeroNonFinite(t, g)) {
      return false;
    }
    addSums(t, g, sums);
    addRelativeErrors(t, g, rule.epsilon, sums);
    if (first + size >= released + kReleased) {
      tensors::giveBack(target, released, first + size - released);
      tensors::giveBack(golden, released, first + size - released);
      released = first + size;
    }
  }
  return true;
}

Metric number(double value) {
  return {.state = MetricState::Number, .value = value};
}
Metric rounded(double value) {
  return std::isnan(value) ? Metric{.state = MetricState::Nan} : number(roundedTo12(value));
}

constexpr std::string_view kZeroTarget =
    "Cannot compare by Cosine Similarity, All the data is Zero in npu dump data.";
constexpr std::string_view kZeroGolden =
    "Cannot compare by Cosine Similarity, All the data is Zero in Bench dump data.";
constexpr std::string_view kNanCosine =
    "Cannot compare by Cosine Similarity, the dump data has NaN.";
constexpr std::string_view kNanAbsolute =
    "Cannot compare by MaxAbsError, the data contains nan/inf/-inf in dump data.";
constexpr std::string_view kNanRelative =
    "Cannot compare by MaxRelativeError, the data contains nan/inf/-inf in dump data.";
constexpr std::string_view kScalar =
    "This is type of 0-d tensor, can not calculate 'Cosine', 'EucDist', 'One Thousandth Err Ratio' "
    "and 'Five Thousandths Err Ratio'. ";

Metric cosineOf(const Sums& sums, std::size_t count, std::string& message) {
  if (count == 1) {
    message += "This is a 1-d tensor of length 1.";
    return {};
  }
  const double left = std::sqrt(sums.target);
  const double right = std::sqrt(sums.golden);
  if (left <= kEps64 && right <= kEps64) {
    return number(1);
  }
  if (left <= kEps64 || right <= kEps64) {
    message += left <= kEps64 ? kZeroTarget : kZeroGolden;
    return {.state = MetricState::Nan};
  }
  const double exact = sums.dot / (left * right);
  if (std::isnan(exact)) {  // squares of float64 beyond its range
    message += kNanCosine;
    return {.state = MetricState::Nan};
  }
  const double cosine = roundedTo12(exact);
  return number(cosine > 0.9999 ? *parseNumber<double>(fmt::format("{:.6f}", cosine)) : cosine);
}

TensorComparison fromSums(const Sums& sums, std::size_t count, std::string message) {
  TensorComparison result{.message = std::move(message)};
  const double relative =
      sums.hasNanRelative ? std::numeric_limits<double>::quiet_NaN() : sums.maxRelative;
  const auto share = [&](std::size_t below) {
    return rounded(static_cast<double>(below) / static_cast<double>(count));
  };
  result.metrics = {cosineOf(sums, count, result.message),
                    number(std::sqrt(sums.difference)),
                    rounded(sums.maxAbsolute),
                    rounded(relative),
                    share(sums.belowOne),
                    share(sums.belowFive)};
  result.message += std::isnan(relative) ? kNanRelative : std::string_view();
  return result;
}

std::int64_t integerAt(const numerics::TensorView& view) {
  if (view.dtype == DType::Int64) {
    std::int64_t value = 0;
    std::memcpy(&value, view.data, sizeof value);
    return value;
  }
  return static_cast<std::int64_t>(numerics::elementAt(view, 0));
}

/// |t - g| in the type that NumPy gives it, where integers wrap.
double scalarDifference(const numerics::TensorView& target, const numerics::TensorView& golden) {
  const double left = numerics::elementAt(target, 0);
  const double right = numerics::elementAt(golden, 0);
  if (target.dtype == DType::Bool) {
    return std::abs(left - right);
  }
  if (!isInteger(target.dtype) || !isInteger(golden.dtype)) {
    const Real both = std::max(promotedReal(target.dtype), promotedReal(golden.dtype));
    return std::abs(roundTo(both, left - right));
  }
  const std::uint64_t difference =
      static_cast<std::uint64_t>(integerAt(target)) - static_cast<std::uint64_t>(integerAt(golden));
  const auto hasNoSign = [](DType dtype) { return dtype == DType::UInt8 || dtype == DType::Bool; };
  if (hasNoSign(target.dtype) && hasNoSign(golden.dtype)) {
    return static_cast<double>(static_cast<std::uint8_t>(difference));
  }
  // Of UInt8 only two bytes with a sign hold all, beside any other type of one byte.
  const bool hasUnsigned = target.dtype == DType::UInt8 || golden.dtype == DType::UInt8;
  const std::size_t width = std::max({itemSize(target.dtype),
                                      itemSize(golden.dtype),
                                      hasUnsigned ? std::size_t{2} : std::size_t{1}});
  const auto unused = static_cast<unsigned>(64 - 8 * width);
  const std::int64_t wrapped = static_cast<std::int64_t>(difference << unused) >> unused;
  return std::abs(static_cast<double>(wrapped));
}

TensorComparison compareScalars(const numerics::TensorView& target,
                                const numerics::TensorView& golden,
                                const RelativeRule& rule) {
  Sums sums;
  const std::array left{numerics::elementAt(target, 0)};
  const std::array right{numerics::elementAt(golden, 0)};
  rule.adder()(left, right, rule.epsilon, sums);
  const double relative =
      sums.hasNanRelative ? std::numeric_limits<double>::quiet_NaN() : sums.maxRelative;
  TensorComparison result{.metrics = metricsOf(MetricState::Unsupported)};
  result.metrics[kMaxAbsolute] = rounded(scalarDifference(target, golden));
  result.metrics[kMaxRelative] = rounded(relative);
  // msprobe's own rule: each of the metrics that a scalar has not appends the whole message again,
  // four times in all.
  std::string& message = result.message;
  message = kScalar;
  const auto repeat = [&] { message += std::string(message); };
  repeat();
  repeat();
  message += std::isnan(scalarDifference(target, golden)) ? kNanAbsolute : std::string_view();
  message += std::isnan(relative) ? kNanRelative : std::string_view();
  repeat();
  repeat();
  return result;
}

}  // namespace

Cell toCell(const Metric& metric) {
  // In the order of MetricState.
  constexpr std::array kWords{"", "unsupported", "shape unmatched", "N/A", "Nan"};
  return metric.isNumber() ? numberCell(metric.value)
                           : textCell(kWords.at(static_cast<std::size_t>(metric.state)));
}

Metrics metricsOf(MetricState state) {
  Metrics metrics;
  metrics.fill({.state = state});
  return metrics;
}

double roundedTo12(double value) {
  return *parseNumber<double>(fmt::format("{:.12f}", value));
}

TensorComparison compareTensors(const tensors::Tensor& target,
                                const tensors::Tensor& golden,
                                Generation generation) {
  const bool is26 = generation == Generation::V26;
  const numerics::TensorView& left = target.view;
  const numerics::TensorView& right = golden.view;
  const std::vector<std::int64_t> shape = is26 ? squeezed(left.shape) : left.shape;
  const std::vector<std::int64_t> other = is26 ? squeezed(right.shape) : right.shape;
  if (left.count() == 0) {
    return {metricsOf(MetricState::Unsupported), "This is empty data, can not compare."};
  }
  if (shape != other) {
    return {metricsOf(MetricState::ShapeUnmatched),
            "Shape of NPU and bench tensor do not match. Skipped."};
  }
  const RelativeRule rule = ruleOf(left.dtype, right.dtype, generation);
  if (shape.empty()) {
    return compareScalars(left, right, rule);
  }
  Sums sums;
  if (!sumUp(target, golden, rule, sums)) {
    return {metricsOf(MetricState::NotAvailable),
            "The position of inf or nan in NPU and bench Tensor do not match."};
  }
  const auto loaded = [](DType dtype) {
    return isInteger(dtype) ? static_cast<int>(dtype) : -1 - static_cast<int>(realOf(dtype));
  };
  return fromSums(sums,
                  left.count(),
                  loaded(left.dtype) == loaded(right.dtype)
                      ? std::string()
                      : "Dtype of NPU and bench tensor do not match.");
}

}  // namespace ulp::compat::msprobe
