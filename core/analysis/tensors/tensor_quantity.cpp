#include "core/analysis/tensors/tensor_quantity.h"

#include <algorithm>
#include <bit>

#include "core/base/undefined.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/tensor_view.h"

namespace ulp::analysis {
namespace {

double relativeDifference(double reference, double variant) {
  const double difference = std::abs(reference - variant);
  if (reference != 0) {
    return difference / std::abs(reference);
  }
  return difference == 0 ? 0 : kUndefined;
}

}  // namespace

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
      return reference - variant;
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
    compute([](double a, double b) { return a - b; });
  } else if (m_quantity == Quantity::AbsoluteDifference) {
    compute([](double a, double b) { return std::abs(a - b); });
  } else {
    compute([this](double a, double b) { return valueOf(a, b); });
  }
}

}  // namespace ulp::analysis
