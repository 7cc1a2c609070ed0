#include "core/study/schema/value_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::study {
namespace {

tl::expected<std::string, ValueProblem> check(std::string_view path, std::string_view yaml) {
  const auto node = parseYaml(yaml, "v");
  return checkValue(*findKey(path), node ? *node : YamlNode{});
}

std::string problemOf(std::string_view path, std::string_view yaml) {
  const auto value = check(path, yaml);
  return value ? "accepted: " + *value : value.error().message;
}

TEST(ValueCheck, WritesDTypesByTheirTorchName) {
  EXPECT_EQ(check("precision.compute_dtype", "bf16").value(), "bfloat16");
  EXPECT_EQ(check("precision.compute_dtype", "torch.float16").value(), "float16");
  EXPECT_EQ(check("precision.lm_head_dtype", "fp64").value(), "float64");
}

TEST(ValueCheck, RefusesFormatsThatTheEngineDoesNotComputeIn) {
  EXPECT_EQ(problemOf("precision.compute_dtype", "int8"),
            "'precision.compute_dtype' must be one of float64, float32, tf32, bfloat16, float16, "
            "float8_e4m3fn, float8_e5m2, mxfp8, mxfp4, nvfp4, not 'int8'");
}

TEST(ValueCheck, TakesANumberOrAWordThatTheKeyNames) {
  EXPECT_EQ(check("gradient.scale", "auto").value(), "auto");
  EXPECT_EQ(check("gradient.scale", "65536").value(), "65536");
  EXPECT_EQ(problemOf("gradient.scale", "automatic"),
            "'gradient.scale' must be auto or a number, not 'automatic'");
  EXPECT_FALSE(check("gradient.scale", "0"));
}

TEST(ValueCheck, TakesANameThatIsNoSlipOfAChoice) {
  EXPECT_EQ(check("attention.implementation", "eager").value(), "eager");
  EXPECT_EQ(check("attention.implementation", "kernels-community/flash-attn:v1").value(),
            "kernels-community/flash-attn:v1");
  EXPECT_EQ(problemOf("attention.implementation", "egaer"),
            "'attention.implementation' must be one of eager, sdpa, sdpa_math, sdpa_flash, "
            "sdpa_efficient, sdpa_cudnn, flash_attention_2, flash_attention_3, "
            "flash_attention_4, flex_attention, or another name, not 'egaer'");
  EXPECT_FALSE(check("attention.implementation", "'two words'"));
}

TEST(ValueCheck, RefusesIntegersThatAreNotWhole) {
  EXPECT_EQ(problemOf("input.sequence_length", "1.5"),
            "'input.sequence_length' must be a whole number, not '1.5'");
  EXPECT_EQ(problemOf("input.sequence_length", "'12'"),
            "'input.sequence_length' must be a whole number, not '12'");
  EXPECT_EQ(problemOf("input.sequence_length", "99999999999999999999"),
            "'input.sequence_length' must be a whole number, not '99999999999999999999'");
}

TEST(ValueCheck, RefusesIntegersOutOfRange) {
  EXPECT_EQ(problemOf("input.sequence_length", "0"),
            "'input.sequence_length' must be at least 1, not '0'");
  EXPECT_EQ(problemOf("input.seed", "-1"), "'input.seed' must be at least 0, not '-1'");
  EXPECT_EQ(problemOf("input.micro_batch_size", "2000000"),
            "'input.micro_batch_size' must be at most 1048576, not '2000000'");
  EXPECT_EQ(problemOf("input.seed", "9007199254740993"),
            "'input.seed' must be at most 9007199254740992, not '9007199254740993'");
}

TEST(ValueCheck, ChecksNumbersOfAnyKey) {
  const Key key{.path = "x", .type = ValueType::Number, .minimum = 0, .maximum = 1};
  const auto at = [&](std::string_view yaml) { return checkValue(key, *parseYaml(yaml, "v")); };
  EXPECT_EQ(at("0.25").value(), "0.25");
  EXPECT_EQ(at("2").error().message, "'x' must be at most 1, not '2'");
  EXPECT_EQ(at("nan").error().message, "'x' must be a number, not 'nan'");
}

TEST(ValueCheck, AcceptsTrueAndFalseOnly) {
  EXPECT_EQ(check("capture.parameter_gradients", "True").value(), "true");
  EXPECT_EQ(check("capture.parameter_gradients", "false").value(), "false");
  EXPECT_EQ(problemOf("capture.parameter_gradients", "yes"),
            "'capture.parameter_gradients' must be true or false, not 'yes'");
}

TEST(ValueCheck, ListsTheChoices) {
  EXPECT_EQ(problemOf("capture.level", "tensor"),
            "'capture.level' must be one of layer, module, op, not 'tensor'");
}

TEST(ValueCheck, KnowsDevices) {
  for (const std::string_view device : {"auto", "cpu", "cuda", "cuda:1"}) {
    EXPECT_EQ(check("device", device).value(), device);
  }
  EXPECT_EQ(problemOf("device", "gpu"),
            "'device' must be auto, cpu, cuda, cuda:N or cuda:all, or several like cuda:0,cuda:1 "
            "(variants) or cuda:0+cuda:1 (layers), "
            "not 'gpu'");
  EXPECT_EQ(check("device", "[cuda:0, cuda:1]").value(), "cuda:0,cuda:1");
}

TEST(ValueCheck, PlacesABadPatternAtTheItem) {
  const auto value = check("capture.include", "[good, '(bad']");
  ASSERT_FALSE(value.has_value());
  EXPECT_EQ(value.error().position.line, 1);
  EXPECT_EQ(value.error().position.column, 8);
  EXPECT_THAT(value.error().message,
              testing::StartsWith("'capture.include': '(bad' is not a regular expression"));
}

TEST(ValueCheck, KeepsPatternsThatLookLikeNumbers) {
  EXPECT_EQ(check("capture.include", "[11, a.b]").value(), R"(["11","a.b"])");
}

TEST(ValueCheck, WantsListsAndMapsWhereTheyBelong) {
  EXPECT_EQ(problemOf("capture.include", "attn"),
            "'capture.include' must be a list of regular expressions, not 'attn'");
  EXPECT_EQ(problemOf("model.architecture", "[1]"),
            "'model.architecture' must be a map, not a list");
  EXPECT_EQ(problemOf("model.path", "{a: 1}"), "'model.path' must be a single value, not a map");
}

TEST(ValueCheck, TreatsNothingAsEmptyListOrMapOnly) {
  EXPECT_EQ(check("capture.exclude", "~").value(), "[]");
  EXPECT_EQ(check("model.architecture", "~").value(), "{}");
  EXPECT_EQ(problemOf("model.path", "~"), "'model.path' has no value");
  EXPECT_EQ(problemOf("model.path", "''"), "'model.path' is empty");
}

}  // namespace
}  // namespace ulp::study
