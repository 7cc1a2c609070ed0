#include "tests/fuzz/growth.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::test {
namespace {

/// Looks for each line among those before it.
void searchEachLine(const std::string& input) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < input.size();) {
    const std::string_view line = std::string_view(input).substr(at, input.find('\n', at) - at);
    EXPECT_EQ(std::ranges::count(lines, "0123456789b"), 0);
    lines.push_back(line);
    at += line.size() + 1;
  }
}

/// A file has far fewer lines than bytes: the square of these is what is easily overlooked.
TEST(FuzzGrowth, ASearchAmongAllLinesForEachOfThemIsNoticed) {
  const auto lines = [](std::size_t size) {
    std::string input;
    while (input.size() < size) {
      input += "0123456789a\n";
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
