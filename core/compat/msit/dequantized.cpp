#include "core/compat/msit/dequantized.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "core/numerics/quantize.h"
#include "core/tensors/byte_source.h"

namespace ulp::compat::msit {
namespace {

using numerics::TensorView;
using Shape = std::vector<std::int64_t>;

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
  [[nodiscard]] double at(const std::vector<std::size_t>& position) const {
    std::size_t flat = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
      flat += position[i] * m_strides[i];
    }
    return numerics::elementAt(m_tensor, flat);
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

/// An exact or nearly exact result as the type holds it. torch computes 16 bits by way of float32.
double rounded(DType dtype, double value) {
  using numerics::NumberFormat;
  switch (dtype) {
    case DType::Float64:
      return value;
    case DType::Float32:
      return static_cast<float>(value);
    case DType::Float16:
    case DType::BFloat16: {
      auto narrow = static_cast<float>(value);
      const NumberFormat format =
          dtype == DType::Float16 ? NumberFormat::Float16 : NumberFormat::BFloat16;
      numerics::quantize(std::span(&narrow, 1), std::span(&narrow, 1), {.format = format});
      return narrow;
    }
    case DType::Int8:
      return static_cast<std::int8_t>(static_cast<std::int64_t>(value));
    case DType::Int16:
      return static_cast<std::int16_t>(static_cast<std::int64_t>(value));
    case DType::Int32:
      return static_cast<std::int32_t>(static_cast<std::int64_t>(value));
    default:
      return value;
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
  if (auto sized = guarded([&] { made.values.resize(*count); }); !sized) {
    return tl::unexpected<Error>(std::move(sized.error()));
  }
  const Broadcast weights(weight, made.shape);
  const Broadcast offsets(offset, made.shape);
  const Broadcast scales(scale, made.shape);
  std::vector<std::size_t> position(made.shape.size());
  for (float& value : made.values) {
    const double exact = weights.at(position) - rounded(*difference, offsets.at(position));
    value = static_cast<float>(rounded(
        made.dtype, rounded(*difference, exact) * rounded(made.dtype, scales.at(position))));
    advance(position, made.shape);
  }
  return made;
}

}  // namespace ulp::compat::msit
