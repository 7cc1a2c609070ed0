#include "core/compat/msprobe/results/table_8.h"

#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/core/compat/recorded_table.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using dumps::msprobe::Record;
using dumps::msprobe::Section;

/// One entry with one output on both sides.
Sides sidesOf(Mode mode, const Record& target, const Record& golden) {
  Sides sides;
  sides.mode = mode;
  sides.target.entries.push_back({"Torch.a.1.forward", 0, 1});
  sides.target.records.push_back(target);
  sides.golden.records.push_back(golden);
  sides.pairs.push_back({0, 0, 0});
  return sides;
}

Record named(std::string name) {
  return {.name = std::move(name), .section = Section::Output, .isTensor = true};
}

TEST(Msprobe8RowTest, APairWithOtherNamesSaysThatItIsFuzzy) {
  const TensorComparison compared{metricsOf(MetricState::Unsupported),
                                  "Bench does not have data file."};
  const Sides same = sidesOf(Mode::Tensor, named("a"), named("a"));
  EXPECT_EQ(makeRow8(same, same.pairs.front(), &compared).message,
            "Bench does not have data file.");
  const Sides other = sidesOf(Mode::Tensor, named("a"), named("b"));
  EXPECT_EQ(makeRow8(other, other.pairs.front(), &compared).message,
            "Bench does not have data file. Fuzzy matching data, the comparison accuracy may be "
            "affected.");
}

TEST(Msprobe8RowTest, FilesThatCannotBeReadAreNamedAsAPair) {
  const ulp::test::TempDir dir;
  Record target = named("a");
  target.fileName = "a.pt";
  Record golden = named("a");
  golden.fileName = "b.pt";
  Sides sides = sidesOf(Mode::Tensor, target, golden);
  sides.target.path = dir / "target/dump.json";
  sides.golden.path = dir / "golden/dump.json";
  const auto compared = compareFiles(sides, Generation::V8, {}, {});
  ASSERT_TRUE(compared) << compared.error().message();
  EXPECT_EQ(compared->pairs.front().message,
            "Dump file: ['a.pt', 'b.pt'] not found or read failed.");
  EXPECT_EQ(compared->notes.size(), 1U);
}

TEST(Msprobe8RowTest, NothingOfValuesThatWereSavedIsColoured) {
  Record infinite = named("a");
  infinite.statistics.fill(numberCell(std::numeric_limits<double>::infinity()));
  Sides sides = sidesOf(Mode::Statistics, infinite, infinite);
  for (const auto& [file, fill] :
       {std::pair{"dump.json", "FFFF0000"}, std::pair{"debug.json", ""}}) {
    sides.target.path = file;
    test::RecordedTable table(titles8(sides), SheetInfinity::TabBehind);
    (void)writeTable8(sides, {}, true, table);
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[1][0], fill) << file;
  }
}

TEST(Msprobe8RowTest, TheTableOfSavedValuesIsCalledSo) {
  const ulp::test::TempDir dir;
  const std::string text = R"({"task": "statistics", "level": "debug", "dump_data_dir": null,
    "data": {"v.0.debug": {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2],
    "Max": 1.0, "Min": 1.0, "Mean": 1.0, "Norm": 1.0}}})";
  const fs::path target = dir.write("a/debug.json", text);
  const fs::path golden = dir.write("b/debug.json", text);
  for (const auto& [id, files] :
       {std::pair{"msprobe-8",
                  std::vector{dir / "debug_compare_result_1.xlsx", dir / "advisor_1.txt"}},
        std::pair{"msprobe-26", std::vector{dir / "debug_compare_result_1.csv"}}}) {
    const auto outcome = builtinComparators().find(id)->compare(
        {.target = target, .golden = golden, .output = dir.path(), .timestamp = "1"}, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->files, files);
  }
}

}  // namespace
}  // namespace ulp::compat::msprobe
