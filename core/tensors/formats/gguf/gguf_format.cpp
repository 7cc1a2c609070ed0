#include "core/tensors/formats/gguf/gguf_format.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/stop_pace.h"
#include "core/base/threads.h"

namespace ulp::tensors {
namespace {

using Byte = std::uint8_t;

constexpr std::size_t kSmall = 32;   // elements of a block of the Qx_0 and Qx_1 formats
constexpr std::size_t kSuper = 256;  // elements of a block of the Qx_K formats

/// IEEE half to single, exactly; the payload of a NaN is kept.
float halfAt(const Byte* bytes) {
  std::uint16_t half = 0;
  std::memcpy(&half, bytes, sizeof half);
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU;
  const std::uint32_t mantissa = half & 0x3FFU;
  if (exponent == 0) {
    constexpr float kTwoToMinus24 = 0x1p-24F;
    const float magnitude = static_cast<float>(mantissa) * kTwoToMinus24;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  constexpr std::uint32_t kBiasDifference = 112;
  const std::uint32_t wide = exponent == 0x1F ? 0xFFU : exponent + kBiasDifference;
  return std::bit_cast<float>(sign | (wide << 23U) | (mantissa << 13U));
}

/// Low nibbles of 16 bytes, then their high nibbles.
void nibbles(const Byte* packed, std::array<Byte, kSmall>& q) {
  for (std::size_t i = 0; i < kSmall / 2; ++i) {
    q[i] = packed[i] & 0x0FU;
    q[i + kSmall / 2] = static_cast<Byte>(packed[i] >> 4U);
  }
}

/// As nibbles(), with bit i of the 32-bit word at `high` as the fifth bit of element i.
void fiveBits(const Byte* packed, const Byte* high, std::array<Byte, kSmall>& q) {
  nibbles(packed, q);
  std::uint32_t word = 0;
  std::memcpy(&word, high, sizeof word);
  for (std::size_t i = 0; i < kSmall; ++i) {
    q[i] = static_cast<Byte>(q[i] | (((word >> i) & 1U) << 4U));
  }
}

/// out = scale * (q - offset)
template <std::size_t kCount>
void scaled(float scale, const Byte* q, int offset, float* out) {
  for (std::size_t i = 0; i < kCount; ++i) {
    out[i] = scale * static_cast<float>(static_cast<int>(q[i]) - offset);
  }
}

/// out = scale * q + shift
template <std::size_t kCount>
void shifted(float scale, const Byte* q, float shift, float* out) {
  for (std::size_t i = 0; i < kCount; ++i) {
    out[i] = scale * static_cast<float>(static_cast<int>(q[i])) + shift;
  }
}

/// out = scale * q - minimum; not the same as shifted(-minimum) where both are NaN.
template <std::size_t kCount>
void lowered(float scale, const Byte* q, float minimum, float* out) {
  for (std::size_t i = 0; i < kCount; ++i) {
    out[i] = scale * static_cast<float>(static_cast<int>(q[i])) - minimum;
  }
}

struct ScaleMin {
  std::array<Byte, 8> scale;
  std::array<Byte, 8> minimum;
};

/// Eight scales and eight minima of six bits in twelve bytes (Q4_K, Q5_K).
ScaleMin unpackScaleMin(const Byte* packed) {
  ScaleMin result{};
  for (std::size_t i = 0; i < 4; ++i) {
    const unsigned low = packed[i];
    const unsigned middle = packed[i + 4];
    const unsigned high = packed[i + 8];
    result.scale[i] = static_cast<Byte>(low & 0x3FU);
    result.minimum[i] = static_cast<Byte>(middle & 0x3FU);
    result.scale[i + 4] = static_cast<Byte>((high & 0x0FU) | ((low >> 2U) & 0x30U));
    result.minimum[i + 4] = static_cast<Byte>((high >> 4U) | ((middle >> 2U) & 0x30U));
  }
  return result;
}

/// Sixteen scales of six bits in twelve bytes (Q3_K).
std::array<Byte, 16> unpackScales(const Byte* packed) {
  std::array<Byte, 16> scales{};
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const unsigned low = packed[i % 8] >> (i < 8 ? 0U : 4U);
    const unsigned high = packed[8 + i % 4] >> (2 * (i / 4));
    scales[i] = static_cast<Byte>((low & 0x0FU) | ((high & 0x03U) << 4U));
  }
  return scales;
}

// The decoders multiply and add single-precision numbers in the order of `gguf.quants` 0.19, so
// that results agree bit for bit; this file is compiled without contraction to fused multiply-add.

void q40(const Byte* block, float* out) {
  std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  nibbles(block + 2, q);
  scaled<kSmall>(halfAt(block), q.data(), 8, out);
}

void q41(const Byte* block, float* out) {
  std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  nibbles(block + 4, q);
  shifted<kSmall>(halfAt(block), q.data(), halfAt(block + 2), out);
}

void q50(const Byte* block, float* out) {
  std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  fiveBits(block + 6, block + 2, q);
  scaled<kSmall>(halfAt(block), q.data(), 16, out);
}

void q51(const Byte* block, float* out) {
  std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  fiveBits(block + 8, block + 4, q);
  shifted<kSmall>(halfAt(block), q.data(), halfAt(block + 2), out);
}

void q80(const Byte* block, float* out) {
  const float scale = halfAt(block);
  for (std::size_t i = 0; i < kSmall; ++i) {
    out[i] = static_cast<float>(static_cast<std::int8_t>(block[2 + i])) * scale;
  }
}

void q2K(const Byte* block, float* out) {
  constexpr std::size_t kGroup = 16;
  const Byte* scales = block;
  const Byte* packed = block + 16;
  const float d = halfAt(block + 80);
  const float dmin = halfAt(block + 82);
  for (std::size_t group = 0; group < kSuper / kGroup; ++group) {
    const unsigned code = scales[group];
    const float scale = d * static_cast<float>(code & 0x0FU);
    const float minimum = dmin * static_cast<float>(code >> 4U);
    const Byte* source = packed + group / 8 * 32 + group % 2 * kGroup;
    const unsigned shift = 2 * (group / 2 % 4);
    std::array<Byte, kGroup> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (std::size_t i = 0; i < kGroup; ++i) {
      q[i] = static_cast<Byte>((source[i] >> shift) & 3U);
    }
    lowered<kGroup>(scale, q.data(), minimum, out + group * kGroup);
  }
}

void q3K(const Byte* block, float* out) {
  constexpr std::size_t kGroup = 16;
  const Byte* mask = block;
  const Byte* packed = block + 32;
  const auto scales = unpackScales(block + 96);
  const float d = halfAt(block + 108);
  for (std::size_t group = 0; group < kSuper / kGroup; ++group) {
    const float scale = d * static_cast<float>(static_cast<int>(scales[group]) - 32);
    const Byte* low = packed + group / 8 * 32 + group % 2 * kGroup;
    const Byte* high = mask + group % 2 * kGroup;
    const unsigned lowShift = 2 * (group / 2 % 4);
    const auto highShift = static_cast<unsigned>(group / 2);
    std::array<Byte, kGroup> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (std::size_t i = 0; i < kGroup; ++i) {
      // A set mask bit means that nothing is subtracted, a clear one that 4 is.
      q[i] = static_cast<Byte>(((low[i] >> lowShift) & 3U) | (((high[i] >> highShift) & 1U) << 2U));
    }
    scaled<kGroup>(scale, q.data(), 4, out + group * kGroup);
  }
}

void q4K(const Byte* block, float* out) {
  const float d = halfAt(block);
  const float dmin = halfAt(block + 2);
  const ScaleMin packed = unpackScaleMin(block + 4);
  for (std::size_t group = 0; group < kSuper / kSmall; ++group) {
    const float scale = d * static_cast<float>(static_cast<int>(packed.scale[group]));
    const float minimum = dmin * static_cast<float>(static_cast<int>(packed.minimum[group]));
    const Byte* source = block + 16 + group / 2 * kSmall;
    const unsigned shift = group % 2 * 4;
    std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (std::size_t i = 0; i < kSmall; ++i) {
      q[i] = static_cast<Byte>((source[i] >> shift) & 0x0FU);
    }
    lowered<kSmall>(scale, q.data(), minimum, out + group * kSmall);
  }
}

void q5K(const Byte* block, float* out) {
  const float d = halfAt(block);
  const float dmin = halfAt(block + 2);
  const ScaleMin packed = unpackScaleMin(block + 4);
  const Byte* high = block + 16;
  for (std::size_t group = 0; group < kSuper / kSmall; ++group) {
    const float scale = d * static_cast<float>(static_cast<int>(packed.scale[group]));
    const float minimum = dmin * static_cast<float>(static_cast<int>(packed.minimum[group]));
    const Byte* source = block + 48 + group / 2 * kSmall;
    const unsigned shift = group % 2 * 4;
    std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (std::size_t i = 0; i < kSmall; ++i) {
      q[i] = static_cast<Byte>(((source[i] >> shift) & 0x0FU) | (((high[i] >> group) & 1U) << 4U));
    }
    lowered<kSmall>(scale, q.data(), minimum, out + group * kSmall);
  }
}

void q6K(const Byte* block, float* out) {
  constexpr std::size_t kGroup = 16;
  const Byte* scales = block + 192;
  const float d = halfAt(block + 208);
  for (std::size_t group = 0; group < kSuper / kGroup; ++group) {
    const float scale = d * static_cast<float>(static_cast<std::int8_t>(scales[group]));
    const Byte* low = block + group / 8 * 64 + group % 4 * kGroup;
    const Byte* high = block + 128 + group / 8 * 32 + group % 2 * kGroup;
    const unsigned lowShift = group / 4 % 2 * 4;
    const unsigned highShift = 2 * (group / 2 % 4);
    std::array<Byte, kGroup> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (std::size_t i = 0; i < kGroup; ++i) {
      q[i] =
          static_cast<Byte>(((low[i] >> lowShift) & 0x0FU) | (((high[i] >> highShift) & 3U) << 4U));
    }
    scaled<kGroup>(scale, q.data(), 32, out + group * kGroup);
  }
}

/// Decodes `count` blocks of kBytes bytes and kElements elements, each by `one`.
template <void (*one)(const Byte*, float*), std::size_t kElements, std::size_t kBytes>
void decodeAll(const std::byte* blocks, float* elements, std::size_t count) {
  const auto* block = reinterpret_cast<const Byte*>(blocks);
  for (std::size_t i = 0; i < count; ++i, block += kBytes, elements += kElements) {
    one(block, elements);
  }
}

constexpr auto decodeQ40 = decodeAll<q40, kSmall, 18>;
constexpr auto decodeQ41 = decodeAll<q41, kSmall, 20>;
constexpr auto decodeQ50 = decodeAll<q50, kSmall, 22>;
constexpr auto decodeQ51 = decodeAll<q51, kSmall, 24>;
constexpr auto decodeQ80 = decodeAll<q80, kSmall, 34>;
constexpr auto decodeQ2K = decodeAll<q2K, kSuper, 84>;
constexpr auto decodeQ3K = decodeAll<q3K, kSuper, 110>;
constexpr auto decodeQ4K = decodeAll<q4K, kSuper, 144>;
constexpr auto decodeQ5K = decodeAll<q5K, kSuper, 176>;
constexpr auto decodeQ6K = decodeAll<q6K, kSuper, 210>;

using D = DType;
constexpr std::nullopt_t kPacked = std::nullopt;

// Numbers and block sizes as in ggml.h; formats without a decoder are there so that the extent of
// their tensors can be checked.
constexpr std::array<GgufFormat, 34> kFormats{{
    {0, "F32", 1, 4, D::Float32, nullptr},      {1, "F16", 1, 2, D::Float16, nullptr},
    {2, "Q4_0", 32, 18, kPacked, decodeQ40},    {3, "Q4_1", 32, 20, kPacked, decodeQ41},
    {6, "Q5_0", 32, 22, kPacked, decodeQ50},    {7, "Q5_1", 32, 24, kPacked, decodeQ51},
    {8, "Q8_0", 32, 34, kPacked, decodeQ80},    {9, "Q8_1", 32, 36, kPacked, nullptr},
    {10, "Q2_K", 256, 84, kPacked, decodeQ2K},  {11, "Q3_K", 256, 110, kPacked, decodeQ3K},
    {12, "Q4_K", 256, 144, kPacked, decodeQ4K}, {13, "Q5_K", 256, 176, kPacked, decodeQ5K},
    {14, "Q6_K", 256, 210, kPacked, decodeQ6K}, {15, "Q8_K", 256, 292, kPacked, nullptr},
    {16, "IQ2_XXS", 256, 66, kPacked, nullptr}, {17, "IQ2_XS", 256, 74, kPacked, nullptr},
    {18, "IQ3_XXS", 256, 98, kPacked, nullptr}, {19, "IQ1_S", 256, 50, kPacked, nullptr},
    {20, "IQ4_NL", 32, 18, kPacked, nullptr},   {21, "IQ3_S", 256, 110, kPacked, nullptr},
    {22, "IQ2_S", 256, 82, kPacked, nullptr},   {23, "IQ4_XS", 256, 136, kPacked, nullptr},
    {24, "I8", 1, 1, D::Int8, nullptr},         {25, "I16", 1, 2, D::Int16, nullptr},
    {26, "I32", 1, 4, D::Int32, nullptr},       {27, "I64", 1, 8, D::Int64, nullptr},
    {28, "F64", 1, 8, D::Float64, nullptr},     {29, "IQ1_M", 256, 56, kPacked, nullptr},
    {30, "BF16", 1, 2, D::BFloat16, nullptr},   {34, "TQ1_0", 256, 54, kPacked, nullptr},
    {35, "TQ2_0", 256, 66, kPacked, nullptr},   {39, "MXFP4", 32, 17, kPacked, nullptr},
    {40, "NVFP4", 64, 36, kPacked, nullptr},    {41, "Q1_0", 128, 18, kPacked, nullptr},
}};

}  // namespace

const GgufFormat* findGgufFormat(std::uint32_t id) {
  const auto* const found = std::ranges::find(kFormats, id, &GgufFormat::id);
  return found == kFormats.end() ? nullptr : found;
}

const GgufFormat* findGgufFormat(std::string_view name) {
  const auto* const found = std::ranges::find(kFormats, name, &GgufFormat::name);
  return found == kFormats.end() ? nullptr : found;
}

Result<> decodeBlocks(const GgufFormat& format,
                      std::span<const std::byte> blocks,
                      std::span<float> elements) {
  // Below this number of elements a thread costs more than it saves.
  constexpr std::size_t kGrain = std::size_t{1} << 17U;
  const std::size_t count = elements.size() / format.blockElements;
  const std::size_t parts = threadsFor(elements.size() / kGrain);
  std::atomic<bool> isCut = false;
  const auto decodePart = [&](std::size_t part) {
    const std::size_t begin = count * part / parts;
    const std::size_t end = count * (part + 1) / parts;
    const std::size_t step = kGrain / format.blockElements;
    StopPace pace(1);
    for (std::size_t at = begin; at < end; at += step) {
      if (pace.isStopped()) {
        isCut = true;
        return;
      }
      format.decode(blocks.data() + at * format.blockBytes,
                    elements.data() + at * format.blockElements,
                    std::min(step, end - at));
    }
  };
  ULP_TRY(runOnThreads(parts, decodePart));
  return isCut ? Result<>(stopped()) : Result<>();
}

}  // namespace ulp::tensors
