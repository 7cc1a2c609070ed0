#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/fast_llm/fast_llm_study.h"

namespace ulp::study {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLosses = "model.base_model.head.losses.";

YamlNode::Entry field(std::string_view path, std::string_view value) {
  YamlNode node{.kind = YamlNode::Kind::Scalar, .text = std::string(value), .position = {3, 9}};
  return {std::string(path), {3, 1}, std::move(node)};
}

YamlNode::Entry lossField(std::string_view path, std::string_view value) {
  return field(std::string(kLosses) + std::string(path), value);
}

/// "loss.type=gspo loss.epsilon_low=0.1"
std::string settingsOf(const std::vector<YamlNode::Entry>& fields) {
  const FastLlmTranslation losses = translateLosses(fields);
  EXPECT_TRUE(losses.problems.empty());
  std::string text;
  for (const YamlNode::Entry& entry : losses.study.entries) {
    const bool scalar = entry.value.kind == YamlNode::Kind::Scalar;
    text += (text.empty() ? "" : " ") + entry.key + "=" +
            (scalar ? entry.value.text : toJsonText(entry.value));
  }
  return text;
}

std::string problemOf(const std::vector<YamlNode::Entry>& fields) {
  const FastLlmTranslation losses = translateLosses(fields);
  return losses.problems.empty() ? "none" : losses.problems.front().message;
}

TEST(FastLlmLosses, OneLossIsTheType) {
  EXPECT_EQ(settingsOf({}), "");
  EXPECT_EQ(settingsOf({lossField("gspo.type", "gspo")}), "loss.type=gspo");
  EXPECT_EQ(settingsOf({lossField("ce.type", "label"), lossField("ce.weight", "1.0")}),
            "loss.type=cross_entropy");
  EXPECT_EQ(settingsOf({lossField("p.type", "grpo"),
                        lossField("p.epsilon_low", "0.003"),
                        lossField("p.epsilon_high", "0.004")}),
            "loss.type=grpo loss.epsilon_low=0.003 loss.epsilon_high=0.004");
  EXPECT_EQ(settingsOf({lossField("x.epsilon_low", "0.1")}),
            "loss.type=cross_entropy loss.epsilon_low=0.1")
      << "Fast-LLM's default type";
}

TEST(FastLlmLosses, SeveralAreTermsInTheOrderOfTheirNames) {
  EXPECT_EQ(settingsOf({lossField("z.type", "z_loss"),
                        lossField("z.weight", "1e-4"),
                        lossField("ce.type", "label")}),
            R"(loss.terms=[{"type":"cross_entropy"},{"type":"z_loss","weight":0.0001}])");
  EXPECT_EQ(settingsOf({lossField("gspo.type", "gspo"), lossField("gspo.weight", "2")}),
            R"(loss.terms=[{"type":"gspo","weight":2}])");
}

TEST(FastLlmLosses, ScalesOfLogitsMultiply) {
  const YamlNode::Entry head = field("model.base_model.head.logits_scale_factor", "0.5");
  EXPECT_EQ(settingsOf({head}), "loss.logits_scale=0.5");
  EXPECT_EQ(
      settingsOf({head, lossField("a.type", "gspo"), lossField("a.logits_scale_factor", "3")}),
      "loss.type=gspo loss.logits_scale=1.5");
  EXPECT_THAT(problemOf({lossField("a.type", "gspo"),
                         lossField("a.logits_scale_factor", "3"),
                         lossField("b.type", "label")}),
              HasSubstr("must share one scale"));
}

TEST(FastLlmLosses, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(
      problemOf({lossField("a.type", "dpo")}),
      HasSubstr("'model.base_model.head.losses.a.type' must be label, z_loss, grpo or gspo, "
                "not 'dpo'"));
  EXPECT_THAT(problemOf({lossField("a.weight", "much")}), HasSubstr("must be a number"));
}

}  // namespace
}  // namespace ulp::study
