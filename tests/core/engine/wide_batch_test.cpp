// The sequences of a micro-batch among others, padded, and piece by piece.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/gpu_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Side = BatchPlan::Side;

constexpr std::int64_t kLength = 9;

RunRequest wideRequest(DType dtype, const BatchPlan& batch, Level level = Level::Module) {
  RunRequest request = requestOf(dtype, kVocabulary, kLength);
  request.batch = batch;
  request.level = level;
  return request;
}

std::string cased(const ::testing::TestParamInfo<BatchPlan>& info) {
  const BatchPlan& plan = info.param;
  return (plan.among > 0 ? "Among" + std::to_string(plan.among) : "Alone") +
         std::string(plan.place > 0 ? "Behind" : "") +
         (plan.padding == 0         ? ""
          : plan.side == Side::Left ? "PaddedLeft"
                                    : "PaddedRight") +
         (plan.chunkLength > 0 ? "By" + std::to_string(plan.chunkLength) : "") +
         (plan.prompt > 0 ? "Prompt" + std::to_string(plan.prompt) : "");
}

/// Each plan computes the same sequences, so that in float64 rounding alone is left.
class WideBatch : public ::testing::TestWithParam<BatchPlan> {
 protected:
  WideBatch() {
    TinyModel().writeDouble(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  /// Shapes and numbers of every row; which rows there are.
  static void expectSame(const Recorder& alone, const Recorder& wide) {
    ASSERT_EQ(alone.seen.size(), wide.seen.size());
    for (std::size_t i = 0; i < alone.seen.size(); ++i) {
      const Site& site = alone.seen[i].site;
      ASSERT_EQ(site, wide.seen[i].site);
      ASSERT_EQ(alone.seen[i].capture.view.shape, wide.seen[i].capture.view.shape) << site.name;
      EXPECT_LT(relativeError(alone.seen[i], wide.seen[i]), 1e-11)
          << site.name << ' ' << toString(site.pass);
    }
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_P(WideBatch, ShowsTheSequencesOfTheMicroBatchAlone) {
  for (const auto attention : {AttentionImplementation::Eager, AttentionImplementation::Sdpa}) {
    RunRequest request = wideRequest(DType::Float64, {});
    request.plan.attention = attention;
    const Recorder alone = runOrFail(*m_model, request);
    request.batch = GetParam();
    expectSame(alone, runOrFail(*m_model, request));
  }
}

TEST_P(WideBatch, LossAndTokensAreThoseOfTheMicroBatch) {
  RunRequest request = wideRequest(DType::Float64, {});
  request.loss.terms = {{.type = "cross_entropy"}, {.type = "z_loss", .weight = 0.5}};
  request.microBatches.push_back(sharedEngine().randomTokens(kVocabulary, 2, kLength, 8).value());
  Recorder recorder;
  const auto alone = m_model->run(request, recorder, std::stop_token());
  request.batch = GetParam();
  const auto wide = m_model->run(request, recorder, std::stop_token());
  ASSERT_TRUE(alone && wide);
  EXPECT_NEAR(alone->loss, wide->loss, 1e-12);
  EXPECT_EQ(wide->labels, 2 * 2 * kLength);
  ASSERT_EQ(wide->tokens.logProbabilities.size(), alone->tokens.logProbabilities.size());
  for (std::size_t i = 0; i < alone->tokens.logProbabilities.size(); ++i) {
    EXPECT_NEAR(wide->tokens.logProbabilities[i], alone->tokens.logProbabilities[i], 1e-12);
  }
}

TEST_P(WideBatch, OperationsAreCutAsWell) {
  RunRequest request = wideRequest(DType::Float64, {}, Level::Op);
  request.plan.attention = AttentionImplementation::Eager;
  Recorder alone = runOrFail(*m_model, request);
  request.batch = GetParam();
  const Recorder wide = runOrFail(*m_model, request);
  if (GetParam().isCached()) {
    // A query that goes first meets no key that comes later.
    std::erase_if(alone.seen, [](const Seen& one) {
      return one.site.name.ends_with(".scores") || one.site.name.ends_with(".softmax");
    });
  }
  expectSame(alone, wide);
}

TEST_P(WideBatch, RepeatsBitForBitAndWithoutABackwardPass) {
  RunRequest request = wideRequest(DType::BFloat16, GetParam());
  const Recorder first = runOrFail(*m_model, request);
  expectSameRuns(first, runOrFail(*m_model, request));
  request.backward = false;
  const Recorder forward = runOrFail(*m_model, request);
  ASSERT_LT(forward.seen.size(), first.seen.size());
  for (std::size_t i = 0; i < forward.seen.size(); ++i) {
    EXPECT_EQ(forward.seen[i].bytes, first.seen[i].bytes) << forward.seen[i].site.name;
  }
}

TEST_P(WideBatch, ProgressReachesEveryRowInOrder) {
  RunRequest request = wideRequest(DType::Float32, GetParam());
  std::vector<std::string> plain;
  std::vector<std::string> wide;
  const auto namesOf = [&](std::vector<std::string>& names) {
    Recorder recorder;
    recorder.onProgress = [&names](Pass pass, std::string_view name) {
      names.push_back(std::string(toString(pass)) + " " + std::string(name));
    };
    ASSERT_TRUE(m_model->run(request, recorder, std::stop_token()));
  };
  namesOf(wide);
  request.batch = {};
  namesOf(plain);
  EXPECT_EQ(wide, plain);
}

TEST_P(WideBatch, WhoeverHoldsARowHoldsNoOthers) {
  const Recorder wide = runOrFail(*m_model, wideRequest(DType::Float32, GetParam()));
  const Seen& row = wide.of("decoder.0", Pass::Forward);
  EXPECT_EQ(row.capture.view.shape, (std::vector<std::int64_t>{2, kLength, 16}));
  EXPECT_EQ(row.bytes.size(), 2U * kLength * 16 * sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(
    Plans,
    WideBatch,
    ::testing::Values(BatchPlan{.among = 2},
                      BatchPlan{.among = 7},
                      BatchPlan{.among = 7, .place = 5, .seed = 3},
                      BatchPlan{.padding = 4},
                      BatchPlan{.padding = 4, .side = Side::Right},
                      BatchPlan{.chunkLength = 4},
                      BatchPlan{.chunkLength = 1},
                      BatchPlan{.chunkLength = 100},
                      BatchPlan{.padding = 6, .chunkLength = 3},
                      BatchPlan{.padding = 6, .side = Side::Right, .chunkLength = 3},
                      BatchPlan{.among = 5, .place = 2, .padding = 3, .chunkLength = 5},
                      BatchPlan{.prompt = 5},
                      BatchPlan{.padding = 4, .prompt = 5},
                      BatchPlan{.padding = 4, .side = Side::Right, .prompt = 5},
                      BatchPlan{.among = 4,
                                .place = 1,
                                .padding = 7,
                                .side = Side::Right,
                                .chunkLength = 4,
                                .prompt = 5}),
    cased);

class WideBatchRules : public WideBatch {
 protected:
  std::string refusal(const RunRequest& request) const {
    Recorder recorder;
    const Error error = runError(*m_model, request, recorder);
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(recorder.seen, IsEmpty());
    return error.message();
  }
};

TEST_F(WideBatchRules, WhatTheOthersSayChangesNoBit) {
  const Recorder some =
      runOrFail(*m_model, wideRequest(DType::BFloat16, {.among = 6, .place = 1, .seed = 1}));
  const Recorder others =
      runOrFail(*m_model, wideRequest(DType::BFloat16, {.among = 6, .place = 1, .seed = 2}));
  expectSameRuns(some, others);
}

TEST_F(WideBatchRules, PaddingThatNobodyAttendsToChangesNoBitWhateverItEmbedsTo) {
  TinyModel model;
  model.config["pad_token_id"] = 5;
  const test::TempDir folder;
  model.writeDouble(folder);
  const auto padded = openOrFail({.path = folder.path()});
  const BatchPlan plan{.padding = 3};
  RunRequest request = wideRequest(DType::Float32, plan);
  request.backward = false;  // the gradient of the embedding knows which token is padding
  expectSameRuns(runOrFail(*m_model, request), runOrFail(*padded, request));
}

TEST_F(WideBatchRules, PackedDocumentsMayBeAmongOthers) {
  RunRequest request = wideRequest(DType::Float64, {});
  for (const auto semantics : {Semantics::Transformers, Semantics::FastLlm}) {
    request.plan.semantics = semantics;
    request.microBatches.front().documents = {.lengths = {4, 3}, .padding = 3};
    request.batch = {};
    const Recorder alone = runOrFail(*m_model, request);
    request.batch = {.among = 5, .place = 3};
    expectSame(alone, runOrFail(*m_model, request));
  }
}

TEST_F(WideBatchRules, SequencesNeedAPlaceAmongTheOthers) {
  EXPECT_THAT(refusal(wideRequest(DType::Float32, {.among = 1})),
              HasSubstr("2 sequences of a micro-batch have no place 0 among 1"));
  EXPECT_THAT(refusal(wideRequest(DType::Float32, {.among = 4, .place = 3})),
              HasSubstr("no place 3 among 4"));
  EXPECT_THAT(refusal(wideRequest(DType::Float32, {.place = 1})), HasSubstr("among 2"));
}

TEST_F(WideBatchRules, PaddingAndPiecesAreRefusedWhereTheyMeanNothing) {
  for (const BatchPlan& plan : {BatchPlan{.padding = 2}, BatchPlan{.chunkLength = 4}}) {
    RunRequest request = wideRequest(DType::Float32, plan);
    request.plan.semantics = Semantics::FastLlm;
    EXPECT_THAT(refusal(request), HasSubstr("need semantics: transformers"));
    request.plan.semantics = Semantics::Transformers;
    request.microBatches.front().documents.lengths = {4, 6};
    EXPECT_THAT(refusal(request), HasSubstr("sequences of one document"));
  }
  EXPECT_THAT(refusal(wideRequest(DType::Float32, {.padding = -1})), HasSubstr("negative"));
}

TEST_F(WideBatchRules, AScaleForFloat16GradientsIsFoundInPiecesToo) {
  RunRequest request = wideRequest(DType::Float16, {});
  request.plan.gradientScale = std::nullopt;
  Recorder recorder;
  const auto alone = m_model->run(request, recorder, std::stop_token());
  request.batch = {.among = 4, .padding = 2, .chunkLength = 3};
  Recorder wide;
  const auto pieces = m_model->run(request, wide, std::stop_token());
  ASSERT_TRUE(alone && pieces);
  EXPECT_GT(pieces->gradientScale, 1);
  EXPECT_EQ(wide.seen.size(), recorder.seen.size()) << "the pass that looks for it shows nothing";
}

class GpuRunWideBatch : public GpuTest {};

// Kernels add up in another order: 32 roundings of float32.
TEST_F(GpuRunWideBatch, ShowsTheSameRowsAsTheCpu) {
  for (const BatchPlan& plan :
       {BatchPlan{.among = 6, .place = 3},
        BatchPlan{.padding = 4},
        BatchPlan{.padding = 4, .side = Side::Right},
        BatchPlan{.chunkLength = 4},
        BatchPlan{.chunkLength = 1},
        BatchPlan{.among = 5, .place = 2, .padding = 3, .chunkLength = 5}}) {
    RunRequest request = wideRequest(DType::Float32, plan);
    const Recorder host = runOrFail(*m_model, request);
    request.device = "cuda";
    request.recordsKernels = true;
    const Recorder device = runOrFail(*m_model, request);
    ASSERT_EQ(host.seen.size(), device.seen.size());
    for (std::size_t i = 0; i < host.seen.size(); ++i) {
      ASSERT_EQ(host.seen[i].site, device.seen[i].site);
      ASSERT_EQ(host.seen[i].capture.view.shape, device.seen[i].capture.view.shape);
      EXPECT_LT(relativeError(host.seen[i], device.seen[i]), 1e-4) << host.seen[i].site.name;
    }
  }
}

}  // namespace
}  // namespace ulp::engine
