#include "core/analysis/tensors/tensor_pair.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/numerics/comparison/comparison.h"
#include "core/tensors/archive/page_use.h"

namespace ulp::analysis {
namespace {

void giveBack(const tensors::Tensor& tensor, std::int64_t first, std::int64_t last) {
  tensors::giveBack(
      tensor, static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
}

}  // namespace

std::vector<std::int64_t> TensorPair::fullIndex(std::int64_t flat) const {
  return numerics::unravel(static_cast<std::size_t>(flat) * sampleStride, fullShape);
}

std::optional<std::int64_t> TensorPair::find(std::span<const std::int64_t> index) const {
  if (index.size() != fullShape.size()) {
    return std::nullopt;
  }
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= fullShape[d]) {
      return std::nullopt;
    }
    flat = flat * fullShape[d] + index[d];
  }
  const auto stride = static_cast<std::int64_t>(sampleStride);
  return flat % stride == 0 ? std::optional(flat / stride) : std::nullopt;
}

Result<TensorPairPtr> makeTensorPair(Site site,
                                     tensors::Tensor reference,
                                     tensors::Tensor variant,
                                     std::uint64_t sampleStride,
                                     std::vector<std::int64_t> fullShape) {
  if (reference.view.shape != variant.view.shape) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: the reference has the shape [{}], the variant [{}]",
                            site.name,
                            fmt::join(reference.view.shape, ", "),
                            fmt::join(variant.view.shape, ", ")));
  }
  auto pair = std::make_shared<TensorPair>();
  pair->site = std::move(site);
  pair->ulpFormat = numerics::ulpFormat(reference.view.dtype, variant.view.dtype);
  pair->reference = std::move(reference);
  pair->variant = std::move(variant);
  pair->sampleStride = sampleStride;
  if (fullShape.empty()) {
    fullShape = pair->shape();
  }
  pair->fullShape = std::move(fullShape);
  return pair;
}

Result<> checkIntact(const TensorPair& pair) {
  ULP_TRY(tensors::checkIntact(pair.reference));
  return tensors::checkIntact(pair.variant);
}

void PageTrail::passed(std::int64_t first, std::int64_t last) {
  const std::int64_t low = std::min(first, last);
  const std::int64_t high = std::max(first, last);
  m_first = m_last < m_first ? low : std::min(m_first, low);
  m_last = std::max(m_last, high);
  m_since += high - low + 1;
  if (m_since >= kElements) {
    release();
  }
}

void PageTrail::release() {
  if (m_last >= m_first) {
    giveBack(m_pair.reference, m_first, m_last);
    giveBack(m_pair.variant, m_first, m_last);
  }
  m_first = 0;
  m_last = -1;
  m_since = 0;
}

}  // namespace ulp::analysis
