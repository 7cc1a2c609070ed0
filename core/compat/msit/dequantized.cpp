#include "core/compat/msit/dequantized.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "core/numerics/rounding/quantize.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::compat::msit {
namespace {

using numerics::TensorView;
using Shape = std::vector<std::int64_t>;

constexpr std::size_t kBlock = 2048;  ///< elements that are computed at once

/// torch.promote_types() of a signed integer type or a floating one with another; nothing for types
/// that weights are not quantised with.
std::optional<DType> promoted(DType left, DType right) {
  const auto isPlain = [](DType dtype) {
    return dtype != DType::Float8E4M3FN && dtype != DType::Float8E5M2 && dtype != DType::UInt8 &&
           dtype != DType::Bool;
  };
  if (!isPlain(left) || !isPlain(right)) {
    return std::nullopt;
  }
  if (left == right) {
    return left;
  }
  if (isFloatingPoint(left) != isFloatingPoint(right)) {
    return isFloatingPoint(left) ? left : right;
  }
  // Of two integers the wider one; of two floats likewise, and float32 for the two of 16 bits.
  if (itemSize(left) == itemSize(right)) {
    return DType::Float32;
  }
  return itemSize(left) > itemSize(right) ? left : right;
}

/// Where in a tensor the elements of a broadcast shape stand.
class Broadcast {
 public:
  Broadcast(const TensorView& tensor, const Shape& shape)
      : m_tensor(tensor), m_strides(shape.size()) {
    std::size_t stride = 1;
    const std::size_t lead = shape.size() - tensor.shape.size();
    for (std::size_t i = tensor.shape.size(); i > 0; --i) {
      m_strides[lead + i - 1] = tensor.shape[i - 1] == 1 ? 0 : stride;
      stride *= static_cast<std::size_t>(tensor.shape[i - 1]);
    }
  }
  /// Those of a row from its place `first` on. `position`: of the row, without the last dimension.
  void read(const std::vector<std::size_t>& position,
            std::size_t first,
            std::span<double> elements) const {
    const std::size_t step = m_strides.empty() ? 1 : m_strides.back();
    std::size_t flat = first * step;
    for (std::size_t i = 0; i < position.size(); ++i) {
      flat += position[i] * m_strides[i];
    }
    numerics::readElements(
        m_tensor, static_cast<std::int64_t>(flat), static_cast<std::int64_t>(step), elements);
  }

