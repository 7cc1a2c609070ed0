#include "core/study/reading/batch_settings.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Result<Study> readBatch(const std::string& yaml) {
  return parseStudy("model: {path: m}\n" + yaml, "s.yaml");
}

/// Of a study that is refused.
std::string batchErrorOf(const std::string& yaml) {
  const auto study = readBatch(yaml);
  return study ? "accepted" : study.error().message();
}

BatchSettings batchOf(const std::string& yaml, std::string_view run) {
  const auto study = readBatch(yaml);
  EXPECT_TRUE(study) << study.error().message();
  return batchSettings(*study, effectiveSettings(*study, run).value());
}

TEST(BatchSettings, AreThoseOfTheRun) {
  const std::string yaml =
      "batch.among: 4\n"
      "reference: {batch.among: 0}\n"
      "variants:\n"
      "  wide: {batch: {place: 2, seed: 9}}\n"
      "  narrow: {batch: {padding: 3, padding_side: right, chunk_length: 5}}";
  EXPECT_TRUE(batchOf(yaml, "reference").isPlain());
  const BatchSettings wide = batchOf(yaml, "wide");
  EXPECT_EQ(wide.among, 4);
  EXPECT_EQ(wide.place, 2);
  EXPECT_EQ(wide.seed, 9U);
  EXPECT_TRUE(wide.isPaddedLeft);
  const BatchSettings narrow = batchOf(yaml, "narrow");
  EXPECT_EQ(narrow.padding, 3);
  EXPECT_FALSE(narrow.isPaddedLeft);
  EXPECT_EQ(narrow.chunkLength, 5);
  EXPECT_FALSE(narrow.isPlain());
}

TEST(BatchSettings, PositionsBehindAPromptGoInStepsUnlessTheRunSaysOtherwise) {
  const std::string yaml =
      "input.generate: 4\n"
      "batch.cache_dtype: bfloat16\n"
      "reference: {batch.cache_dtype: none}\n"
      "variants:\n"
      "  steps: {}\n"
      "  pass: {batch: {generated: pass, cache_dtype: none}}";
  EXPECT_TRUE(batchOf(yaml, "reference").generatesInSteps);
  EXPECT_EQ(batchOf(yaml, "reference").cacheFormat, std::nullopt);
  EXPECT_TRUE(batchOf(yaml, "steps").isCached());
  EXPECT_EQ(batchOf(yaml, "steps").cacheFormat, numerics::NumberFormat::BFloat16);
  EXPECT_TRUE(batchOf(yaml, "pass").isPlain());
  EXPECT_FALSE(batchOf("variants: {steps: {}}", "steps").generatesInSteps);
}

TEST(BatchSettings, AFormatOfTheCacheNeedsOne) {
  EXPECT_THAT(batchErrorOf("variants: {v: {batch.cache_dtype: bfloat16}}"),
              HasSubstr("s.yaml:2:35: 'batch.cache_dtype' needs a cache"));
  EXPECT_THAT(batchErrorOf("variants: {v: {python.cache: {backend: quanto}}}"),
              HasSubstr("s.yaml:2:30: 'python.cache' needs a cache"));
  EXPECT_THAT(batchErrorOf("variants: {v: {batch: {cache_dtype: bfloat16, chunk_length: 2}, "
                           "python.cache: {backend: quanto}}}"),
              HasSubstr("'python.cache' and 'batch.cache_dtype' both say"));
  EXPECT_EQ(batchErrorOf("variants: {v: {batch: {cache_dtype: bfloat16, chunk_length: 2}}}"),
            "accepted");
}

TEST(BatchSettings, TokensAreGeneratedBehindOneDocumentForALossWithoutAPolicy) {
  EXPECT_THAT(batchErrorOf("input: {sequence_length: 4, documents: [2, 3], generate: 2}"),
              HasSubstr("s.yaml:2:58: 'input.generate' needs sequences of one document"));
  EXPECT_THAT(batchErrorOf("input.generate: 2\nsemantics: fast_llm"),
              HasSubstr("'input.generate' needs semantics: transformers"));
  EXPECT_THAT(batchErrorOf("input.generate: 2\nloss.type: grpo"),
              HasSubstr("'input.generate' and a loss of grpo or gspo"));
}

TEST(BatchSettings, ASequenceAloneHasOnePlace) {
  EXPECT_EQ(batchOf("batch.among: 4\nvariants: {a: {batch: {among: 0, place: 2}}}", "a").place, 0)
      << "so that a difference of two keys can be taken back one by one";
}

