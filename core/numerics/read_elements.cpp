#include "core/numerics/read_elements.h"

#include <cstddef>
#include <cstring>

#include "core/numerics/scalar_formats.h"

namespace ulp::numerics {
namespace {

template <class Stored, class Decode>
double decoded(const std::byte* from, Decode decode) {
  Stored stored{};
  std::memcpy(&stored, from, sizeof(Stored));
  return static_cast<double>(decode(stored));
}

template <class Stored, class Decode>
void readAs(const TensorView& tensor,
            std::int64_t first,
            std::int64_t step,
            std::span<double> elements,
            Decode decode) {
  const std::byte* from = static_cast<const std::byte*>(tensor.data) +
                          first * static_cast<std::int64_t>(sizeof(Stored));
  if (step == 1) {  // a loop of its own, which the compiler vectorises
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = decoded<Stored>(from + i * sizeof(Stored), decode);
    }
    return;
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::int64_t place = static_cast<std::int64_t>(i) * step;
    elements[i] = decoded<Stored>(from + place * static_cast<std::int64_t>(sizeof(Stored)), decode);
  }
}

}  // namespace

void readElements(const TensorView& tensor,
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
      return readAs<std::uint16_t>(tensor, first, step, elements, decodeFloat16);
    case DType::BFloat16:
      return readAs<std::uint16_t>(tensor, first, step, elements, decodeBFloat16);
    case DType::Float8E4M3FN:
      return readAs<std::uint8_t>(tensor, first, step, elements, decodeFloat8E4M3FN);
    case DType::Float8E5M2:
      return readAs<std::uint8_t>(tensor, first, step, elements, decodeFloat8E5M2);
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

}  // namespace ulp::numerics
