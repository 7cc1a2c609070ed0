#pragma once

#include <cstdint>
#include <type_traits>

namespace ulp {

/// Hashes characters or numbers by FNV-1a with 64 bits: the same on every machine and in every
/// version.
template <class Numbers>
[[nodiscard]] constexpr std::uint64_t fnvHash(const Numbers& numbers) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (auto number : numbers) {
    hash = (hash ^ static_cast<std::make_unsigned_t<decltype(number)>>(number)) * 1099511628211ULL;
  }
  return hash;
}

}  // namespace ulp
