#include "core/numerics/comparison/block_reader.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "core/numerics/scalar_formats.h"

namespace ulp::numerics::detail {
namespace {

using Widen = void (*)(const std::byte*, std::size_t, BlockReader::Buffer&);

/// Writes the numbers as Target, float or double, whatever the alignment of `from`.
template <class Source, class Target, auto kConvert>
void widen(const std::byte* from, std::size_t count, BlockReader::Buffer& buffer) {
  auto* const out = reinterpret_cast<std::byte*>(buffer.data());
  for (std::size_t i = 0; i < count; ++i) {
    Source element{};
    std::memcpy(&element, from + i * sizeof(Source), sizeof(Source));
    const Target value = kConvert(element);
    std::memcpy(out + i * sizeof(Target), &value, sizeof(Target));
  }
}

template <class Target>
constexpr auto kCast = [](auto element) { return static_cast<Target>(element); };

template <auto kDecode>
constexpr std::array<float, 256> decodeTable() {
  std::array<float, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = kDecode(static_cast<std::uint8_t>(i));
  }
  return table;
}

template <auto kDecode>
float lookUp(std::uint8_t bits) {
  static constexpr std::array<float, 256> kTable = decodeTable<kDecode>();
  return kTable[bits];
}

struct Reading {
  Native native;
  Widen widen;
};

Reading readingOf(DType dtype) {
  switch (dtype) {
    case DType::Float64:
      return {Native::Float64, nullptr};
    case DType::Float32:
      return {Native::Float32, nullptr};
    case DType::Float16:
      return {Native::Float16, nullptr};
    case DType::BFloat16:
      return {Native::BFloat16, nullptr};
    case DType::Float8E4M3FN:
      return {Native::Float32, widen<std::uint8_t, float, lookUp<decodeFloat8E4M3FN>>};
    case DType::Float8E5M2:
      return {Native::Float32, widen<std::uint8_t, float, lookUp<decodeFloat8E5M2>>};
    case DType::Int64:
      return {Native::Float64, widen<std::int64_t, double, kCast<double>>};
    case DType::Int32:
      return {Native::Float64, widen<std::int32_t, double, kCast<double>>};
    case DType::Int16:
      return {Native::Float32, widen<std::int16_t, float, kCast<float>>};
    case DType::Int8:
      return {Native::Float32, widen<std::int8_t, float, kCast<float>>};
    case DType::UInt8:
      return {Native::Float32, widen<std::uint8_t, float, kCast<float>>};
    case DType::Bool:
      return {
          Native::Float32,
          widen<std::uint8_t, float, [](std::uint8_t byte) { return byte != 0 ? 1.0F : 0.0F; }>};
  }
  return {Native::Float64, nullptr};
}

}  // namespace

BlockReader::BlockReader(const TensorView& tensor)
    : m_data(static_cast<const std::byte*>(tensor.data)),
      m_itemSize(itemSize(tensor.dtype)),
      m_native(readingOf(tensor.dtype).native),
      m_widen(readingOf(tensor.dtype).widen) {}

const std::byte* BlockReader::read(std::size_t first, std::size_t count, Buffer& buffer) const {
  const std::byte* from = m_data + first * m_itemSize;
  if (m_widen == nullptr) {
    return from;
  }
  m_widen(from, count, buffer);
  return reinterpret_cast<const std::byte*>(buffer.data());
}

}  // namespace ulp::numerics::detail
