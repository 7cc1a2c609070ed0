#include "core/numerics/tensor_view.h"

#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "core/numerics/scalar_formats.h"

namespace ulp::numerics {
namespace {

/// Reads at any alignment.
template <class T>
T readAs(const std::byte* from) {
  T value{};
  std::memcpy(&value, from, sizeof(T));
  return value;
}

}  // namespace

std::size_t TensorView::count() const {
  return std::accumulate(
      shape.begin(), shape.end(), std::size_t{1}, [](std::size_t n, std::int64_t d) {
        return n * static_cast<std::size_t>(d);
      });
}

double elementAt(const TensorView& tensor, std::size_t flat) {
  const auto* from = static_cast<const std::byte*>(tensor.data) + flat * itemSize(tensor.dtype);
  switch (tensor.dtype) {
    case DType::Float64:
      return readAs<double>(from);
    case DType::Float32:
      return readAs<float>(from);
    case DType::Float16:
      return decodeFloat16(readAs<std::uint16_t>(from));
    case DType::BFloat16:
      return decodeBFloat16(readAs<std::uint16_t>(from));
    case DType::Float8E4M3FN:
      return decodeFloat8E4M3FN(readAs<std::uint8_t>(from));
    case DType::Float8E5M2:
      return decodeFloat8E5M2(readAs<std::uint8_t>(from));
    case DType::Int64:
      return static_cast<double>(readAs<std::int64_t>(from));
    case DType::Int32:
      return readAs<std::int32_t>(from);
    case DType::Int16:
      return readAs<std::int16_t>(from);
    case DType::Int8:
      return readAs<std::int8_t>(from);
    case DType::UInt8:
      return readAs<std::uint8_t>(from);
    case DType::Bool:
      return readAs<std::uint8_t>(from) != 0 ? 1 : 0;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::int64_t> unravel(std::size_t flat, std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[i]);
    index[i] = static_cast<std::int64_t>(flat % size);
    flat /= size;
  }
  return index;
}

}  // namespace ulp::numerics
