#include "core/compat/msit/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/base/text/parse_number.h"
#include "core/compat/msit/torch_sum.h"
#include "core/numerics/scalar_formats.h"
#include "core/numerics/tensor_view.h"

namespace ulp::compat::msit {
namespace {

constexpr float kEpsilon = std::numeric_limits<float>::epsilon();
constexpr double kSmallestNorm = 1e-8;

float rounded(float value, KlPrecision precision) {
  switch (precision) {
    case KlPrecision::Float16:
      return numerics::decode<numerics::kFloat16>(numerics::encode<numerics::kFloat16>(value));
    case KlPrecision::BFloat16:
      return numerics::decode<numerics::kBFloat16>(numerics::encode<numerics::kBFloat16>(value));
    case KlPrecision::Float32:
      break;
  }
  return value;
}

/// Sum of exp(x - max), and the maximum.
struct Exponentials {
  float max = 0;
  float sum = 0;
};
Exponentials exponentials(std::span<const float> values) {
  constexpr std::size_t kLanes = 16;
  const float max = *std::ranges::max_element(values);
  std::array<float, kLanes> lanes{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    lanes[i % kLanes] += std::exp(values[i] - max);
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) {
      lanes[i] += lanes[i + half];
    }
  }
  return {max, lanes[0]};
}

float mean(std::size_t count, const auto& at) {
  return torchSum<float>(count, at) / static_cast<float>(count);
}

double norm(std::span<const float> values) {
  return std::sqrt(torchSum<double>(values.size(), [&](std::size_t i) {
    return static_cast<double>(values[i]) * static_cast<double>(values[i]);
  }));
}

float relativeDistance(std::span<const float> golden, std::span<const float> my) {
  const auto scale =
      torchSum<float>(golden.size(), [&](std::size_t i) { return golden[i] * golden[i]; });
  if (std::sqrt(scale) <= kEpsilon) {
    return 0;
  }
  const auto distance = torchSum<float>(
      golden.size(), [&](std::size_t i) { return (my[i] - golden[i]) * (my[i] - golden[i]); });
  return std::sqrt(distance / scale);
}

bool isFinite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float x) { return std::isfinite(x); });
}

}  // namespace

std::vector<float> asFloats(const numerics::TensorView& tensor) {
  constexpr std::size_t kBlock = 2048;
  std::array<double, kBlock> block{};
  std::vector<float> values(tensor.count());
  for (std::size_t first = 0; first < values.size(); first += kBlock) {
    const std::span<double> part = std::span(block).first(std::min(kBlock, values.size() - first));
    numerics::readElements(tensor, static_cast<std::int64_t>(first), 1, part);
    std::ranges::transform(part,
                           values.begin() + static_cast<std::ptrdiff_t>(first),
                           [](double value) { return static_cast<float>(value); });
  }
  return values;
}

std::optional<Range> rangeOf(std::span<const float> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  if (std::ranges::any_of(values, [](float x) { return std::isnan(x); })) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    return Range{kNan, kNan, kNan};
  }
  const auto [min, max] = std::ranges::minmax_element(values);
  return Range{*max, *min, mean(values.size(), [&](std::size_t i) { return values[i]; })};
}

std::string reasonAgainst(std::span<const float> golden,
                          std::span<const float> my,
                          bool isShapeEqual) {
  std::string reason;
  const auto add = [&](bool isWrong, std::string_view text) {
    if (isWrong) {
      reason += reason.empty() ? "" : " ";
      reason += text;
    }
  };
  add(!isShapeEqual, "data shape doesn't match.");
  add(!isFinite(golden), "golden_data includes NAN or inf.");
  add(!isFinite(my), "my_data includes NAN or inf.");
  return reason;
}

double roundedTo(double value, int decimals) {
  return *parseNumber<double>(fmt::format("{:.{}f}", value, decimals));
}

double cosineSimilarity(std::span<const float> golden, std::span<const float> my) {
  const auto isZero = [](float x) { return x == 0; };
  if (std::ranges::all_of(golden, isZero) && std::ranges::all_of(my, isZero)) {
    return 1;
  }
  const double goldenNorm = std::max(norm(golden), kSmallestNorm);
  const double myNorm = std::max(norm(my), kSmallestNorm);
  const auto cosine = torchSum<double>(golden.size(), [&](std::size_t i) {
    return (static_cast<double>(golden[i]) / goldenNorm) * (static_cast<double>(my[i]) / myNorm);
  });
  return roundedTo(cosine, 10);
}

std::optional<float> klDivergence(std::span<const float> golden,
                                  std::span<const float> my,
                                  KlPrecision precision) {
  const Exponentials target = exponentials(golden);
  const Exponentials input = exponentials(my);
  const float logarithm = rounded(std::log(rounded(input.sum, precision)), precision);
  const bool halves = precision != KlPrecision::Float32;
  const auto sum = torchSum<float>(
      golden.size(),
      [&](std::size_t i) {
        const float p = rounded(std::exp(golden[i] - target.max) / target.sum, precision);
        const float logQ = rounded(my[i] - input.max - logarithm, precision);
        const float entropy = p == 0 ? 0 : rounded(p * rounded(std::log(p), precision), precision);
        return rounded(entropy - rounded(p * logQ, precision), precision);
      },
      halves);
  const float result = rounded(sum, precision);
  return result < 0 ? std::nullopt : std::optional(result);
}

Metrics compareValues(std::span<const float> golden, std::span<const float> my) {
  const auto relative = [&](std::size_t i) {
    return std::abs(golden[i]) > kEpsilon ? std::abs(my[i] / golden[i] - 1.0F) : 0.0F;
  };
  const auto absolute = [&](std::size_t i) {
    return std::abs(golden[i]) > kEpsilon ? std::abs(my[i] - golden[i]) : 0.0F;
  };
  Metrics metrics;
  metrics.cosineSimilarity = cosineSimilarity(golden, my);
  for (std::size_t i = 0; i < golden.size(); ++i) {
    metrics.maxRelativeError = std::max(metrics.maxRelativeError, relative(i));
    metrics.maxAbsoluteError = std::max(metrics.maxAbsoluteError, absolute(i));
  }
  metrics.meanRelativeError = mean(golden.size(), relative);
  metrics.meanAbsoluteError = mean(golden.size(), absolute);
  metrics.klDivergence = klDivergence(golden, my);
  metrics.relativeEuclideanDistance = relativeDistance(golden, my);
  return metrics;
}

}  // namespace ulp::compat::msit
