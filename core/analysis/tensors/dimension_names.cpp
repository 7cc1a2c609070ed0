#include "core/analysis/tensors/dimension_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/text/contains_text.h"

namespace ulp::analysis {
namespace {

std::vector<Dimension> unknownDimensions(std::size_t rank) {
  std::vector<Dimension> dimensions;
  dimensions.resize(rank, Dimension::Other);
  return dimensions;
}

std::vector<Dimension> parameterDimensions(const Site& site, std::size_t rank) {
  if (rank == 1) {
    return {Dimension::Channel};
  }
  if (rank != 2) {
    return unknownDimensions(rank);
  }
  const bool isTable = containsText(site.name, "embed_tokens") || containsText(site.name, "wte");
  const bool isHead = site.name.starts_with("lm_head");
  const Dimension first = isTable || isHead ? Dimension::Vocabulary : Dimension::Output;
  return {first, isTable || isHead ? Dimension::Channel : Dimension::Input};
}

std::vector<Dimension> attentionDimensions(const Site& site) {
  constexpr std::array<std::string_view, 4> kPairs{"scores", "softmax", "attn_weights", "mask"};
  const bool isPairwise = std::ranges::any_of(
      kPairs, [&site](std::string_view name) { return containsText(site.name, name); });
  if (isPairwise) {
    return {Dimension::Batch, Dimension::Head, Dimension::Query, Dimension::Key};
  }
  if (containsText(site.name, "attn") || containsText(site.name, "attention")) {
    return {Dimension::Batch, Dimension::Head, Dimension::Token, Dimension::Channel};
  }
  return unknownDimensions(4);
}

}  // namespace

std::vector<Dimension> dimensionsOf(const Site& site, std::size_t rank) {
  if (isOfParameters(site.pass)) {
    return parameterDimensions(site, rank);
  }
  // The gradient of the head's input has its channels last, the head's output its vocabulary.
  const bool isLogits =
      site.name == "logits" || (site.name == "lm_head" && site.pass == Pass::Forward);
  const Dimension last = isLogits ? Dimension::Vocabulary : Dimension::Channel;
  switch (rank) {
    case 2:
      return {Dimension::Token, last};
    case 3:
      return {Dimension::Batch, Dimension::Token, last};
    case 4:
      return attentionDimensions(site);
    default:
      return unknownDimensions(rank);
  }
}

}  // namespace ulp::analysis
