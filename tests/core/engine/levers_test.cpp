#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/scalar_formats.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

class Levers : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  [[nodiscard]] static RunRequest bfloat16() {
    RunRequest request = requestOf(DType::BFloat16, kVocabulary);
    request.plan.attention = AttentionImplementation::Eager;
    return request;
  }
  [[nodiscard]] static RunRequest with(Operation operation, NumberFormat format) {
    RunRequest request = bfloat16();
    request.plan.formats[operation] = format;
    return request;
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

double roundedToBFloat16(double value) {
  return numerics::decodeBFloat16(numerics::encodeBFloat16(value));
}

bool isSame(const Seen& a, const Seen& b) {
  return a.capture.view.dtype == b.capture.view.dtype && a.bytes == b.bytes;
}

/// "name (pass)" of the first tensor, in order of execution, in which two runs differ; empty: none.
std::string firstDifference(const Recorder& a, const Recorder& b) {
  for (std::size_t i = 0; i < std::min(a.seen.size(), b.seen.size()); ++i) {
    if (!isSame(a.seen[i], b.seen[i])) {
      return a.seen[i].site.name + " (" + std::string(toString(a.seen[i].site.pass)) + ")";
    }
  }
  return a.seen.size() == b.seen.size() ? "" : "their number";
}

struct LeverCase {
  Operation operation;
  NumberFormat format;
  const char* first;  ///< what changes first, in order of execution
};

TEST_F(Levers, ChangeNothingBeforeTheOperationThatTheyName) {
  const Recorder plain = runOrFail(*m_model, bfloat16());
  const std::vector<LeverCase> cases{
      {Operation::Weights, NumberFormat::Float8E4M3FN, "embeddings (forward)"},
      {Operation::Residual, NumberFormat::Float32, "embeddings (forward)"},
      {Operation::LmHead, NumberFormat::Float32, "logits (forward)"},
      {Operation::Logits, NumberFormat::Float32, "logits (forward)"},
      {Operation::NormStatistics,
       NumberFormat::BFloat16,
       "model.layers.0.input_layernorm (forward)"},
      {Operation::NormOutput, NumberFormat::Float32, "model.layers.0.input_layernorm (forward)"},
      {Operation::RotaryTable, NumberFormat::Float32, "model.rotary_emb.cos (forward)"},
      {Operation::Rotary, NumberFormat::Float32, "model.layers.0.self_attn.o_proj (forward)"},
      {Operation::AttentionScores,
       NumberFormat::Float32,
       "model.layers.0.self_attn.o_proj (forward)"},
      // The kernel works in float32 inside and is rounded to the compute format in any case.
      {Operation::Softmax, NumberFormat::BFloat16, "model.layers.1.self_attn.k_proj (backward)"},
      {Operation::Activation, NumberFormat::Float32, "model.layers.0.mlp.act_fn (forward)"},
      {Operation::Loss, NumberFormat::BFloat16, "loss (forward)"},
      {Operation::Gradient,
       NumberFormat::Float32,
       "model.embed_tokens.weight (parameter_gradient)"},
  };
  for (const LeverCase& lever : cases) {
    const Recorder changed = runOrFail(*m_model, with(lever.operation, lever.format));
    EXPECT_EQ(firstDifference(plain, changed), lever.first) << keyOf(lever.operation);
  }
}

TEST_F(Levers, SetToWhatHoldsAnywayChangeNothing) {
  const Recorder plain = runOrFail(*m_model, bfloat16());
  const numerics::OperationFormats formats = resolveFormats(bfloat16().plan.formats, {});
  for (const std::string_view key : numerics::operationKeys()) {
    const Operation operation = *numerics::parseOperationKey(key);
    expectSameRuns(plain, runOrFail(*m_model, with(operation, formats[operation])));
  }
}

TEST_F(Levers, TablesOfMoreDigitsThanTheRotationReadsChangeOnlyThemselves) {
  const Recorder plain = runOrFail(*m_model, bfloat16());
  const Recorder precise = runOrFail(*m_model, with(Operation::RotaryTable, NumberFormat::Float32));
  for (std::size_t i = 0; i < plain.seen.size(); ++i) {
    const bool isTable = plain.seen[i].site.module == "model.rotary_emb";
    EXPECT_EQ(isSame(plain.seen[i], precise.seen[i]), !isTable) << plain.seen[i].site.name;
  }
}

TEST_F(Levers, LogitsOfMoreDigitsThanTheProductKeepTheLoss) {
  const Recorder plain = runOrFail(*m_model, bfloat16());
  const Recorder wide = runOrFail(*m_model, with(Operation::Logits, NumberFormat::Float32));
  EXPECT_EQ(wide.of("logits", Pass::Forward).capture.view.dtype, DType::Float32);
  EXPECT_EQ(wide.of("logits", Pass::Backward).capture.view.dtype, DType::Float32);
  EXPECT_EQ(wide.of("loss", Pass::Forward).bytes, plain.of("loss", Pass::Forward).bytes);
}

TEST_F(Levers, WeightsOfMoreDigitsThanTheProductReadsChangeNothing) {
  expectSameRuns(runOrFail(*m_model, bfloat16()),
                 runOrFail(*m_model, with(Operation::Weights, NumberFormat::Float32)));
}

TEST_F(Levers, NarrowWeightsInWideProductsEqualAModelStoredSo) {
  const RunRequest narrow = [] {
    RunRequest request = requestOf(DType::Float32, kVocabulary);
    request.plan.formats[Operation::Weights] = NumberFormat::BFloat16;
    return request;
  }();
  TinyModel rounded;
  for (auto& [name, tensor] : rounded.weights) {
    for (double& value : tensor.values) {
      value = roundedToBFloat16(value);
    }
  }
  const test::TempDir folder;
  rounded.write(folder);
  const auto stored = openOrFail({.path = folder.path()});
  expectSameRuns(runOrFail(*m_model, narrow),
                 runOrFail(*stored, requestOf(DType::Float32, kVocabulary)));
}

TEST_F(Levers, GradientBuffersAddTheUsesOfATiedParameterInTheirFormat) {
  TinyModel tied;
  tied.config["tie_word_embeddings"] = true;
  tied.weights.erase("lm_head.weight");
  const test::TempDir folder;
  tied.write(folder);
  const auto model = openOrFail({.path = folder.path()});
  const Recorder narrow = runOrFail(*model, bfloat16());
  const Recorder wide = runOrFail(*model, with(Operation::Gradient, NumberFormat::Float32));
  const char* const name = "model.embed_tokens.weight";
  const Seen& sum = wide.of(name, Pass::ParameterGradient);
  const Seen& rounded = narrow.of(name, Pass::ParameterGradient);
  EXPECT_EQ(sum.capture.view.dtype, DType::Float32);
  std::size_t unequal = 0;
  for (std::size_t i = 0; i < sum.count(); ++i) {
    // What the narrow buffer holds is the wide one's sum, rounded.
    EXPECT_EQ(rounded.at(i), roundedToBFloat16(sum.at(i)));
    unequal += sum.at(i) == rounded.at(i) ? 0 : 1;
  }
  EXPECT_GT(unequal, 0U);
  const Seen& once = wide.of("model.norm.weight", Pass::ParameterGradient);
  for (std::size_t i = 0; i < once.count(); ++i) {
    EXPECT_EQ(once.at(i), narrow.of("model.norm.weight", Pass::ParameterGradient).at(i));
  }
}

TEST_F(Levers, FusedKernelsNeedNoRoundingToDifferInFloat64) {
  RunRequest request = requestOf(DType::Float64, kVocabulary);
  const Recorder plain = runOrFail(*m_model, request);
  request.plan.semantics = Semantics::FastLlm;
  request.plan.norm = request.plan.rotary = request.plan.mlp = Kernel::Fused;
  const Recorder fused = runOrFail(*m_model, request);
  ASSERT_EQ(plain.seen.size(), fused.seen.size());
  for (std::size_t i = 0; i < plain.seen.size(); ++i) {
    EXPECT_EQ(plain.seen[i].site, fused.seen[i].site);
    // The frequencies of transformers are float32 numbers.
    EXPECT_LT(relativeError(plain.seen[i], fused.seen[i]), 1e-6) << plain.seen[i].site.name;
  }
}

TEST_F(Levers, SingleKernelsChangeFirstWhatTheyAreOf) {
  const Recorder plain = runOrFail(*m_model, bfloat16());
  RunRequest request = bfloat16();
  request.plan.norm = Kernel::Fused;
  EXPECT_EQ(firstDifference(plain, runOrFail(*m_model, request)),
            "model.layers.0.input_layernorm (forward)");
  request = bfloat16();
  request.plan.rotary = Kernel::Fused;
  EXPECT_EQ(firstDifference(plain, runOrFail(*m_model, request)), "model.rotary_emb.cos (forward)");
  request = bfloat16();
  request.plan.mlp = Kernel::Fused;
  EXPECT_EQ(firstDifference(plain, runOrFail(*m_model, request)),
            "model.layers.0.mlp.act_fn (forward)");
}

TEST_F(Levers, ObserveTheSameSitesInTheSameOrderInFastLlmSemantics) {
  for (const AttentionImplementation attention :
       {AttentionImplementation::Eager, AttentionImplementation::Sdpa}) {
    RunRequest request = bfloat16();
    request.plan.semantics = Semantics::FastLlm;
    request.plan.norm = request.plan.rotary = Kernel::Fused;
    request.plan.attention = attention;
    const std::vector<Site> announced = m_model->sites({});
    const Recorder recorder = runOrFail(*m_model, request);
    ASSERT_EQ(recorder.seen.size(), announced.size());
    for (std::size_t i = 0; i < announced.size(); ++i) {
      EXPECT_EQ(recorder.seen[i].site, announced[i]) << announced[i].name;
    }
  }
}

TEST_F(Levers, FormatsInsideAFusedAttentionKernelAreRefused) {
  for (const Operation operation : {Operation::AttentionScores, Operation::Softmax}) {
    RunRequest request = with(operation, NumberFormat::Float32);
    request.plan.attention = AttentionImplementation::Sdpa;
    const auto checked = m_model->check(request.plan, "cpu");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code(), ErrorCode::InvalidArgument);
    EXPECT_EQ(checked.error().message(),
              "precision." + std::string(keyOf(operation)) +
                  " needs attention.implementation: eager; fused kernels choose it themselves");
    Recorder recorder;
    EXPECT_EQ(runError(*m_model, request, recorder).message(), checked.error().message());
  }
}

}  // namespace
}  // namespace ulp::engine
