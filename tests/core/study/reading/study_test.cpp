#include "core/study/reading/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/schema/schema.h"

namespace ulp::study {
namespace {

struct Effective {
  std::string value;
  Origin origin;
  friend bool operator==(const Effective&, const Effective&) = default;
  // NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
  friend void PrintTo(const Effective& e, std::ostream* out) {
    *out << e.value << " by " << toString(e.origin);
  }
};

Effective effective(std::string_view yaml,
                    std::string_view run,
                    std::string_view key,
                    const std::vector<std::string>& sets = {}) {
  const auto study = parseStudy("model.path: m\n" + std::string(yaml), "s.yaml", sets);
  EXPECT_TRUE(study.has_value()) << study.error().message();
  const auto settings = effectiveSettings(*study, run);
  EXPECT_TRUE(settings.has_value()) << settings.error().message();
  const auto found = settings->find(key);
  return {found->second.value, found->second.origin};
}

constexpr std::string_view kCompute = "precision.compute_dtype";
constexpr std::string_view kResidual = "precision.residual_dtype";
constexpr std::string_view kHeadFormat = "precision.lm_head_dtype";

TEST(Study, ReferenceIsFp32EverywhereWhateverTheStudySays) {
  constexpr std::string_view kYaml =
      "precision: {compute_dtype: bfloat16, residual_dtype: float16}\n";
  EXPECT_EQ(effective(kYaml, "reference", kCompute), (Effective{"float32", Origin::ReferenceFp32}));
  EXPECT_EQ(effective(kYaml, "reference", kResidual),
            (Effective{"float32", Origin::ReferenceFp32}));
  EXPECT_EQ(effective(kYaml, "reference", kHeadFormat),
            (Effective{"float32", Origin::ReferenceFp32}));
}

TEST(Study, ReferenceOverridesWinOverFp32) {
  constexpr std::string_view kYaml = "reference: {precision.compute_dtype: float64}\n";
  EXPECT_EQ(effective(kYaml, "reference", kCompute), (Effective{"float64", Origin::Variant}));
  EXPECT_EQ(effective(kYaml, "reference", kResidual), (Effective{"float64", Origin::Variant}));
}

TEST(Study, ResidualAndHeadFollowTheComputeDType) {
  constexpr std::string_view kYaml = "variants: {a: {precision.compute_dtype: bf16}}\n";
  EXPECT_EQ(effective(kYaml, "a", kResidual), (Effective{"bfloat16", Origin::Variant}));
  EXPECT_EQ(effective(kYaml, "a", kHeadFormat), (Effective{"bfloat16", Origin::Variant}));
}

TEST(Study, ResidualAndHeadKeepWhatSomebodySet) {
  constexpr std::string_view kYaml =
      "precision.residual_dtype: float32\n"
      "variants: {a: {precision.compute_dtype: bf16, precision.lm_head_dtype: float64}}\n";
  EXPECT_EQ(effective(kYaml, "a", kResidual), (Effective{"float32", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "a", kHeadFormat), (Effective{"float64", Origin::Variant}));
}

TEST(Study, StudyLevelPrecisionIsTheDefaultOfVariants) {
  constexpr std::string_view kYaml =
      "precision: {compute_dtype: bf16, cast: module}\n"
      "variants: {a: {precision.lm_head_dtype: float32}, b: {precision.compute_dtype: fp16}}\n";
  EXPECT_EQ(effective(kYaml, "a", kCompute), (Effective{"bfloat16", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "b", kCompute), (Effective{"float16", Origin::Variant}));
  EXPECT_EQ(effective(kYaml, "a", "precision.cast"), (Effective{"module", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "reference", "precision.cast"), (Effective{"module", Origin::Study}));
}

TEST(Study, DefaultsAreThoseOfTransformers) {
  EXPECT_EQ(effective("variants: {a: }\n", "a", kCompute), (Effective{"float32", Origin::Default}));
  EXPECT_EQ(effective("variants: {a: }\n", "a", kHeadFormat),
            (Effective{"float32", Origin::Default}));
  EXPECT_EQ(effective("variants: {a: }\n", "a", "attention.implementation"),
            (Effective{"sdpa", Origin::Default}));
  EXPECT_EQ(effective("variants: {a: }\n", "a", "precision.cast"),
            (Effective{"load", Origin::Default}));
}

TEST(Study, CommandLineTakesThePlaceOfTheLineItNames) {
  constexpr std::string_view kYaml =
      "precision.compute_dtype: float16\nvariants: {a: {precision.compute_dtype: bf16}, b: }\n";
  const std::vector<std::string> studySet{"precision.compute_dtype=float64"};
  EXPECT_EQ(effective(kYaml, "b", kCompute, studySet), (Effective{"float64", Origin::CommandLine}));
  EXPECT_EQ(effective(kYaml, "a", kCompute, studySet), (Effective{"bfloat16", Origin::Variant}));
  EXPECT_EQ(effective(kYaml, "reference", kCompute, studySet),
            (Effective{"float32", Origin::ReferenceFp32}));
  EXPECT_EQ(effective(kYaml, "a", kCompute, {"variants.a.precision.compute_dtype=float16"}),
            (Effective{"float16", Origin::CommandLine}));
}

TEST(Study, FollowersOfFollowersShareTheOrigin) {
  constexpr std::string_view kYaml =
      "precision.compute_dtype: bf16\n"
      "variants: {a: {precision.lm_head_dtype: float64}, b: }\n";
  EXPECT_EQ(effective(kYaml, "a", "precision.logits_dtype"),
            (Effective{"float64", Origin::Variant}));
  EXPECT_EQ(effective(kYaml, "a", "precision.loss_dtype"), (Effective{"float64", Origin::Variant}));
  EXPECT_EQ(effective(kYaml, "b", "precision.loss_dtype"), (Effective{"float32", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "b", "precision.softmax_dtype"),
            (Effective{"float32", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "b", "precision.norm_output_dtype"),
            (Effective{"bfloat16", Origin::Study}));
}

TEST(Study, KernelsAndTheirFormatsFollowSemantics) {
  constexpr std::string_view kYaml =
      "semantics: fast_llm\nprecision.compute_dtype: bf16\n"
      "variants: {a: , b: {semantics: transformers}, c: {rotary.implementation: transformers}}\n";
  EXPECT_EQ(effective(kYaml, "a", "norm.implementation"), (Effective{"fused", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "a", "precision.rotary_dtype"), (Effective{"float32", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "a", "precision.gradient_dtype"),
            (Effective{"float32", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "a", "mlp.implementation"),
            (Effective{"transformers", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "b", "norm.implementation"),
            (Effective{"transformers", Origin::Variant}));
  EXPECT_EQ(effective(kYaml, "b", "precision.gradient_dtype"),
            (Effective{"bfloat16", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "c", "precision.rotary_dtype"),
            (Effective{"bfloat16", Origin::Study}));
  EXPECT_EQ(effective(kYaml, "reference", "norm.implementation"),
            (Effective{"fused", Origin::Study}));
}

TEST(Study, SaysWhatFollowsAndWhatWasSet) {
  const auto study =
      parseStudy("model.path: m\nprecision.residual_dtype: float32\nvariants: {a: }\n", "s.yaml");
  const auto settings = effectiveSettings(*study, "a");
  EXPECT_FALSE(settings->at("precision.residual_dtype").follows);
  EXPECT_TRUE(settings->at("precision.lm_head_dtype").follows);
  EXPECT_TRUE(settings->at("norm.implementation").follows);
}

TEST(Study, HoldsRunKeysOnly) {
  const auto study = parseStudy("model.path: m\n", "s.yaml");
  const auto settings = effectiveSettings(*study, kReferenceName);
  ASSERT_TRUE(settings.has_value());
  for (const Key& key : schemaKeys()) {
    EXPECT_EQ(settings->contains(key.path), key.scope == KeyScope::Run) << key.path;
  }
  EXPECT_EQ(settings->count("model.path"), 0U);
}

TEST(Study, NamesTheRunsWhenOneIsUnknown) {
  const auto study = parseStudy("model.path: m\nvariants: {a: , b: }\n", "s.yaml");
  const auto settings = effectiveSettings(*study, "c");
  ASSERT_FALSE(settings.has_value());
  EXPECT_EQ(settings.error().code(), ErrorCode::NotFound);
  EXPECT_EQ(settings.error().message(), "the study has no run 'c'; its runs are reference, a, b");
}

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
