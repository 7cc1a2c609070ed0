#include "core/study/editing/study_completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::study {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

/// `^` marks the place.
std::vector<std::string> complete(std::string yaml) {
  const std::size_t at = yaml.find('^');
  yaml.erase(at, 1);
  std::vector<std::string> texts;
  for (const Completion& item : completeStudy(yaml, at).items) {
    texts.push_back(item.text);
  }
  return texts;
}

std::string_view keyPath(std::string yaml) {
  const std::size_t at = yaml.find('^');
  yaml.erase(at, 1);
  const Key* key = keyAt(yaml, at);
  return key == nullptr ? "" : key->path;
}

TEST(StudyCompletion, OffersSectionsThatAreNotThereYet) {
  const auto all = complete("model:\n  path: m\n^\ndevice: cpu\n");
  EXPECT_THAT(all, Contains("input"));
  EXPECT_THAT(all, Contains("variants"));
  EXPECT_THAT(all, Contains("output_dir"));
  EXPECT_THAT(all, Not(Contains("model")));
  EXPECT_THAT(all, Not(Contains("device")));
  EXPECT_THAT(complete("o^"), testing::AllOf(Contains("output_dir"), Contains("model")));
  EXPECT_EQ(complete("ou^").front(), "output_dir");
}

TEST(StudyCompletion, OffersTheKeysOfASection) {
  EXPECT_THAT(complete("model:\n  path: m\n  ^"),
              ElementsAre("weights", "seed", "architecture", "factory"));
  EXPECT_THAT(complete("model:\n  path: m\n  se^\n"), ElementsAre("seed"));
  EXPECT_THAT(
      complete("input: {seed: 1, s^}"),
      ElementsAre("source", "sequence_length", "sequences", "micro_batch_size", "documents"));
  EXPECT_THAT(complete("precision.c^"), Contains("precision.cast"));
}

TEST(StudyCompletion, OffersDottedOverridesBelowVariants) {
  EXPECT_THAT(complete("variants:\n  bf16:\n    ^"), Contains("precision.residual_dtype"));
  EXPECT_THAT(complete("variants:\n  bf16:\n    precision.cast: load\n    ^"),
              Not(Contains("precision.cast")));
  EXPECT_THAT(complete("variants:\n  bf16: {comput^"), ElementsAre("precision.compute_dtype"));
  EXPECT_THAT(complete("variants:\n  a: {precision: {resi^"), ElementsAre("residual_dtype"));
  EXPECT_THAT(complete("reference: {^}"), Not(Contains("model.path")));
  EXPECT_THAT(complete("variants:\n  ^"), IsEmpty());
}

TEST(StudyCompletion, OffersValues) {
  EXPECT_THAT(complete("capture: {level: ^}"), ElementsAre("layer", "module", "op"));
  EXPECT_THAT(complete("capture:\n  level: mo^"), ElementsAre("module"));
  EXPECT_THAT(
      complete("variants:\n  a: {precision.compute_dtype: fl^"),
      ElementsAre("float64", "float32", "float16", "float8_e4m3fn", "float8_e5m2", "bfloat16"));
  EXPECT_THAT(complete("variants:\n  a: {x: 1, precision.cast: ^"), ElementsAre("load", "module"));
  EXPECT_THAT(complete("capture: {parameter_gradients: ^"), ElementsAre("true", "false"));
  EXPECT_THAT(complete("device: c^"), ElementsAre("cpu", "cuda", "cuda:0", "cuda:all"));
}

TEST(StudyCompletion, IsSilentWhereNoKeyCanStand) {
  EXPECT_THAT(complete("model: {path: m}  # se^"), IsEmpty());
  EXPECT_THAT(complete("capture: {include: [m^"), IsEmpty());
  EXPECT_THAT(complete("capture:\n  include:\n    - m^"), IsEmpty());
  EXPECT_THAT(complete("model: {path: 'a^"), IsEmpty());
  EXPECT_THAT(complete("unknown:\n  ^"), IsEmpty());
}

