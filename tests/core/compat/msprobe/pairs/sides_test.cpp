#include "core/compat/msprobe/pairs/sides.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::compat::msprobe {
namespace {

using testing::ElementsAre;

std::string leaf(const std::string& dtype, const std::string& statistics) {
  return R"({"type": "torch.Tensor", "dtype": ")" + dtype + R"(", "shape": [2], )" + statistics +
         "}";
}
const std::string kIndices =
    leaf("torch.int64", R"("Max": 62, "Min": 0, "Mean": null, "Norm": null)");
const std::string kValues =
    leaf("torch.float32", R"("Max": 1.5, "Min": -1.0, "Mean": 0.0, "Norm": 2.0)");

/// Sides of one dump with itself: one call whose outputs are these.
Sides sidesOf(const std::vector<std::string>& outputs) {
  const ulp::test::TempDir dir;
  std::string list;
  for (const std::string& each : outputs) {
    list += (list.empty() ? "" : ", ") + each;
  }
  const auto dump = dir.write(
      "dump.json",
      R"({"task": "statistics", "level": "L1", "dump_data_dir": null, "data": {"Torch.a.0.forward": )"
      R"({"output": [)" +
          list + "]}}}");
  auto sides = loadSides(dump, dump, {}, {}, {});
  EXPECT_TRUE(sides) << sides.error().message();
  return std::move(*sides);
}

std::vector<std::string> printedMaxima(const dumps::msprobe::DumpJson& dump) {
  std::vector<std::string> texts;
  for (const dumps::msprobe::Record& record : dump.records) {
    texts.push_back(printed(record.statistics[0]));
  }
  return texts;
}

// As pandas makes columns of lists: DataFrame([[62, 0, "None", "None"], [1.5, -1.0, 0.0, 2.0]]) has
// floats in the first two, and with a row of words none is changed.
TEST(MsprobeSidesTest, IntegersBesideFloatsAreFloatsUnlessAWordIsInTheirColumn) {
  const Sides numbers = sidesOf({kIndices, kValues});
  EXPECT_THAT(printedMaxima(numbers.target), ElementsAre("62.0", "1.5"));
  EXPECT_THAT(printedMaxima(numbers.golden), ElementsAre("62.0", "1.5"));
  EXPECT_EQ(printed(numbers.target.records[0].statistics[1]), "0.0");
  EXPECT_EQ(printed(numbers.target.records[0].statistics[2]), "None");
  EXPECT_THAT(printedMaxima(sidesOf({kIndices, kValues, "null"}).target),
              ElementsAre("62", "1.5", "None"));
  EXPECT_THAT(printedMaxima(sidesOf({kIndices}).target), ElementsAre("62"));
}

TEST(MsprobeSidesTest, InFourColumnsOfNumbersOneFloatIsEnough) {
  const std::string mixed = leaf("torch.float32", R"("Max": 62, "Min": 0, "Mean": 0.5, "Norm": 3)");
  EXPECT_THAT(printedMaxima(sidesOf({mixed}).target), ElementsAre("62.0"));
  const std::string whole = leaf("torch.int64", R"("Max": 62, "Min": 0, "Mean": 1, "Norm": 3)");
  EXPECT_THAT(printedMaxima(sidesOf({whole}).target), ElementsAre("62"));
}

}  // namespace
}  // namespace ulp::compat::msprobe
