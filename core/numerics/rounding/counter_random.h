#pragma once

#include <cstdint>

/// Always inlined: kernels that are compiled for one CPU leave no copy behind for others.
namespace ulp::numerics {

/// The output function of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, OOPSLA 2014), a bijection of 64 bits.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t mixBits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

/// The increment of SplitMix64: 2^64 divided by the golden ratio.
inline constexpr std::uint64_t kRandomIncrement = 0x9E3779B97F4A7C15U;

/// Gives the key with which the sequence of a seed and a stream begins.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t randomKey(std::uint64_t seed,
                                                                    std::uint64_t stream) {
  return mixBits(mixBits(seed + kRandomIncrement) + stream);
}

/// The 64 random bits of position `index` of a sequence, without those before it.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t randomBits(std::uint64_t key,
                                                                     std::uint64_t index) {
  return mixBits(key + (index + 1) * kRandomIncrement);
}

}  // namespace ulp::numerics
