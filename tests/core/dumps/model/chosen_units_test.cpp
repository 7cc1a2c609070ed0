#include "core/dumps/model/chosen_units.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"

namespace ulp::dumps {
namespace {

using testing::HasSubstr;

DumpPtr twoSteps() {
  auto dump = std::make_shared<test::BuiltDump>();
  dump->path = "golden";
  for (std::int64_t step = 0; step < 2; ++step) {
    auto unit = std::make_shared<test::BuiltUnit>();
    unit->module("of step " + std::to_string(step));
    dump->add(std::move(unit), {.step = step, .rank = 0});
  }
  return dump;
}

TEST(ChooseUnitsTest, OnlyWhatIsMeantStays) {
  const auto chosen = chooseUnits(twoSteps(), {.step = 1});
  ASSERT_TRUE(chosen);
  ASSERT_EQ((*chosen)->units.size(), 1U);
  EXPECT_EQ(describe((*chosen)->units[0].axes), "step 1, rank 0");
  const auto unit = (*chosen)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_EQ((*unit)->entries[0].module, "of step 1");
}

TEST(ChooseUnitsTest, WhatIsNotThereIsRefusedWithWhatIs) {
  const auto chosen = chooseUnits(twoSteps(), {.step = 5});
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(chosen.error().message(),
              HasSubstr("golden: there is no step 5; there are step 0, rank 0; step 1, rank 0"));
}

}  // namespace
}  // namespace ulp::dumps
