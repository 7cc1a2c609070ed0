#include "core/tensors/formats/atb/atb_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "core/tensors/elements/shown_tensor.h"

namespace ulp::tensors {
namespace {

using enum AtbReading;

constexpr std::string_view kSixBits =
    "CANN packs four of them into three bytes and does not say in which order; dump the tensor as "
    "float32 or another plain type";

constexpr std::array<AtbType, 28> kAtbTypes{{
    {-1, "undefined", Refused, {}, 0, "the dumper did not know the type either"},
    {0, "float32", Stored, DType::Float32, 32, {}},
    {1, "float16", Stored, DType::Float16, 16, {}},
    {2, "int8", Stored, DType::Int8, 8, {}},
    {3, "int32", Stored, DType::Int32, 32, {}},
    {4, "uint8", Stored, DType::UInt8, 8, {}},
    {6, "int16", Stored, DType::Int16, 16, {}},
    {7, "uint16", Stored, DType::Int32, 16, {}},
    {8, "uint32", Stored, DType::Int64, 32, {}},
    {9, "int64", Stored, DType::Int64, 64, {}},
    {10, "uint64", Stored, DType::Int64, 64, {}},
    {11, "float64", Stored, DType::Float64, 64, {}},
    {12, "bool", Stored, DType::Bool, 8, {}},
    {13, "string", Refused, {}, 0, "texts are no numbers; leave the tensor out of the dump"},
    {16, "complex64", Pairs, DType::Float32, 64, {}},
    {17, "complex128", Pairs, DType::Float64, 128, {}},
    {27, "bfloat16", Stored, DType::BFloat16, 16, {}},
    {29, "int4", Decoded, DType::Int8, 4, {}},
    {30, "uint1", Decoded, DType::UInt8, 1, {}},
    {33, "complex32", Pairs, DType::Float16, 32, {}},
    {34, "hifloat8", Decoded, DType::Float32, 8, {}},
    {35, "float8_e5m2", Stored, DType::Float8E5M2, 8, {}},
    {36, "float8_e4m3fn", Stored, DType::Float8E4M3FN, 8, {}},
    {37, "float8_e8m0fnu", Stored, DType::Float32, 8, {}},
    {38, "float6_e3m2", Refused, {}, 0, kSixBits},
    {39, "float6_e2m3", Refused, {}, 0, kSixBits},
    {40, "float4_e2m1", Decoded, DType::Float32, 4, {}},
    {41, "float4_e1m2", Decoded, DType::Float32, 4, {}},
}};

constexpr std::size_t kBitsOfByte = 8;

/// Magnitudes of the numbers of four bits; the fourth is the sign.
constexpr std::array<float, 8> kFloat4E2M1{0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
constexpr std::array<float, 8> kFloat4E1M2{0, 0.25F, 0.5F, 0.75F, 1, 1.25F, 1.5F, 1.75F};

float signedOf(const std::array<float, 8>& magnitudes, unsigned code) {
  const float magnitude = magnitudes.at(code & 7U);
  return (code & 8U) != 0 ? -magnitude : magnitude;
}

/// How a magnitude of HiFloat8 is divided behind its prefix ("dot"): exponent as sign and magnitude
/// without its leading one, then mantissa.
struct HiFloat8Fields {
  unsigned first;  ///< smallest code with this prefix
  unsigned exponentBits;
  unsigned mantissaBits;
};
constexpr std::array<HiFloat8Fields, 5> kHiFloat8{
    {{0x60, 4, 1}, {0x40, 3, 2}, {0x20, 2, 3}, {0x10, 1, 3}, {0x08, 0, 3}}};

constexpr std::uint32_t floatBits(int exponent, std::uint32_t mantissa) {
  constexpr int kBias = 127;
  return static_cast<std::uint32_t>(exponent + kBias) << 23U | mantissa;
}

std::uint32_t magnitudeOfHiFloat8(unsigned code) {
  constexpr unsigned kInfinity = 0x6F;
  constexpr int kDenormalBias = 23;
  if (code == kInfinity) {
    return 0x7F800000;
  }
  if (code < kHiFloat8.back().first) {
    return code == 0 ? 0 : floatBits(static_cast<int>(code) - kDenormalBias, 0);
  }
  const HiFloat8Fields& fields =
      *std::find_if(kHiFloat8.begin(), kHiFloat8.end(), [code](const HiFloat8Fields& each) {
        return code >= each.first;
      });
  const unsigned rest = code - fields.first;
  const unsigned mantissa = rest & ((1U << fields.mantissaBits) - 1U);
  int exponent = 0;
  if (fields.exponentBits > 0) {
    const unsigned leading = 1U << (fields.exponentBits - 1U);
    const unsigned stored = rest >> fields.mantissaBits;
    const auto size = static_cast<int>(leading | (stored & (leading - 1U)));
    exponent = (stored & leading) != 0 ? -size : size;
  }
  return floatBits(exponent, mantissa << (23U - fields.mantissaBits));
}

float hiFloat8(unsigned code) {
  constexpr unsigned kNan = 0x80;
  if (code == kNan) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  return std::bit_cast<float>((code & 0x80U) << 24U | magnitudeOfHiFloat8(code & 0x7FU));
}

/// `decode` gives the number for the bits of one element.
template <class Shown, class Decode>
Result<Tensor> unpack(std::span<const std::byte> stored,
                      std::size_t bits,
                      const TensorInfo& info,
                      const Decode& decode) {
  const std::size_t perByte = kBitsOfByte / bits;
  const unsigned mask = (1U << bits) - 1U;
  return decodedTensor<Shown>(info, [&](std::size_t i) -> Shown {
    const auto byte = std::to_integer<unsigned>(stored[i / perByte]);
    return decode(byte >> (i % perByte * bits) & mask);
  });
}

}  // namespace

const AtbType* findAtbType(int code) {
  const auto* const found = std::ranges::find(kAtbTypes, code, &AtbType::code);
  return found == kAtbTypes.end() ? nullptr : found;
}

std::string atbTypeName(int code) {
  const AtbType* const type = findAtbType(code);
  if (type != nullptr && type->reading != Refused) {
    return std::string(type->name);
  }
  return "ATB type " + std::to_string(code) +
         (type == nullptr ? "" : " (" + std::string(type->name) + ")");
}

std::string whyNotRead(int code) {
  const AtbType* const type = findAtbType(code);
  return "elements of type " + atbTypeName(code) + " are not read: " +
         std::string(type == nullptr ? "CANN has no such type; the file is damaged or of a later "
                                       "version"
                                     : type->why);
}

std::vector<std::int64_t> shownShape(int code, std::vector<std::int64_t> shape) {
  const AtbType* const type = findAtbType(code);
  if (type != nullptr && type->reading == Pairs) {
    shape.push_back(2);
  }
  return shape;
}

std::optional<std::uint64_t> storedBytes(const AtbType& type, std::uint64_t count) {
  if (type.bits < kBitsOfByte) {
    const std::size_t perByte = kBitsOfByte / type.bits;
    return count / perByte + (count % perByte != 0 ? 1 : 0);
  }
  const std::uint64_t each = type.bits / kBitsOfByte;
  const bool fits = count <= std::numeric_limits<std::uint64_t>::max() / each;
  return fits ? std::optional(count * each) : std::nullopt;
}

Result<Tensor> decodeAtb(std::span<const std::byte> stored,
                         const AtbType& type,
                         const TensorInfo& info) {
  if (type.name == "int4") {
    return unpack<std::int8_t>(stored, type.bits, info, [](unsigned code) {
      return static_cast<std::int8_t>(static_cast<int>(code ^ 8U) - 8);
    });
  }
  if (type.name == "uint1") {
    return unpack<std::uint8_t>(
        stored, type.bits, info, [](unsigned code) { return static_cast<std::uint8_t>(code); });
  }
  if (type.name == "hifloat8") {
    return unpack<float>(stored, type.bits, info, hiFloat8);
  }
  const std::array<float, 8>& magnitudes = type.name == "float4_e2m1" ? kFloat4E2M1 : kFloat4E1M2;
  return unpack<float>(
      stored, type.bits, info, [&magnitudes](unsigned code) { return signedOf(magnitudes, code); });
}

}  // namespace ulp::tensors
