#include "core/dumps/model/dump.h"

#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/name_limit.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::dumps {
namespace {

using testing::HasSubstr;

TEST(DumpRowTest, IsATensorByWhateverIsKnownOfIt) {
  EXPECT_FALSE(isTensor({.name = "none"}));
  EXPECT_FALSE(isTensor({.name = "eps", .dtype = "float", .value = "1e-6"}));
  EXPECT_TRUE(isTensor({.name = "x", .dtype = "torch.float32"}));
  EXPECT_TRUE(isTensor({.name = "x", .shape = {2}}));
  DumpRow recorded{.name = "x"};
  recorded.statistics.max = 0;
  EXPECT_TRUE(isTensor(recorded));
  EXPECT_TRUE(isTensor({.name = "x", .checksum = "ab"}));
  EXPECT_TRUE(isTensor({.name = "a file that nobody can read", .hasElements = true}));
}

TEST(StatisticsTest, AreTheSameWhereAllNumbersAreOrLack) {
  Statistics left;
  left.max = 1;
  left.norm = std::numeric_limits<double>::quiet_NaN();
  Statistics right = left;
  EXPECT_TRUE(isSame(left, right)) << "NaN equals NaN";
  right.norm = 1;
  EXPECT_FALSE(isSame(left, right));
  right.norm = left.norm;
  right.min = 0;
  EXPECT_FALSE(isSame(left, right));
}

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

TEST(ChooseUnitsTest, OfADumpThatNumbersNothingNoStepCanBeChosen) {
  test::BuiltDump dump;
  dump.path = "golden";
  dump.add(std::make_shared<test::BuiltUnit>());
  const auto refused =
      checkChoice(dump.path, std::vector<UnitAxes>{dump.units[0].axes}, {.step = 7});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(),
            "golden: there is no step 7; nothing in it says steps, ranks or tokens");
}

TEST(OpenUnitTest, NamesThatNobodyCouldShowAreRefused) {
  test::BuiltDump dump;
  for (const std::size_t bytes : {kLongestTensorName, kLongestTensorName + 1}) {
    const auto unit = std::make_shared<test::BuiltUnit>();
    unit->entry({.name = std::string(bytes, 'x'), .kind = EntryKind::Tensor});
    dump.add(unit);
    dump.units.back().path = "step0";
  }
  EXPECT_TRUE(dump.openUnit(0));
  const auto refused = dump.openUnit(1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(refused.error().message(), testing::StartsWith("step0: 'xxx"));
  EXPECT_THAT(refused.error().message(),
              HasSubstr("a name has 4097 bytes; names of more than 4096 are not read"));
}

TEST(OpenUnitTest, ModulesAndRowsHaveTheSameLimit) {
  const std::string longer(kLongestTensorName + 1, 'x');
  test::BuiltDump dump;
  const auto module = std::make_shared<test::BuiltUnit>();
  module->entry({.name = "a", .kind = EntryKind::Module, .module = longer});
  dump.add(module);
  const auto row = std::make_shared<test::BuiltUnit>();
  row->entry({.name = "a", .kind = EntryKind::Tensor});
  row->tensor(Role::Value, "", {1});
  row->rows.back().name = longer;
  dump.add(row);
  EXPECT_FALSE(dump.openUnit(0));
  EXPECT_FALSE(dump.openUnit(1));
}

}  // namespace
}  // namespace ulp::dumps