TEST(StudyCompletion, KnowsTheKeyAtThePlace) {
  EXPECT_EQ(keyPath("model:\n  pa^th: x\n"), "model.path");
  EXPECT_EQ(keyPath("model:\n  path: x^y\n"), "model.path");
  EXPECT_EQ(keyPath("variants:\n  a: {precision.com^pute_dtype: bfloat16}\n"),
            "precision.compute_dtype");
  EXPECT_EQ(keyPath("variants:\n  a: {precision.cast: lo^ad}\n"), "precision.cast");
  EXPECT_EQ(keyPath("model:^\n"), "");
  EXPECT_EQ(keyPath("^"), "");
}

TEST(StudyCompletion, GivesTheWordToReplaceAndWhatReplacesIt) {
  const std::string yaml = "model:\n  we";
  const Completions found = completeStudy(yaml, yaml.size());
  EXPECT_EQ(found.begin, yaml.size() - 2);
  ASSERT_EQ(found.items.size(), 1U);
  EXPECT_EQ(found.items[0].insert, "weights: ");
  EXPECT_FALSE(found.items[0].help.empty());
}

TEST(StudyCompletion, EveryPlaceOfAnyTextIsSafe) {
  const std::string text =
      "a: {b: [x, 'y'}, c: \"\n  }]: d\n\r\n - {: ,}}\n# \xc3\xa4\nvariants:\n a:";
  for (std::size_t i = 0; i <= text.size() + 2; ++i) {
    const Completions found = completeStudy(text, i);
    EXPECT_LE(found.begin, text.size());
    static_cast<void>(keyAt(text, i));
  }
}

TEST(StudyCompletion, KnowsSiblingsOnBothSidesAndWhereTheMapEnds) {
  EXPECT_THAT(complete("model:\n  path: m\n  ^\n  seed: 1\n\n# c\ninput:\n  weights: x\n"),
              ElementsAre("weights", "architecture", "factory"));
  EXPECT_THAT(complete("model:\n  \"path\": m\n  'seed' : 1\n  ^\n"),
              ElementsAre("weights", "architecture", "factory"));
  EXPECT_THAT(complete("model: {path: m, ^, seed: 1}"),
              testing::AllOf(Contains("weights"), Not(Contains("path"))));
  EXPECT_THAT(complete("model:\r\n  path: m\r\n  se^\r\n"), ElementsAre("seed"));
  EXPECT_THAT(complete("# model:\n  ^"), Contains("model")) << "a comment is no parent";
}

TEST(StudyCompletion, ValuesBehindBracketsAndListsAreToldApart) {
  EXPECT_THAT(complete("capture: {include: [a, b], level: ^}"),
              ElementsAre("layer", "module", "op"));
  EXPECT_THAT(complete("variants: {a: {precision.cast: load}, b: {precision.cast: ^}}"),
              ElementsAre("load", "module"));
  EXPECT_THAT(complete("variants: {a: {precision.cast: load, ^}}"),
              testing::AllOf(Contains("precision.compute_dtype"), Not(Contains("precision.cast"))));
  EXPECT_THAT(complete("capture: {include: 'x, y', level: mo^"), ElementsAre("module"));
  const std::string yaml = "capture: {level:   mo";
  EXPECT_EQ(completeStudy(yaml, yaml.size()).begin, yaml.size() - 2);
  EXPECT_EQ(completeStudy("  model", 99).begin, 2U) << "behind the end is the end";
}

TEST(StudyCompletion, WhatBeginsWithTheWordComesFirst) {
  const auto found = complete("precision.compute^");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), "precision.compute_dtype");
  EXPECT_THAT(complete("capture: {level: LA^"), ElementsAre("layer")) << "in any case";
  EXPECT_THAT(complete("capture: {level: o^"), ElementsAre("op", "module"));
}

TEST(StudyCompletion, KeysAreKnownToTheirEnds) {
  EXPECT_EQ(keyPath("model:\n  ^path: x\n"), "model.path");
  EXPECT_EQ(keyPath("model:\n  path^: x\n"), "model.path");
  EXPECT_EQ(keyPath("reference: {precision.ca^st: load}\n"), "precision.cast");
  EXPECT_EQ(keyPath("# model.pa^th\n"), "");
  EXPECT_EQ(keyPath("precision.c^ast: load"), "precision.cast");
}

}  // namespace
}  // namespace ulp::study
