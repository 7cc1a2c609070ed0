#include "core/tensors/elements/strided.h"

#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/in_pieces.h"
#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kLargestStep = std::numeric_limits<std::int64_t>::max();

/// The elements of a view of 0, 1, 2 …, one by one.
std::vector<std::uint16_t> oneByOne(const Strides& strides) {
  std::vector<std::uint16_t> elements;
  std::vector<std::int64_t> index(strides.shape.size(), 0);
  std::size_t count = 1;
  for (const std::int64_t extent : strides.shape) {
    count *= static_cast<std::size_t>(extent);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    auto place = static_cast<std::int64_t>(strides.offset);
    for (std::size_t d = strides.shape.size(); d-- > 0;) {
      const auto extent = static_cast<std::size_t>(strides.shape[d]);
      place += static_cast<std::int64_t>(rest % extent) * strides.steps[d];
      rest /= extent;
    }
    elements.push_back(static_cast<std::uint16_t>(place));
  }
  return elements;
}

std::vector<std::uint16_t> gathered(const Strides& strides) {
  std::vector<std::uint16_t> storage(1000);
  for (std::size_t i = 0; i < storage.size(); ++i) {
    storage[i] = static_cast<std::uint16_t>(i);
  }
  const auto memory = gather(std::as_bytes(std::span(storage)), sizeof(std::uint16_t), strides);
  EXPECT_TRUE(memory) << memory.error().message();
  std::vector<std::uint16_t> elements(checkedCount(strides.shape).value_or(0));
  std::memcpy(elements.data(), memory->get(), elements.size() * sizeof(std::uint16_t));
  return elements;
}

TEST(Strided, ViewsAreGatheredInTheirOrder) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    Strides strides;
    for (std::size_t dimensions = random() % 4; strides.shape.size() < dimensions;) {
      strides.shape.push_back(1 + static_cast<std::int64_t>(random() % 4));
      strides.steps.push_back(static_cast<std::int64_t>(random() % 20));
    }
    strides.offset = random() % 10;
    ASSERT_EQ(gathered(strides), oneByOne(strides)) << i;
  }
  EXPECT_EQ(gathered({{2, 3}, {1, 2}}), (std::vector<std::uint16_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(gathered({{2, 2, 3}, {10, 3, 1}, 5}),
            (std::vector<std::uint16_t>{5, 6, 7, 8, 9, 10, 15, 16, 17, 18, 19, 20}));
  EXPECT_TRUE(gathered({{0, 3}, {3, 1}}).empty());
}

TEST(Strided, RunsLongerThanAPieceAreCopiedWhole) {
  constexpr std::size_t kRun = kPieceBytes / sizeof(std::uint32_t) * 2 + 3;
  std::vector<std::uint32_t> storage(2 * kRun + 1);
  std::iota(storage.begin(), storage.end(), 0U);
  const Strides strides{{2, static_cast<std::int64_t>(kRun)},
                        {static_cast<std::int64_t>(kRun) + 1, 1}};
  const auto memory = gather(std::as_bytes(std::span(storage)), sizeof(std::uint32_t), strides);
  ASSERT_TRUE(memory) << memory.error().message();
  storage.erase(storage.begin() + kRun);
  EXPECT_EQ(std::memcmp(memory->get(), storage.data(), std::as_bytes(std::span(storage)).size()),
            0);
}

TEST(Strided, TheReachIsOneBehindTheLastElement) {
  EXPECT_EQ(reachOf({{2, 3}, {3, 1}}), 6U);
  EXPECT_EQ(reachOf({{2, 3}, {10, 2}, 4}), 19U);
  EXPECT_EQ(reachOf({{}, {}, 4}), 5U);
  EXPECT_EQ(reachOf({{0, 3}, {3, 1}, 4}), 0U);
  EXPECT_EQ(reachOf({{5}, {0}}), 1U);
  EXPECT_EQ(reachOf({{2}, {-1}}), std::nullopt);
  EXPECT_EQ(reachOf({{2}, {}}), std::nullopt);
  EXPECT_EQ(reachOf({{-2}, {1}}), std::nullopt);
  EXPECT_EQ(reachOf({{2}, {kLargestStep}}), static_cast<std::uint64_t>(kLargestStep) + 1);
  EXPECT_EQ(reachOf({{2}, {kLargestStep}, 1}), std::nullopt);
  EXPECT_EQ(reachOf({{1}, {kLargestStep}}), 1U) << "one element takes no step";
  const auto half = static_cast<std::uint64_t>(kLargestStep) / 2;
  EXPECT_EQ(reachOf({{1}, {1}, half}), half + 1);
  EXPECT_EQ(reachOf({{1}, {1}, half + 1}), std::nullopt);
}

TEST(Strided, AViewIsContiguousWhereItsElementsFollowEachOther) {
  EXPECT_TRUE(isContiguous({{2, 3}, {3, 1}}));
  EXPECT_FALSE(isContiguous({{2, 3}, {1, 2}}));
  EXPECT_FALSE(isContiguous({{2, 3}, {4, 1}}));
  EXPECT_TRUE(isContiguous({{2, 1, 3}, {3, 99, 1}})) << "a step that is not taken";
  EXPECT_TRUE(isContiguous({{2, 0}, {5, 7}}));
  EXPECT_TRUE(isContiguous({{}, {}}));
}

TEST(Strided, AViewThatRepeatsElementsTooOftenIsRefused) {
  const std::vector<std::byte> storage(4);
  constexpr std::int64_t kFree = std::int64_t{64} << 20U;
  const auto repeated = [&](std::int64_t count) { return gather(storage, 4, {{count}, {0}}); };
  EXPECT_TRUE(repeated(kFree / 4));
  EXPECT_THAT(
      messageOf(repeated(kFree / 4 + 1)),
      HasSubstr("a view of 16777217 elements on a storage of 4 bytes repeats them too often"));
  // 256 times a larger storage.
  const std::vector<std::byte> large(static_cast<std::size_t>(kFree / 256 + 4));
  EXPECT_TRUE(gather(large, 4, {{kFree / 4 + 256}, {0}}));
  EXPECT_FALSE(gather(large, 4, {{kFree / 4 + 257}, {0}}));
}

}  // namespace
}  // namespace ulp::tensors
