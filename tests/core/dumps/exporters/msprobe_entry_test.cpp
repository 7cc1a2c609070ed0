#include "core/dumps/exporters/msprobe_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/tensor_unit.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::dumps {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// A call with outputs or, as a module, parameters of these indices.
test::TensorUnit callOf(Role role, const std::vector<std::string>& indices) {
  test::TensorUnit unit;
  unit.entry({.name = "x", .kind = EntryKind::Module, .module = "x", .operation = "X"});
  for (const std::string& index : indices) {
    unit.row({.name = "x", .role = role, .index = index});
  }
  return unit;
}

MsprobeEntry madeOf(const DumpUnit& unit) {
  return makeMsprobeEntry(unit, unit.entries.front(), std::vector<bool>(unit.rows.size(), true));
}

TEST(MsprobeEntryTest, RowsOfOneNameGetNumbersThatNoOtherHas) {
  const auto parameters = madeOf(callOf(Role::Parameter, {"w", "w_3", "w", "w", "w", "w_3"}));
  EXPECT_THAT(parameters.files,
              ElementsAre(Pair(0, "parameters.w"),
                          Pair(1, "parameters.w_3"),
                          Pair(2, "parameters.w_2"),
                          Pair(3, "parameters.w_4"),
                          Pair(4, "parameters.w_5"),
                          Pair(5, "parameters.w_3_2")));
}

TEST(MsprobeEntryTest, WhatIsInTheWayOfAPathMakesItOneName) {
  const auto outputs = madeOf(callOf(Role::Output, {"0.a", "0.a.b", "0", "0.a"}));
  EXPECT_THAT(outputs.files,
              ElementsAre(Pair(0, "output.0.a"),
                          Pair(1, "output.0_a_b"),
                          Pair(2, "output.0_2"),
                          Pair(3, "output.0_a")));
}

/// Each of the rows was looked for among all others.
TEST(MsprobeEntryTest, OneCallOfManyRowsTakesATimeThatGrowsWithTheirNumber) {
  constexpr int kRows = 100'000;
  for (const bool areAlike : {false, true}) {
    std::vector<std::string> indices;
    for (int i = 0; i < kRows; ++i) {
      indices.push_back(areAlike ? "0" : std::to_string(i));
    }
    const auto unit = callOf(Role::Output, indices);
    const double before = test::processSeconds();
    EXPECT_EQ(madeOf(unit).files.size(), unit.rows.size());
    EXPECT_LT(test::processSeconds() - before, 8 * test::sanitizerFactor())
        << "minutes where it grows with the square";
  }
}

}  // namespace
}  // namespace ulp::dumps
