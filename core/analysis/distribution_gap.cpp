#include "core/analysis/distribution_gap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "core/analysis/token_distribution.h"
#include "core/tensors/page_use.h"

namespace ulp::analysis {
namespace {

using numerics::TensorView;

/// Logits that are read before their pages are given back.
constexpr std::size_t kHeldElements = std::size_t{1} << 20;

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
  TokenDistribution ofA;
  TokenDistribution ofB;
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
    if (!ofA.read(a.view, first, vocabulary) || !ofB.read(b.view, first, vocabulary)) {
      ++gap.nonFinite;
      gap.kl.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const double kl = klDivergence(ofA, ofB);
    add(gap, kl);
    gap.kl.push_back(kl);
    agreeing += ofA.choice() == ofB.choice() ? 1 : 0;
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
