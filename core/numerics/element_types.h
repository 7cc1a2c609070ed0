#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/dtype.h"
#include "core/numerics/scalar_formats.h"

namespace ulp::numerics {

/// How elements of a type lie in memory, and what numbers they are.
template <class StoredType, auto kDecode>
struct ElementType {
  using Stored = StoredType;

  /// Reads one at any alignment.
  static auto read(const std::byte* from) {
    Stored stored{};
    std::memcpy(&stored, from, sizeof(Stored));
    return kDecode(stored);
  }
};

/// A number that is kept as itself; integers are given as doubles.
template <class Stored>
constexpr auto decodePlain(Stored value) {
  if constexpr (std::is_floating_point_v<Stored>) {
    return value;
  } else {
    return static_cast<double>(value);
  }
}
template <class Stored>
using PlainType = ElementType<Stored, decodePlain<Stored>>;

constexpr double decodeBool(std::uint8_t value) {
  return value != 0 ? 1 : 0;
}

/// Calls `visit` with the ElementType of a dtype, whose numbers are floats or doubles.
template <class Visit>
auto withElementType(DType dtype, const Visit& visit) {
  switch (dtype) {
    case DType::Float64:
      return visit(PlainType<double>());
    case DType::Float32:
      return visit(PlainType<float>());
    case DType::Float16:
      return visit(ElementType<std::uint16_t, decodeFloat16>());
    case DType::BFloat16:
      return visit(ElementType<std::uint16_t, decodeBFloat16>());
    case DType::Float8E4M3FN:
      return visit(ElementType<std::uint8_t, decodeFloat8E4M3FN>());
    case DType::Float8E5M2:
      return visit(ElementType<std::uint8_t, decodeFloat8E5M2>());
    case DType::Int64:
      return visit(PlainType<std::int64_t>());
    case DType::Int32:
      return visit(PlainType<std::int32_t>());
    case DType::Int16:
      return visit(PlainType<std::int16_t>());
    case DType::Int8:
      return visit(PlainType<std::int8_t>());
    case DType::UInt8:
      return visit(PlainType<std::uint8_t>());
    case DType::Bool:
      break;
  }
  return visit(ElementType<std::uint8_t, decodeBool>());
}

}  // namespace ulp::numerics
