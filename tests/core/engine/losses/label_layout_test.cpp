#include "core/engine/losses/label_layout.h"

#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/losses/fast_llm_case.h"

namespace ulp::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
constexpr std::int64_t kNone = LabelLayout::kIgnored;

TokenBatch batchOf(std::int64_t batch, std::int64_t length, DocumentLayout documents = {}) {
  TokenBatch tokens;
  tokens.batch = batch;
  tokens.length = length;
  tokens.ids.resize(static_cast<std::size_t>(batch * (length + 1)));
  std::iota(tokens.ids.begin(), tokens.ids.end(), std::int64_t{10});
  tokens.documents = std::move(documents);
  return tokens;
}

TEST(LabelLayout, OneDocumentPredictsEveryNextToken) {
  const LabelLayout layout = layOutLabels(batchOf(2, 3)).value();
  EXPECT_THAT(layout.labels, ElementsAre(11, 12, 13, 15, 16, 17));
  EXPECT_THAT(layout.labelCounts, ElementsAre(3, 3, 3, 3, 3, 3));
  EXPECT_THAT(layout.segments, ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_EQ(layout.documents, 2);
  EXPECT_EQ(layout.labelTotal, 6);
}

TEST(LabelLayout, TheFirstTokenOfADocumentIsNobodysLabel) {
  const LabelLayout layout = layOutLabels(batchOf(1, 6, {.lengths = {3, 4}})).value();
  EXPECT_THAT(layout.labels, ElementsAre(11, 12, kNone, 14, 15, 16));
  EXPECT_THAT(layout.labelCounts, ElementsAre(2, 2, 3, 3, 3, 3));
  EXPECT_THAT(layout.attentionDocuments, ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(layout.positions, ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(LabelLayout, PaddingHasNoLabelAndBelongsToTheLastDocument) {
  const LabelLayout layout = layOutLabels(batchOf(2, 6, {.lengths = {2, 3}, .padding = 2})).value();
  EXPECT_THAT(layout.labels,
              ElementsAre(11, kNone, 13, 14, kNone, kNone, 18, kNone, 20, 21, kNone, kNone));
  EXPECT_THAT(layout.segments, ElementsAre(0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3));
  EXPECT_THAT(layout.attentionDocuments, ElementsAre(0, 0, 1, 1, 1, 2));
  EXPECT_EQ(layout.documents, 4);
}

TEST(LabelLayout, RangesWithoutLabelsAreLeftOut) {
  const LabelLayout layout =
      layOutLabels(batchOf(1, 5, {.lengths = {}, .padding = 0, .unlabelled = {{1, 3}}})).value();
  EXPECT_THAT(layout.labels, ElementsAre(kNone, kNone, 13, 14, 15));
  EXPECT_EQ(layout.labelTotal, 3);
}

TEST(LabelLayout, DocumentsThatDoNotFillTheSequenceAreRefused) {
  for (const DocumentLayout& documents : {DocumentLayout{.lengths = {3, 3}},
                                          DocumentLayout{.lengths = {3, 5}},
                                          DocumentLayout{.lengths = {0, 7}},
                                          DocumentLayout{.lengths = {8, -1}},
                                          DocumentLayout{.lengths = {}, .padding = 7},
                                          DocumentLayout{.lengths = {8}, .padding = -1}}) {
    const auto layout = layOutLabels(batchOf(1, 6, documents));
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(layout.error().message(), HasSubstr("do not fill the 7 tokens"));
  }
}

TEST(LabelLayout, ASequenceWithoutAnyLabelIsRefused) {
  const auto layout = layOutLabels(batchOf(1, 2, {.lengths = {1, 1, 1}}));
  ASSERT_FALSE(layout);
  EXPECT_THAT(layout.error().message(), HasSubstr("no token is left to predict"));
}

TEST(LabelLayout, RangesBeyondTheSequenceAreRefused) {
  const auto layout = layOutLabels(batchOf(1, 5, {.lengths = {}, .unlabelled = {{2, 7}}}));
  ASSERT_FALSE(layout);
  EXPECT_THAT(layout.error().message(), HasSubstr("[2, 7)"));
}

TEST(LabelLayout, IsThatOfFastLlm) {
  for (const char* name : {"tiny_grpo_on", "tiny_gspo_clip", "tiny_gspo_nopad"}) {
    const FastLlmCase fixture(name);
    const LabelLayout layout = layOutLabels(fixture.tokens(true)).value();
    const auto stored = [&](const char* what) {
      return fixture.numbers<std::int64_t>("prepared_inputs", what);
    };
    EXPECT_EQ(layout.labels, stored("labels")) << name;
    std::vector<std::int64_t> fromOne = layout.segments;
    for (std::int64_t& segment : fromOne) {
      ++segment;
    }
    EXPECT_EQ(fromOne, stored("global_document_index_q")) << name;
    const auto counts = stored("label_counts");
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (layout.labels[i] != kNone) {
        EXPECT_EQ(layout.labelCounts[i], counts[i]) << name << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace ulp::engine
