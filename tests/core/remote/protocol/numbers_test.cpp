#include "core/remote/protocol/numbers.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::remote {
namespace {

TEST(NumbersTest, EveryBitArrives) {
  Numbers said;
  said.add(std::numeric_limits<std::uint64_t>::max());
  said.add(-0.0);
  said.add(std::numeric_limits<double>::denorm_min());
  said.add(std::nan("7"));
  Numbers heard(said.text());
  EXPECT_EQ(heard.whole(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(std::signbit(heard.real()));
  EXPECT_EQ(heard.real(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(heard.real()),
            std::bit_cast<std::uint64_t>(std::nan("7")));
  EXPECT_TRUE(heard.checkWhole());
}

TEST(NumbersTest, WhatIsMissingOrTooMuchIsTold) {
  Numbers said;
  said.add(std::uint64_t{2});
  said.add(1.5);
  Numbers more(said.text());
  EXPECT_EQ(more.count(), 0U) << "of two things there is one";
  EXPECT_FALSE(more.checkWhole());
  Numbers fewer(said.text());
  EXPECT_EQ(fewer.whole(), 2U);
  EXPECT_FALSE(fewer.checkWhole()) << "one is left";
  EXPECT_EQ(fewer.real(), 1.5);
  EXPECT_TRUE(fewer.checkWhole());
  EXPECT_EQ(fewer.whole(), 0U);
  EXPECT_FALSE(fewer.checkWhole());
  Numbers cut(said.text().substr(0, 5));
  EXPECT_EQ(cut.whole(), 0U);
  EXPECT_TRUE(cut.isShort());
}

}  // namespace
}  // namespace ulp::remote
