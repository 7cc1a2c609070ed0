#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ulp::test {

/// The fuzzer's bytes as the text of a file.
inline std::string_view fuzzText(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process where a reader breaks its promise.
inline void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace ulp::test
