#include "core/analysis/distribution_gap.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <span>

#include "core/numerics/read_elements.h"
#include "core/tensors/page_use.h"

namespace ulp::analysis {
namespace {

using numerics::TensorView;

/// Logits that are read before their pages are given back.
constexpr std::size_t kHeldElements = std::size_t{1} << 20;

/// The logits of one token, turned into log-probabilities.
class Distribution {
 public:
  explicit Distribution(std::size_t vocabulary) : m_values(vocabulary) {}

  /// False where the logits make no distribution: a NaN, +Inf, or nothing but -Inf.
  bool read(const TensorView& logits, std::size_t first) {
    numerics::readElements(logits, static_cast<std::int64_t>(first), 1, m_values);
    const auto isNan = [](double value) { return std::isnan(value); };
    if (std::any_of(m_values.begin(), m_values.end(), isNan)) {
      return false;
    }
    const auto most = std::max_element(m_values.begin(), m_values.end());
    if (!std::isfinite(*most)) {
      return false;
    }
    m_top = static_cast<std::size_t>(most - m_values.begin());
    const double largest = *most;
    double sum = 0;
    for (const double value : m_values) {
      sum += std::exp(value - largest);
    }
    const double normaliser = largest + std::log(sum);
    for (double& value : m_values) {
      value -= normaliser;
    }
    return true;
  }

  [[nodiscard]] std::size_t top() const { return m_top; }
  [[nodiscard]] std::span<const double> logProbabilities() const { return m_values; }

 private:
  std::vector<double> m_values;
  std::size_t m_top = 0;
};

double divergence(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // What is never drawn does not count, whatever B says of it.
    if (const double probability = std::exp(a[i]); probability > 0) {
      sum += probability * (a[i] - b[i]);
    }
  }
  // A sum of rounded terms may end a little below zero.
  return std::max(sum, 0.0);
}

Result<> checkShapes(const TensorView& a, const TensorView& b) {
  if (a.shape != b.shape || a.shape.size() < 2 || a.shape.back() < 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("logits of shapes [{}] and [{}]; both must be [tokens, vocabulary]",
                            fmt::join(a.shape, ", "),
                            fmt::join(b.shape, ", ")));
  }
  return {};
}

void add(DistributionGap& gap, double kl) {
  ++gap.tokens;
  gap.meanKl += kl;
  if (gap.tokens == 1 || kl > gap.largestKl) {
    gap.largestKl = kl;
    gap.largestPlace = gap.kl.size();
  }
}

}  // namespace

Result<DistributionGap> distributionGap(const tensors::Tensor& a,
                                        const tensors::Tensor& b,
                                        const std::stop_token& stop) {
  if (auto shapes = checkShapes(a.view, b.view); !shapes) {
    return tl::unexpected(std::move(shapes.error()));
  }
  const auto vocabulary = static_cast<std::size_t>(a.view.shape.back());
  const std::size_t tokens = a.view.count() / vocabulary;
  Distribution ofA(vocabulary);
  Distribution ofB(vocabulary);
  DistributionGap gap;
  std::uint64_t agreeing = 0;
  std::size_t given = 0;  ///< elements before have left memory
  for (std::size_t token = 0; token < tokens; ++token) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    const std::size_t first = token * vocabulary;
    if (first - given >= kHeldElements) {
      tensors::giveBack(a, given, first - given);
      tensors::giveBack(b, given, first - given);
      given = first;
    }
    if (!ofA.read(a.view, first) || !ofB.read(b.view, first)) {
      ++gap.nonFinite;
      gap.kl.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const double kl = divergence(ofA.logProbabilities(), ofB.logProbabilities());
    add(gap, kl);
    gap.kl.push_back(kl);
    agreeing += ofA.top() == ofB.top() ? 1 : 0;
  }
  if (gap.tokens == 0) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("none of {} tokens has finite logits in both runs", tokens));
  }
  gap.meanKl /= static_cast<double>(gap.tokens);
  gap.topAgreement = static_cast<double>(agreeing) / static_cast<double>(gap.tokens);
  return gap;
}

}  // namespace ulp::analysis
