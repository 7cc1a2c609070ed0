#include "core/study/editing/study_edit.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

using testing::ElementsAre;

const KeyOwner kStudyOwner{};
const KeyOwner kReferenceOwner{KeyOwner::Kind::Reference, {}};
KeyOwner variant(std::string name) {
  return {KeyOwner::Kind::Variant, std::move(name)};
}

std::string textOf(const Result<std::string>& result) {
  return result ? *result : "error: " + result.error().message();
}

std::string set(std::string_view yaml,
                const KeyOwner& owner,
                std::string_view key,
                std::string_view text) {
  return textOf(setStudyKey(yaml, owner, key, scalarNode(text)));
}

TEST(StudyEdit, FindsKeysNestedAndDotted) {
  const auto root = parseYaml(
      "model: {path: m}\nprecision.cast: load\nvariants:\n  a.b:\n    precision: {compute_dtype: "
      "x}\n"
      "variants.c.precision.cast: module\n",
      "s");
  const auto written = [&](const KeyOwner& owner, std::string_view key) {
    const YamlNode* value = writtenValue(*root, owner, key);
    return value == nullptr ? "nowhere" : value->text;
  };
  EXPECT_EQ(written(kStudyOwner, "model.path"), "m");
  EXPECT_EQ(written(kStudyOwner, "precision.cast"), "load");
  EXPECT_EQ(written(variant("a.b"), "precision.compute_dtype"), "x");
  EXPECT_EQ(written(variant("c"), "precision.cast"), "module");
  EXPECT_EQ(written(kStudyOwner, "model.seed"), "nowhere");
}

TEST(StudyEdit, WritesAKeyWhereItIs) {
  EXPECT_EQ(set("precision.cast: load  # c\n", kStudyOwner, "precision.cast", "module"),
            "precision.cast: module  # c\n");
  EXPECT_EQ(set("precision: {cast: load}\n", kStudyOwner, "precision.cast", "module"),
            "precision: {cast: module}\n");
}

TEST(StudyEdit, PutsANewKeyInTheOrderOfTheSchema) {
  const std::string_view study = "model:\n  path: m\n  architecture: {}\noutput_dir: o\n";
  EXPECT_EQ(set(study, kStudyOwner, "model.seed", "1"),
            "model:\n  path: m\n  seed: 1\n  architecture: {}\noutput_dir: o\n");
  EXPECT_EQ(set(study, kStudyOwner, "input.seed", "1"),
            "model:\n  path: m\n  architecture: {}\ninput:\n  seed: 1\noutput_dir: o\n");
  EXPECT_EQ(set(study, kStudyOwner, "device", "cpu"),
            "model:\n  path: m\n  architecture: {}\ndevice: cpu\noutput_dir: o\n");
  EXPECT_EQ(set("precision.cast: load\n", kStudyOwner, "precision.compute_dtype", "float16"),
            "precision.cast: load\nprecision.compute_dtype: float16\n");
}

TEST(StudyEdit, WritesOverridesInTheStyleOfTheVariant) {
  EXPECT_EQ(set("variants:\n  a: {precision.cast: load}\n",
                variant("a"),
                "precision.compute_dtype",
                "bfloat16"),
            "variants:\n  a: {precision.compute_dtype: bfloat16, precision.cast: load}\n");
  EXPECT_EQ(set("variants:\n  a:\n    precision:\n      cast: load\n",
                variant("a"),
                "precision.compute_dtype",
                "bfloat16"),
            "variants:\n  a:\n    precision:\n      compute_dtype: bfloat16\n      cast: load\n");
  EXPECT_EQ(set("variants:\n  a:\n", variant("a"), "precision.cast", "load"),
            "variants:\n  a:\n    precision.cast: load\n");
  EXPECT_EQ(set("reference: {}  # fp32\n", kReferenceOwner, "precision.cast", "load"),
            "reference: {precision.cast: load}  # fp32\n");
  EXPECT_EQ(set("model: {path: m}\n", kReferenceOwner, "precision.cast", "load"),
            "model: {path: m}\nreference: {precision.cast: load}\n");
  EXPECT_EQ(setStudyKey("model: {path: m}\n", variant("a"), "precision.cast", scalarNode("load"))
                .error()
                .code(),
            ErrorCode::NotFound);
}

