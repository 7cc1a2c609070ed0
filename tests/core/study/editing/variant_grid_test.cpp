#include "core/study/editing/variant_grid.h"

#include <gtest/gtest.h>

namespace ulp::study {
namespace {

const std::vector<GridAxis> kAxes{
    {"precision.compute_dtype", {"bfloat16", "float16"}},
    {"attention.implementation", {"eager", "sdpa"}},
};

TEST(VariantGrid, MakesAllCombinationsTheLastFastest) {
  const auto grid = makeGrid(kAxes, "{compute_dtype}_{attention.implementation}");
  ASSERT_TRUE(grid.has_value()) << grid.error().message();
  ASSERT_EQ(grid->size(), 4U);
  EXPECT_EQ((*grid)[0].name, "bf16_eager");
  EXPECT_EQ((*grid)[1].name, "bf16_sdpa");
  EXPECT_EQ((*grid)[2].name, "fp16_eager");
  EXPECT_EQ((*grid)[3].name, "fp16_sdpa");
  const OverrideTexts last{{"precision.compute_dtype", "float16"},
                           {"attention.implementation", "sdpa"}};
  EXPECT_EQ((*grid)[3].overrides, last);
}

TEST(VariantGrid, ProposesAPatternThatKeepsNamesApart) {
  EXPECT_EQ(defaultGridPattern(kAxes), "{compute_dtype}_{implementation}");
  EXPECT_TRUE(makeGrid(kAxes, defaultGridPattern(kAxes)).has_value());
}

TEST(VariantGrid, SaysWhatIsWrong) {
  const auto message = [](const std::vector<GridAxis>& axes, std::string_view pattern) {
    const auto grid = makeGrid(axes, pattern);
    return grid ? std::string("fine") : grid.error().message();
  };
  EXPECT_EQ(message({}, "x"), "a grid needs at least one key with values");
  EXPECT_EQ(message({{"precision.cast", {}}}, "x"), "'precision.cast' has no values");
  EXPECT_EQ(message({{"model.path", {"m"}}}, "x"), "'model.path' is no key that a variant can set");
  EXPECT_EQ(message({{"precision.cast", {"load"}}, {"precision.cast", {"load"}}}, "x"),
            "'precision.cast' is there twice");
  EXPECT_EQ(message(kAxes, "{dtype}"), "'{dtype}' in the pattern is no key of the grid");
  EXPECT_EQ(message(kAxes, "{compute_dtype"),
            "'{compute_dtype}' in the pattern is no key of the grid");
  EXPECT_EQ(message(kAxes, "{compute_dtype}"),
            "two variants would be called 'bf16'; name more keys in the pattern");
  const std::vector<std::string> many(40, "x");
  EXPECT_EQ(message({{"precision.cast", many}, {"attention.implementation", many}}, "x"),
            "the grid has more than 200 variants");
}

}  // namespace
}  // namespace ulp::study
