#include "core/analysis/tensors/tensor_pair.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/base/undefined.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {
namespace {

void giveBack(const tensors::Tensor& tensor, std::int64_t first, std::int64_t last) {
  tensors::giveBack(
      tensor, static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1));
}

double relativeDifference(double reference, double variant) {
  const double difference = std::abs(reference - variant);
  if (reference != 0) {
    return difference / std::abs(reference);
  }
  return difference == 0 ? 0 : kUndefined;
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

Result<> bring(const TensorPair& pair, const tensors::ElementGrid& wanted) {
  ULP_TRY(tensors::bring(pair.reference, wanted));
  return tensors::bring(pair.variant, wanted);
}

bool isHere(const TensorPair& pair, const tensors::ElementGrid& wanted) {
  return tensors::isHere(pair.reference, wanted) && tensors::isHere(pair.variant, wanted);
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

UlpSpacing::UlpSpacing(DType format)
    : m_least(numerics::ulpOf(0, format)),
      m_ofOne(numerics::ulpOf(1, format)),
      m_isConstant(!isFloatingPoint(format)) {}

double UlpSpacing::at(double value) const {
  if (m_isConstant) {
    return m_least;
  }
  constexpr std::uint64_t kExponent = std::uint64_t{0x7FF} << 52;
  const auto power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & kExponent);
  return std::max(m_least, power * m_ofOne);
}

double QuantityReader::valueOf(double reference, double variant) const {
  switch (m_quantity) {
    case Quantity::Reference:
      return reference;
    case Quantity::Variant:
      return variant;
    case Quantity::Difference:
      return variant - reference;
    case Quantity::AbsoluteDifference:
      return std::abs(reference - variant);
    case Quantity::RelativeDifference:
      return relativeDifference(reference, variant);
    case Quantity::Ulp:
      return std::isfinite(reference) ? std::abs(reference - variant) / m_spacing.at(reference)
                                      : kUndefined;
  }
  return kUndefined;
}

void QuantityReader::read(std::int64_t first,
                          std::int64_t step,
                          std::span<double> values,
                          std::span<std::uint8_t> nonFinite) const {
  if (m_quantity == Quantity::Reference || m_quantity == Quantity::Variant) {
    const bool isReference = m_quantity == Quantity::Reference;
    numerics::readElements(
        isReference ? m_pair.reference.view : m_pair.variant.view, first, step, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      nonFinite[i] = std::isfinite(values[i]) ? 0 : 1;
    }
    return;
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below as far as it is read
  std::array<double, kBlock> buffer;
  const std::span<double> variant(buffer.data(), values.size());
  numerics::readElements(m_pair.reference.view, first, step, values);
  numerics::readElements(m_pair.variant.view, first, step, variant);
  const auto compute = [&](auto quantity) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool bothFinite = std::isfinite(values[i]) && std::isfinite(variant[i]);
      values[i] = quantity(values[i], variant[i]);
      nonFinite[i] = bothFinite && !std::isinf(values[i]) ? 0 : 1;
    }
  };
  // The choice is made once a block instead of once an element.
  if (m_quantity == Quantity::Difference) {
    compute([](double a, double b) { return b - a; });
  } else if (m_quantity == Quantity::AbsoluteDifference) {
    compute([](double a, double b) { return std::abs(a - b); });
  } else {
    compute([this](double a, double b) { return valueOf(a, b); });
  }
}

}  // namespace ulp::analysis