TEST(BatchSettings, CountWhatIsComputed) {
  EXPECT_EQ(BatchSettings{}.positions(2, 10), 20);
  EXPECT_EQ((BatchSettings{.among = 8, .padding = 5}).positions(2, 10), 120);
  EXPECT_EQ((BatchSettings{.chunkLength = 1}).positions(2, 10), 20);
}

TEST(BatchSettings, SequencesNeedRoomAtTheirPlace) {
  EXPECT_THAT(batchErrorOf("input.micro_batch_size: 4\nvariants: {a: {batch.among: 3}}"),
              HasSubstr("s.yaml:3:29: 'batch.among': 3 sequences have no room for the 4 of a "
                        "micro-batch"));
  EXPECT_THAT(batchErrorOf("variants: {a: {batch: {among: 4, place: 4}}}"),
              HasSubstr("4 sequences have no room for the 1 of a micro-batch from place 4 on"));
  EXPECT_EQ(batchErrorOf("variants: {a: {batch: {among: 4, place: 3}}}"), "accepted");
}

TEST(BatchSettings, WhatTheCommandLineSetsHasNoPlaceInTheFile) {
  const auto study = parseStudy(
      "model: {path: m}", "s.yaml", {"variants.x.batch.among=2", "variants.x.batch.place=2"});
  ASSERT_FALSE(study);
  EXPECT_THAT(study.error().message(),
              testing::StartsWith("s.yaml: 'batch.among': 2 sequences have no room"));
}

TEST(BatchSettings, HowManySequencesAFileHoldsIsNotKnownYet) {
  EXPECT_EQ(batchErrorOf("input: {source: tokens, path: t.json}\nvariants: {a: {batch.among: 2}}"),
            "accepted");
  EXPECT_THAT(placeProblem({.among = 2}, 5), HasSubstr("no room for the 5"));
  EXPECT_THAT(placeProblem({.among = 5}, 5), IsEmpty());
}

TEST(BatchSettings, PaddingAndPiecesNeedOneDocumentAndTransformers) {
  for (const std::string key : {"batch.padding", "batch.chunk_length"}) {
    const std::string variant = "variants: {a: {" + key + ": 4}}";
    EXPECT_EQ(batchErrorOf(variant), "accepted");
    EXPECT_THAT(batchErrorOf("input: {sequence_length: 9, documents: [4, 6]}\n" + variant),
                HasSubstr("'" + key +
                          "' needs sequences of one document without padding of their "
                          "own; leave input.documents out"));
    EXPECT_THAT(batchErrorOf("input.padding: 3\n" + variant), HasSubstr("leave input.padding out"));
    EXPECT_THAT(batchErrorOf("semantics: fast_llm\n" + variant),
                HasSubstr("'" + key + "' needs semantics: transformers"));
  }
  EXPECT_EQ(batchErrorOf("semantics: fast_llm\ninput: {sequence_length: 9, documents: [4, 6]}\n"
                         "variants: {a: {batch.among: 4}}"),
            "accepted");
}

TEST(BatchSettings, StochasticRoundingWouldDrawOtherNumbers) {
  EXPECT_THAT(batchErrorOf("variants: {a: {batch.among: 4, precision.rounding: stochastic}}"),
              HasSubstr("s.yaml:2:52: 'precision.rounding' stochastic draws by the place"));
  EXPECT_EQ(batchErrorOf("variants: {a: {batch.among: 4}, b: {precision.rounding: stochastic}}"),
            "accepted");
}

TEST(BatchSettings, OneLineThatReachesSeveralRunsIsOneProblem) {
  const std::string error =
      batchErrorOf("batch.padding: 2\ninput.padding: 3\nvariants: {a: {}, b: {}}");
  EXPECT_THAT(error, HasSubstr("s.yaml:2:16"));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

TEST(BatchSettings, KeysThatDoNothingSaySo) {
  const auto study = readBatch("variants: {a: {batch: {place: 1, seed: 3, padding_side: right}}}");
  ASSERT_TRUE(study) << study.error().message();
  EXPECT_THAT(study->warnings,
              ElementsAre("batch.place has no effect: batch.among is set nowhere",
                          "batch.seed has no effect: batch.among is set nowhere",
                          "batch.padding_side has no effect: batch.padding is set nowhere"));
}

TEST(BatchSettings, PlacesAreWhereASettingWasWritten) {
  Study study;
  study.file = "s.yaml";
  EXPECT_EQ(placeOf(study, "batch.among", {.value = "2", .position = {3, 14}}), "s.yaml:3:14");
  EXPECT_EQ(placeOf(study, "batch.among", {.value = "2", .origin = Origin::CommandLine}),
            "--set batch.among=2");
  EXPECT_EQ(placeOf(study, "batch.among", {.value = "2"}), "");
}

}  // namespace
}  // namespace ulp::study