TEST(StudyEdit, ResettingUndoesSetting) {
  const std::string_view study = "# top\nmodel:\n  path: m  # the model\nvariants:\n  a: {}\n";
  for (const char* key :
       {"input.seed", "model.seed", "device", "precision.cast", "capture.level"}) {
    const std::string there = set(study, kStudyOwner, key, "1");
    EXPECT_NE(there, study);
    EXPECT_EQ(textOf(resetStudyKey(there, kStudyOwner, key)), study) << key;
    EXPECT_EQ(textOf(resetStudyKey(study, kStudyOwner, key)), study) << key;
  }
  const std::string there = set(study, variant("a"), "precision.cast", "load");
  EXPECT_EQ(textOf(resetStudyKey(there, variant("a"), "precision.cast")), study);
}

TEST(StudyEdit, EveryKeyOfTheSchemaCanBeSetAndReadsBack) {
  for (const Key& key : schemaKeys()) {
    std::string text = key.defaultText.empty() ? "float16" : std::string(key.defaultText);
    text = key.type == ValueType::Choice ? std::string(key.choices.front()) : text;
    text = key.type == ValueType::Integer && key.defaultText.empty() ? "1" : text;
    text = key.type == ValueType::Number && key.defaultText.empty() ? "0.5" : text;
    text = key.type == ValueType::PatternList ? "['^a: b', c]" : text;
    text = key.type == ValueType::NameList
               ? fmt::format("[{}, {}]", key.choices.at(1), key.choices.at(0))
               : text;
    text = key.type == ValueType::Object ? "{x: 1}" : text;
    text = key.type == ValueType::RuleList ? "[{match: x, weights_dtype: bf16}]" : text;
    const auto value = valueFromText(key, text);
    ASSERT_TRUE(value.has_value()) << key.path;
    const std::string pieces = key.path == "python.cache" ? "batch.chunk_length: 1\n" : "";
    const auto yaml = setStudyKey("model: {path: m}\n" + pieces, kStudyOwner, key.path, *value);
    ASSERT_TRUE(yaml.has_value()) << key.path << ": " << yaml.error().message();
    const auto study = parseStudy(*yaml, "s");
    ASSERT_TRUE(study.has_value()) << study.error().message();
    EXPECT_EQ(study->settings.find(key.path)->second.origin, Origin::Study) << key.path;
  }
}

TEST(StudyEdit, AddsCopiesRenamesMovesAndRemovesVariants) {
  std::string yaml = textOf(
      addVariant("model: {path: m}\ncapture: {level: layer}\n", "a", {{"precision.cast", "load"}}));
  EXPECT_EQ(yaml,
            "model: {path: m}\nvariants: {a: {precision.cast: load}}\ncapture: {level: layer}\n");
  yaml = "variants:\n  # plain\n  a: {precision.cast: load}  # x\n  b: {}\n";
  yaml = textOf(copyYaml(yaml, variantPath("a"), "c"));
  const auto names = [&] { return variantNames(*parseYaml(yaml, "s")); };
  EXPECT_THAT(names(), ElementsAre("a", "c", "b"));
  yaml = textOf(renameYaml(yaml, variantPath("c"), "d"));
  yaml = textOf(moveVariant(yaml, "d", 2));
  EXPECT_THAT(names(), ElementsAre("a", "b", "d"));
  yaml = textOf(removeYaml(yaml, variantPath("b"), Comments::Drop));
  yaml = textOf(addVariant(yaml, "e", {}));
  EXPECT_EQ(yaml,
            "variants:\n  # plain\n  a: {precision.cast: load}  # x\n"
            "  # plain\n  d: {precision.cast: load}  # x\n  e: {}\n");
  EXPECT_EQ(freeVariantName(names(), "a"), "a_2");
  EXPECT_EQ(freeVariantName(names(), "z"), "z");
  EXPECT_EQ(renameYaml(yaml, variantPath("a"), "d").error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(removeYaml(yaml, variantPath("nobody"), Comments::Drop).error().code(),
            ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::study
