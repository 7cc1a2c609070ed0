#include "core/analysis/tensor_pair.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/numerics/comparison.h"
#include "core/numerics/scalar_formats.h"

namespace ulp::analysis {
namespace {

template <class T, class Decode>
void readAs(const numerics::TensorView& tensor,
            std::int64_t first,
            std::int64_t step,
            std::span<double> elements,
            Decode decode) {
  const auto* data = static_cast<const std::byte*>(tensor.data);
  std::int64_t at = first;
  for (double& element : elements) {
    T stored{};
    std::memcpy(&stored, data + static_cast<std::size_t>(at) * sizeof(T), sizeof(T));
    element = static_cast<double>(decode(stored));
    at += step;
  }
}

void releaseRange(const tensors::Tensor& tensor, std::int64_t first, std::int64_t last) {
  if (tensor.file == nullptr) {
    return;
  }
  const std::size_t size = itemSize(tensor.view.dtype);
  tensor.file->release(tensor.view.bytes().subspan(
      static_cast<std::size_t>(first) * size, static_cast<std::size_t>(last - first + 1) * size));
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
  Result<> intact = tensors::checkIntact(pair.reference);
  return intact ? tensors::checkIntact(pair.variant) : intact;
}

void readElements(const numerics::TensorView& tensor,
                  std::int64_t first,
                  std::int64_t step,
                  std::span<double> elements) {
  const auto same = [](auto value) { return value; };
  switch (tensor.dtype) {
    case DType::Float64:
      return readAs<double>(tensor, first, step, elements, same);
    case DType::Float32:
      return readAs<float>(tensor, first, step, elements, same);
    case DType::Float16:
      return readAs<std::uint16_t>(tensor, first, step, elements, numerics::decodeFloat16);
    case DType::BFloat16:
      return readAs<std::uint16_t>(tensor, first, step, elements, numerics::decodeBFloat16);
    case DType::Float8E4M3FN:
      return readAs<std::uint8_t>(tensor, first, step, elements, numerics::decodeFloat8E4M3FN);
    case DType::Float8E5M2:
      return readAs<std::uint8_t>(tensor, first, step, elements, numerics::decodeFloat8E5M2);
    case DType::Int64:
      return readAs<std::int64_t>(tensor, first, step, elements, same);
    case DType::Int32:
      return readAs<std::int32_t>(tensor, first, step, elements, same);
    case DType::Int16:
      return readAs<std::int16_t>(tensor, first, step, elements, same);
    case DType::Int8:
      return readAs<std::int8_t>(tensor, first, step, elements, same);
    case DType::UInt8:
      return readAs<std::uint8_t>(tensor, first, step, elements, same);
    case DType::Bool:
      return readAs<std::uint8_t>(
          tensor, first, step, elements, [](std::uint8_t value) { return value != 0 ? 1 : 0; });
  }
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
    releaseRange(m_pair.reference, m_first, m_last);
    releaseRange(m_pair.variant, m_first, m_last);
  }
  m_first = 0;
  m_last = -1;
  m_since = 0;
}

}  // namespace ulp::analysis
