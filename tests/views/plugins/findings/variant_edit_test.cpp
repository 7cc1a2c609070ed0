#include "views/plugins/findings/variant_edit.h"

#include <gtest/gtest.h>

#include "core/study/reading/study.h"

namespace ulp::views {
namespace {

const Overrides kResidual{{"precision.compute_dtype", "bfloat16"},
                          {"precision.residual_dtype", "float32"}};

TEST(VariantEdit, AddsAtTheEndAndKeepsEverythingElse) {
  const std::string before =
      "# mine\nmodel: {path: m}   # here\nvariants:\n"
      "    bf16: {precision.compute_dtype: bfloat16}\n    # nothing more\n\n"
      "output_dir: out\n";
  const auto after = withVariant(before, "new", kResidual);
  ASSERT_TRUE(after.has_value()) << after.error().message();
  EXPECT_EQ(*after,
            "# mine\nmodel: {path: m}   # here\nvariants:\n"
            "    bf16: {precision.compute_dtype: bfloat16}\n"
            "    new: {precision.compute_dtype: bfloat16, precision.residual_dtype: float32}\n"
            "    # nothing more\n\noutput_dir: out\n");
}

TEST(VariantEdit, WorksHoweverTheVariantsAreWritten) {
  for (const char* text :
       {"model: {path: m}\nvariants:\n  bf16:\n    precision.compute_dtype: bfloat16\n",
        "model: {path: m}\nvariants: {bf16: {precision.compute_dtype: bfloat16}}\n",
        "model: {path: m}\n",
        "model: {path: m}\nvariants: {}\n",
        "model: {path: m}\nvariants:\n"}) {
    const auto after = withVariant(text, "new", kResidual);
    ASSERT_TRUE(after.has_value()) << text << after.error().message();
    const auto study = study::parseStudy(*after, "study");
    ASSERT_TRUE(study.has_value()) << *after;
    ASSERT_FALSE(study->variants.empty()) << *after;
    EXPECT_EQ(study->variants.back().name, "new") << *after;
    EXPECT_EQ(study->variants.size(), std::string_view(text).find("bf16") < 99 ? 2U : 1U) << *after;
  }
}

TEST(VariantEdit, RefusesWhatIsNoStudy) {
  EXPECT_FALSE(withVariant("model: [\n", "new", kResidual).has_value());
}

TEST(VariantEdit, NamesAreFreeAndSayWhatChanged) {
  const std::string study =
      "model: {path: m}\nvariants:\n  bf16_residual_float32: {precision.compute_dtype: bfloat16}\n";
  EXPECT_EQ(newVariantName(study, "bf16", {{"precision.residual_dtype", "float32"}}),
            "bf16_residual_float32_2");
  EXPECT_EQ(newVariantName(study, "x", {{"precision.lm_head_dtype", "float32"}}),
            "x_lm_head_float32");
}

}  // namespace
}  // namespace ulp::views
