#include "core/analysis/tokens/distribution_gap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace ulp::analysis {
namespace {

using numerics::TensorView;

Result<> checkShapes(const TensorView& a, const TensorView& b) {
  if (a.shape != b.shape || a.shape.size() < 2 || a.shape.back() < 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("logits of shapes [{}] and [{}]; both must be [tokens, vocabulary]",
                            fmt::join(a.shape, ", "),
                            fmt::join(b.shape, ", ")));
  }
  return {};
}

}  // namespace

Result<DistributionGap> distributionGap(std::span<const TokenDistance> tokens) {
  DistributionGap gap;
  std::uint64_t agreeing = 0;
  for (const TokenDistance& token : tokens) {
    if (!token.isFinite) {
      ++gap.nonFinite;
      gap.kl.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    ++gap.tokens;
    gap.meanKl += token.kl;
    if (gap.tokens == 1 || token.kl > gap.largestKl) {
      gap.largestKl = token.kl;
      gap.largestPlace = gap.kl.size();
    }
    gap.kl.push_back(token.kl);
    agreeing += token.choiceA == token.choiceB ? 1 : 0;
  }
  if (gap.tokens == 0) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("none of {} tokens has finite logits in both runs", tokens.size()));
  }
  gap.meanKl /= static_cast<double>(gap.tokens);
  gap.topAgreement = static_cast<double>(agreeing) / static_cast<double>(gap.tokens);
  return gap;
}

Result<DistributionGap> distributionGap(const tensors::Tensor& a,
                                        const tensors::Tensor& b,
                                        const std::stop_token& stop) {
  ULP_TRY(checkShapes(a.view, b.view));
  const auto vocabulary = static_cast<std::size_t>(a.view.shape.back());
  const TokenPairs pairs{.tokens = a.view.count() / vocabulary, .vocabulary = vocabulary};
  const auto distances = ULP_TRY(tokenDistances(a, b, pairs, 0, stop));
  return distributionGap(distances);
}

}  // namespace ulp::analysis
