#include "core/study/schema/loss_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study.h"

namespace ulp::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Study parsedLoss(const std::string& text) {
  auto study = parseStudy("model: {path: m}\n" + text, "s.yaml");
  EXPECT_TRUE(study) << study.error().message();
  return study.value_or(Study{});
}

std::string lossErrorOf(const std::string& text) {
  const auto study = parseStudy("model: {path: m}\n" + text, "s.yaml");
  EXPECT_FALSE(study) << text;
  return study ? "" : study.error().message();
}

TEST(LossKeys, AreCrossEntropyOfOneDocumentUnlessTheStudySaysOtherwise) {
  const Study study = parsedLoss("");
  ASSERT_EQ(study.loss.terms.size(), 1U);
  EXPECT_EQ(study.loss.terms[0].type, "cross_entropy");
  EXPECT_EQ(study.loss.terms[0].weight, 1);
  EXPECT_FALSE(study.loss.needsPolicy());
  EXPECT_TRUE(study.step.documents.empty());
  EXPECT_EQ(study.step.microBatches, 1);
  EXPECT_EQ(study.step.docsPerStep, 0);
}

TEST(LossKeys, OneTypeTakesTheEpsilonsOfTheStudy) {
  const Study study = parsedLoss("loss: {type: gspo, epsilon_low: 0.003, epsilon_high: 0.004}");
  EXPECT_EQ(study.loss.terms[0].type, "gspo");
  EXPECT_EQ(study.loss.terms[0].epsilonLow, 0.003);
  EXPECT_EQ(study.loss.terms[0].epsilonHigh, 0.004);
  EXPECT_TRUE(study.loss.needsPolicy());
}

TEST(LossKeys, TermsTakeWhatTheyLeaveOpenFromTheStudy) {
  const Study study = parsedLoss(
      "loss:\n  epsilon_low: 0.1\n  terms:\n  - {type: cross_entropy, weight: 0.1}\n"
      "  - {type: gspo, epsilon_high: 0.3}\n  - {type: z_loss, weight: 1e-3}\n");
  ASSERT_EQ(study.loss.terms.size(), 3U);
  EXPECT_EQ(study.loss.terms[0].weight, 0.1);
  EXPECT_EQ(study.loss.terms[1].type, "gspo");
  EXPECT_EQ(study.loss.terms[1].weight, 1);
  EXPECT_EQ(study.loss.terms[1].epsilonLow, 0.1);
  EXPECT_EQ(study.loss.terms[1].epsilonHigh, 0.3);
  EXPECT_EQ(study.loss.terms[2].weight, 0.001);
}

TEST(LossKeys, NameThePlaceOfWhatIsWrongInATerm) {
  EXPECT_EQ(lossErrorOf("loss:\n  terms:\n  - {type: grop}"),
            "s.yaml:4:12: 'loss.terms': the type must be one of cross_entropy, z_loss, grpo, gspo, "
            "gspo_length_weighted, not 'grop'");
  EXPECT_THAT(lossErrorOf("loss: {terms: [{weight: 1}]}"), HasSubstr("names its type"));
  EXPECT_THAT(lossErrorOf("loss: {terms: [{type: grpo, wieght: 1}]}"),
              HasSubstr("no field 'wieght'; it has type, weight, epsilon_low, epsilon_high"));
  EXPECT_THAT(lossErrorOf("loss: {terms: [{type: grpo, epsilon_low: -1}]}"),
              HasSubstr("epsilon_low must be a number of at least 0"));
  EXPECT_THAT(lossErrorOf("loss: {terms: {type: grpo}}"), HasSubstr("must be a list of terms"));
  EXPECT_THAT(lossErrorOf("loss: {type: grpo, terms: [{type: z_loss}]}"), HasSubstr("both set"));
}

TEST(LossKeys, AFileOfAdvantagesNeedsItsPath) {
  EXPECT_EQ(lossErrorOf("loss: {type: grpo, advantages: file}"),
            "s.yaml:2:32: loss.advantages 'file' needs loss.path, the file that holds them");
  EXPECT_EQ(
      parsedLoss("loss: {type: grpo, old_log_probabilities: file, path: p.safetensors}").loss.path,
      "p.safetensors");
}

TEST(LossKeys, WhatHasNoEffectIsWarnedOf) {
  EXPECT_THAT(parsedLoss("loss: {old_noise: 0.1}").warnings,
              ElementsAre("loss.old_noise has no effect: neither grpo nor gspo is a term of the "
                          "loss"));
  EXPECT_THAT(parsedLoss("schedule: {docs_per_step: 4, micro_batches: 2}").warnings,
              ElementsAre(HasSubstr("schedule.micro_batches has no effect")));
}

TEST(DocumentKeys, AreLengthsOrOneListForEachMicroBatch) {
  const Study one = parsedLoss(
      "input: {sequence_length: 9, documents: [4, 5], padding: 1, unlabelled: [[0, 2]]}");
  EXPECT_THAT(one.step.documents, ElementsAre(ElementsAre(4, 5)));
  EXPECT_EQ(one.step.padding, 1);
  EXPECT_THAT(one.step.unlabelled, ElementsAre(Pair(0, 2)));
  const Study two = parsedLoss("input: {sequence_length: 9, documents: [[4, 6], [10]]}");
  EXPECT_THAT(two.step.documents, ElementsAre(ElementsAre(4, 6), ElementsAre(10)));
}

TEST(DocumentKeys, MustFillTheSequence) {
  EXPECT_EQ(lossErrorOf("input: {sequence_length: 9, documents: [4, 5]}"),
            "s.yaml:2:40: 'input.documents' and 'input.padding' add up to 9 tokens, but a sequence "
            "has input.sequence_length + 1 = 10");
  EXPECT_THAT(lossErrorOf("input: {sequence_length: 9, documents: [[10], [4, 5]]}"),
              HasSubstr("add up to 9"));
  EXPECT_THAT(lossErrorOf("input: {sequence_length: 9, padding: 10}"),
              HasSubstr("leaves no token"));
}

TEST(DocumentKeys, RefuseWhatIsNoLength) {
  for (const char* documents :
       {"[0]", "[-3]", "[1.5]", "[a]", "['4']", "7", "{a: 1}", "[[4], 5]", "[[]]"}) {
    EXPECT_THAT(lossErrorOf(std::string("input: {documents: ") + documents + "}"),
                HasSubstr("'input.documents'"))
        << documents;
  }
  for (const char* ranges : {"[[3, 2]]", "[[1]]", "[4]", "[[-1, 2]]", "3"}) {
    EXPECT_THAT(lossErrorOf(std::string("input: {unlabelled: ") + ranges + "}"),
                HasSubstr("'input.unlabelled'"))
        << ranges;
  }
}

}  // namespace
}  // namespace ulp::study
