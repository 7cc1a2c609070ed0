#include "tests/fuzz/growth.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace ulp::test {
namespace {

/// Looks for each line among those before it, often enough that it takes its time on any machine.
void searchEachLine(const std::string& input) {
  constexpr std::array<std::string_view, 4> kOthers{
      "\n0123456789b", "\n0123456789c", "\n0123456789d", "\n0123456789e"};
  for (std::size_t at = 0; at < input.size(); at = input.find('\n', at) + 1) {
    for (const std::string_view other : kOthers) {
      EXPECT_EQ(::memmem(input.data(), at, other.data(), other.size()), nullptr);
    }
  }
}

/// A file has far fewer lines than bytes: the square of these is what is easily overlooked.
TEST(FuzzGrowth, ASearchAmongAllLinesForEachOfThemIsNoticed) {
  const auto lines = [](std::size_t size) {
    std::string input;
    while (input.size() < size) {
      input += "0123456789a of a longer line\n";
    }
    return input;
  };
  EXPECT_NE(measuredGrowthProblem(lines, searchEachLine), "");
}

TEST(FuzzGrowth, MemoryForEachPairOfLinesIsNoticed) {
  if (!MemoryPeak::works() || isAddressSanitized()) {
    GTEST_SKIP() << "this machine does not tell how much memory a step takes";
  }
  const auto lines = [](std::size_t size) { return std::string(size / 12, ' '); };
  const auto pairUp = [](const std::string& input) {
    const std::string pairs(input.size() * input.size() / 6, input.front());
    EXPECT_EQ(pairs.find('x'), std::string::npos);
  };
  EXPECT_NE(measuredGrowthProblem(lines, pairUp), "");
}

TEST(FuzzGrowth, ManyStepsForEachByteAreNone) {
  const auto work = [](const std::string& input) {
    constexpr int kSteps = 1000;
    std::uint32_t sum = 1;
    for (const char byte : input) {
      for (int step = 0; step < kSteps; ++step) {
        sum = (sum * 1664525U) + static_cast<unsigned char>(byte);
      }
    }
    EXPECT_NE(sum, 0U);
  };
  EXPECT_EQ(growthProblem([](std::size_t size) { return std::string(size, 'a'); }, work), "");
}

}  // namespace
}  // namespace ulp::test
