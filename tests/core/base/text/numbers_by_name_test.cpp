#include "core/base/text/numbers_by_name.h"

#include <string>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(NumbersByName, TheFirstNumberOfANameStays) {
  NumbersByName index;
  EXPECT_TRUE(index.insert("norm", 3).second);
  const auto [number, isNew] = index.insert("norm", 8);
  EXPECT_FALSE(isNew);
  EXPECT_EQ(number, 3U);
  EXPECT_EQ(index.find("norm"), 3U);
  EXPECT_EQ(index.find("nor"), std::nullopt);
  EXPECT_EQ(index.size(), 1U);
}

TEST(NumbersByName, WhatInsertGivesCanBeChanged) {
  NumbersByName index;
  ++index.insert("norm", 1).first;
  EXPECT_EQ(index.find("norm"), 2U);
}

TEST(NumbersByName, OutlivesTheNamesThatItWasGivenAndMoves) {
  constexpr std::size_t kNames = 10000;
  NumbersByName first;
  for (std::size_t i = 0; i < kNames; ++i) {
    first.insert("model.layers." + std::to_string(i) + ".mlp.down_proj", i);
  }
  const NumbersByName index = std::move(first);
  EXPECT_EQ(index.size(), kNames);
  EXPECT_EQ(index.find("model.layers.0.mlp.down_proj"), 0U);
  EXPECT_EQ(index.find("model.layers.9999.mlp.down_proj"), 9999U);
  EXPECT_FALSE(index.contains("model.layers.10000.mlp.down_proj"));
}

TEST(NumbersByName, TheEmptyNameIsAName) {
  NumbersByName index;
  EXPECT_FALSE(index.contains(""));
  index.insert("", 5);
  EXPECT_EQ(index.find(""), 5U);
}

}  // namespace
}  // namespace ulp