 private:
  const TensorView& m_tensor;
  std::vector<std::size_t> m_strides;
};

std::optional<Shape> broadcastShape(const Shape& left, const Shape& right) {
  Shape shape(std::max(left.size(), right.size()), 1);
  for (const Shape* each : {&left, &right}) {
    const std::size_t lead = shape.size() - each->size();
    for (std::size_t i = 0; i < each->size(); ++i) {
      std::int64_t& extent = shape[lead + i];
      if ((*each)[i] != 1 && extent != 1 && extent != (*each)[i]) {
        return std::nullopt;
      }
      extent = extent == 1 ? (*each)[i] : extent;
    }
  }
  return shape;
}

void roundToFloat32(std::span<double> values) {
  for (double& value : values) {
    value = static_cast<double>(static_cast<float>(value));
  }
}

/// Whole numbers wrap around.
template <class Integer>
void wrap(std::span<double> values) {
  for (double& value : values) {
    value = static_cast<double>(static_cast<Integer>(static_cast<std::int64_t>(value)));
  }
}

/// Makes exact or nearly exact results what the type holds of them; at most kBlock. torch computes
/// 16 bits by way of float32.
void roundTo(DType dtype, std::span<double> values) {
  using numerics::NumberFormat;
  switch (dtype) {
    case DType::Float32:
      return roundToFloat32(values);
    case DType::Float16:
    case DType::BFloat16: {
      std::array<float, kBlock> block{};
      const std::span<float> narrow = std::span(block).first(values.size());
      std::transform(values.begin(), values.end(), narrow.begin(), [](double value) {
        return static_cast<float>(value);
      });
      const NumberFormat format =
          dtype == DType::Float16 ? NumberFormat::Float16 : NumberFormat::BFloat16;
      numerics::quantize(narrow, narrow, {.format = format});
      std::copy(narrow.begin(), narrow.end(), values.begin());
      return;
    }
    case DType::Int8:
      return wrap<std::int8_t>(values);
    case DType::Int16:
      return wrap<std::int16_t>(values);
    case DType::Int32:
      return wrap<std::int32_t>(values);
    default:
      return;
  }
}

/// Counts through a shape in row-major order.
void advance(std::vector<std::size_t>& position, const Shape& shape) {
  for (std::size_t i = position.size(); i > 0; --i) {
    if (++position[i - 1] < static_cast<std::size_t>(shape[i - 1])) {
      return;
    }
    position[i - 1] = 0;
  }
}

struct Operands {
  Broadcast weight;
  Broadcast offset;
  Broadcast scale;
};

/// (weight - offset) * scale, a part of a row at a time; `difference` is the type of the first
/// step.
void fill(Dequantized& made, DType difference, const Operands& operands) {
  const std::size_t rowSize = made.shape.empty() ? 1 : static_cast<std::size_t>(made.shape.back());
  const Shape rows(made.shape.begin(), made.shape.end() - (made.shape.empty() ? 0 : 1));
  std::vector<std::size_t> position(rows.size());
  std::array<double, kBlock> left{};
  std::array<double, kBlock> right{};
  for (std::size_t row = 0; row < made.values.size(); row += rowSize) {
    for (std::size_t first = 0; first < rowSize; first += kBlock) {
      const std::size_t size = std::min(kBlock, rowSize - first);
      const std::span<double> values = std::span(left).first(size);
      const std::span<double> others = std::span(right).first(size);
      operands.weight.read(position, first, values);
      operands.offset.read(position, first, others);
      roundTo(difference, others);
      std::transform(values.begin(), values.end(), others.begin(), values.begin(), std::minus<>());
      roundTo(difference, values);
      operands.scale.read(position, first, others);
      roundTo(made.dtype, others);
      std::transform(
          values.begin(), values.end(), others.begin(), values.begin(), std::multiplies<>());
      roundTo(made.dtype, values);
      std::transform(values.begin(),
                     values.end(),
                     made.values.begin() + static_cast<std::ptrdiff_t>(row + first),
                     [](double value) { return static_cast<float>(value); });
    }
    advance(position, rows);
  }
}

}  // namespace

Result<Dequantized> dequantized(const TensorView& weight,
                                const TensorView& offset,
                                const TensorView& scale) {
  const auto difference = promoted(weight.dtype, offset.dtype);
  const auto product = difference ? promoted(*difference, scale.dtype) : std::nullopt;
  if (!product || weight.dtype != DType::Int8 || !isFloatingPoint(scale.dtype)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("an offset of {} and a scale of {} do not make a weight of {}",
                            toString(offset.dtype),
                            toString(scale.dtype),
                            toString(weight.dtype)));
  }
  const auto first = broadcastShape(weight.shape, offset.shape);
  auto shape = first ? broadcastShape(*first, scale.shape) : std::nullopt;
  const auto count = shape ? tensors::checkedCount(*shape) : std::nullopt;
  if (!count) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("shapes [{}], [{}] and [{}] of weight, offset and scale do not fit",
                            fmt::join(weight.shape, ", "),
                            fmt::join(offset.shape, ", "),
                            fmt::join(scale.shape, ", ")));
  }
  Dequantized made{.shape = std::move(*shape), .dtype = *product};
  ULP_TRY(guarded([&] { made.values.resize(*count); }));
  fill(
      made,
      *difference,
      {Broadcast(weight, made.shape), Broadcast(offset, made.shape), Broadcast(scale, made.shape)});
  return made;
}

}  // namespace ulp::compat::msit
