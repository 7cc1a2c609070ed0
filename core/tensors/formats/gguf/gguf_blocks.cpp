#include "core/tensors/formats/gguf/gguf_blocks.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

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

/// Calls one(block, elements) for each block of kBytes bytes and kElements elements.
template <std::size_t kBytes, std::size_t kElements, class One>
void eachBlock(const std::byte* blocks, float* elements, std::size_t count, const One& one) {
  const auto* block = reinterpret_cast<const Byte*>(blocks);
  for (std::size_t i = 0; i < count; ++i, block += kBytes, elements += kElements) {
    one(block, elements);
  }
}

}  // namespace

void decodeQ40(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<18, kSmall>(blocks, elements, count, [](const Byte* block, float* out) {
    std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    nibbles(block + 2, q);
    scaled<kSmall>(halfAt(block), q.data(), 8, out);
  });
}

void decodeQ41(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<20, kSmall>(blocks, elements, count, [](const Byte* block, float* out) {
    std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    nibbles(block + 4, q);
    shifted<kSmall>(halfAt(block), q.data(), halfAt(block + 2), out);
  });
}

void decodeQ50(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<22, kSmall>(blocks, elements, count, [](const Byte* block, float* out) {
    std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    fiveBits(block + 6, block + 2, q);
    scaled<kSmall>(halfAt(block), q.data(), 16, out);
  });
}

void decodeQ51(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<24, kSmall>(blocks, elements, count, [](const Byte* block, float* out) {
    std::array<Byte, kSmall> q;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    fiveBits(block + 8, block + 4, q);
    shifted<kSmall>(halfAt(block), q.data(), halfAt(block + 2), out);
  });
}

void decodeQ80(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<34, kSmall>(blocks, elements, count, [](const Byte* block, float* out) {
    const float scale = halfAt(block);
    for (std::size_t i = 0; i < kSmall; ++i) {
      out[i] = static_cast<float>(static_cast<std::int8_t>(block[2 + i])) * scale;
    }
  });
}

void decodeQ2K(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<84, kSuper>(blocks, elements, count, [](const Byte* block, float* out) {
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
  });
}

void decodeQ3K(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<110, kSuper>(blocks, elements, count, [](const Byte* block, float* out) {
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
        q[i] =
            static_cast<Byte>(((low[i] >> lowShift) & 3U) | (((high[i] >> highShift) & 1U) << 2U));
      }
      scaled<kGroup>(scale, q.data(), 4, out + group * kGroup);
    }
  });
}

void decodeQ4K(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<144, kSuper>(blocks, elements, count, [](const Byte* block, float* out) {
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
  });
}

void decodeQ5K(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<176, kSuper>(blocks, elements, count, [](const Byte* block, float* out) {
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
        q[i] =
            static_cast<Byte>(((source[i] >> shift) & 0x0FU) | (((high[i] >> group) & 1U) << 4U));
      }
      lowered<kSmall>(scale, q.data(), minimum, out + group * kSmall);
    }
  });
}

void decodeQ6K(const std::byte* blocks, float* elements, std::size_t count) {
  eachBlock<210, kSuper>(blocks, elements, count, [](const Byte* block, float* out) {
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
        q[i] = static_cast<Byte>(((low[i] >> lowShift) & 0x0FU) |
                                 (((high[i] >> highShift) & 3U) << 4U));
      }
      scaled<kGroup>(scale, q.data(), 32, out + group * kGroup);
    }
  });
}

}  // namespace ulp::tensors
