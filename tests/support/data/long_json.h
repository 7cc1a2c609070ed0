#pragma once

#include <string>

namespace ulp::test {

/// A list of so many numbers that a stop is seen while it is read.
inline std::string longJsonList() {
  std::string list = "[0";
  for (int i = 0; i < 10'000; ++i) {
    list += ",0";
  }
  return list + "]";
}

}  // namespace ulp::test
