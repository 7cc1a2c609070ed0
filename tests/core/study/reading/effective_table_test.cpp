#include "core/study/reading/effective_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/study/schema/schema.h"

namespace ulp::study {
namespace {

TEST(EffectiveTable, SaysWhatEveryRunUsesAndWhoSetIt) {
  const auto study = parseStudy(
      "model: {path: m}\nprecision: {cast: module}\n"
      "variants:\n  a: {precision.compute_dtype: bfloat16}\n  b: {attention.implementation: "
      "eager}\n",
      "s");
  ASSERT_TRUE(study.has_value()) << study.error().message();
  const EffectiveTable table = effectiveTable(*study);
  EXPECT_EQ(table.runs, (std::vector<std::string>{"reference", "a", "b"}));
  ASSERT_EQ(table.rows.size(), schemaKeys().size());
  const auto row = [&](std::string_view key) -> const EffectiveRow& {
    return *std::find_if(
        table.rows.begin(), table.rows.end(), [&](const auto& each) { return each.key == key; });
  };
  EXPECT_EQ(row("precision.compute_dtype").cells[0].origin, Origin::ReferenceFp32);
  EXPECT_EQ(row("precision.compute_dtype").cells[1].value, "bfloat16");
  EXPECT_EQ(row("precision.compute_dtype").cells[1].origin, Origin::Variant);
  EXPECT_EQ(row("precision.compute_dtype").cells[2].origin, Origin::Default);
  EXPECT_TRUE(row("precision.compute_dtype").differs);
  EXPECT_EQ(row("precision.residual_dtype").cells[1].value, "bfloat16");
  EXPECT_EQ(row("precision.cast").cells[2].origin, Origin::Study);
  EXPECT_FALSE(row("precision.cast").differs);
  EXPECT_FALSE(row("model.path").differs);
  EXPECT_EQ(row("model.path").cells[2].value, "m");
}

}  // namespace
}  // namespace ulp::study
