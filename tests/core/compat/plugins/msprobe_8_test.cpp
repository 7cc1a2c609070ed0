#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "core/compat/msprobe/pairs/statistic_difference.h"
#include "tests/core/compat/expected_table.h"
#include "tests/core/compat/same_book.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Case8 {
  const char* name;
  const char* golden;
};

class Msprobe8Test : public testing::TestWithParam<Case8> {};

TEST_P(Msprobe8Test, EveryCellColourAndAdviceIsTheOriginals) {
  const fs::path folder = test::msprobeCase(GetParam().name);
  const ulp::test::TempDir out;
  const ComparatorRegistry registry = builtinComparators();
  const auto outcome =
      registry.find("msprobe-8")
          ->compare({.target = folder / "target/rank/dump.json",
                     .golden = test::msprobeCase(GetParam().golden) / "golden/rank/dump.json",
                     .output = out.path(),
                     .isHighlighted = true,
                     .timestamp = "1"},
                    {},
                    {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, testing::IsEmpty());
  ASSERT_EQ(outcome->files, (std::vector{out / "compare_result_1.xlsx", out / "advisor_1.txt"}));
  const fs::path expected = folder / "expected";
  test::expectSameSheet(outcome->files[0], expected, "compare_result_", "Sheet");
  EXPECT_EQ(test::contentOf(outcome->files[1]),
            test::contentOf(test::onlyFile(expected, "advisor", ".txt")));
}

INSTANTIATE_TEST_SUITE_P(Fixtures,
                         Msprobe8Test,
                         testing::Values(Case8{"v83_stat_w", "v83_stat_w"},
                                         Case8{"v83_stat_bf16", "v83_stat_w"},
                                         Case8{"v83_stat_nan", "v83_stat_w"},
                                         Case8{"v83_md5_w", "v83_md5_w"},
                                         Case8{"v83_tensor_L0_w", "v83_tensor_L0_w"},
                                         Case8{"v83_tensor_L0_bf16", "v83_tensor_L0_w"},
                                         Case8{"v83_tensor_L0_nan", "v83_tensor_L0_w"},
                                         Case8{"v83_tensor_mix_w", "v83_tensor_mix_w"}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_F(Msprobe8Test, StepFoldersGiveASheetWithColoursAndAdviceForEachProcess) {
  const fs::path folder = test::msprobeCase("v83_stat_bf16");
  const ulp::test::TempDir out;
  const ComparatorRegistry registry = builtinComparators();
  const auto outcome = registry.find("msprobe-8")
                           ->compare({.target = folder / "target",
                                      .golden = test::msprobeCase("v83_stat_w") / "golden",
                                      .output = out.path(),
                                      .isHighlighted = true,
                                      .timestamp = "20261121073254"},
                                     {},
                                     {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files,
            (std::vector{out / "compare_result_rank_20261121073254.xlsx",
                         out / "advisor_rank_20261121073254.txt"}));
  EXPECT_EQ(test::contentOf(outcome->files[1]),
            test::contentOf(test::onlyFile(folder / "expected", "advisor", ".txt")));
  const std::string book = ulp::test::readBook(test::contentOf(outcome->files[0]));
  EXPECT_THAT(book, HasSubstr("Sheet|NPU Name|Bench Name|NPU Dtype|"));
  EXPECT_THAT(book,
              HasSubstr("Sheet|Functional.embedding.0.forward.input.1|"
                        "Functional.embedding.0.forward.input.1|torch.bfloat16|torch.float32|"
                        "[64, 32]|[64, 32]|True|True|6.468966603279808E-05|"));
}

TEST(Msprobe8NumbersTest, StatisticsAreReadWithTheDigitsOfPandas) {
  EXPECT_EQ(msprobe::pandasNumber(msprobe::numberCell(0.5)), 0.5);
  // The zeros in front use up digits, so that the last one is lost.
  EXPECT_EQ(msprobe::pandasNumber(msprobe::numberCell(0.06048218533396721)), 0.0604821853339672);
  EXPECT_EQ(msprobe::pandasNumber(msprobe::numberCell(-1.25e-5)), -1.25e-5);
  EXPECT_EQ(msprobe::pandasNumber(msprobe::textCell("True")), std::nullopt);
  EXPECT_EQ(msprobe::pandasNumber(msprobe::textCell("12")), 12);
}

}  // namespace
}  // namespace ulp::compat
