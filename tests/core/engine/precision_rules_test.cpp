#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using numerics::Operation;
using Passes = PrecisionRule::Passes;

PrecisionRule rule(std::string match, NumberFormat compute, Passes passes = Passes::Both) {
  PrecisionRule made{std::move(match), passes, {}};
  made.formats[Operation::Compute] = compute;
  return made;
}

class PrecisionRules : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  Recorder run(std::vector<PrecisionRule> rules, DType compute = DType::BFloat16) {
    RunRequest request = requestOf(compute, kVocabulary);
    request.plan.rules = std::move(rules);
    return runOrFail(*m_model, request);
  }
  std::string problem(std::vector<PrecisionRule> rules) {
    PrecisionPlan plan;
    plan.rules = std::move(rules);
    const auto checked = m_model->check(plan, "cpu");
    EXPECT_FALSE(checked);
    EXPECT_EQ(checked ? ErrorCode::Internal : checked.error().code(), ErrorCode::InvalidArgument);
    return checked ? "" : std::string(checked.error().message());
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(PrecisionRules, ForEveryModuleEqualAPlanOfTheirFormats) {
  expectSameRuns(run({rule(".", NumberFormat::Float32)}), run({}, DType::Float32));
  expectSameRuns(run({rule(".", NumberFormat::BFloat16)}, DType::Float32), run({}));
}

TEST_F(PrecisionRules, HoldForTheirModulesAlone) {
  const Recorder plain = run({});
  const Recorder changed = run({rule(R"(layers\.1\.mlp\.down_proj$)", NumberFormat::Float32)});
  bool isBefore = true;
  for (std::size_t i = 0; i < plain.seen.size() && isBefore; ++i) {
    const Site& site = plain.seen[i].site;
    isBefore = site.name != "model.layers.1.mlp.down_proj";
    EXPECT_EQ(plain.seen[i].bytes == changed.seen[i].bytes, isBefore) << site.name;
  }
  EXPECT_EQ(changed.of("model.layers.1.mlp.down_proj", Pass::Forward).capture.view.dtype,
            DType::Float32);
  // The residual stream casts it back.
  EXPECT_EQ(changed.of("decoder.1", Pass::Forward).capture.view.dtype, DType::BFloat16);
  EXPECT_EQ(
      changed.of("model.layers.1.mlp.down_proj.weight", Pass::ParameterGradient).capture.view.dtype,
      DType::Float32);
  EXPECT_EQ(
      changed.of("model.layers.0.mlp.down_proj.weight", Pass::ParameterGradient).capture.view.dtype,
      DType::BFloat16);
}

TEST_F(PrecisionRules, LaterOnesWin) {
  expectSameRuns(run({rule(".", NumberFormat::Float64),
                      rule("layers", NumberFormat::BFloat16),
                      rule("embed|rotary|norm|head|loss", NumberFormat::BFloat16)}),
                 run({}));
  PrecisionRule residual{"embed_tokens", Passes::Both, {}};
  residual.formats[Operation::Residual] = NumberFormat::Float32;
  // Formats that a later rule leaves alone stay.
  const Recorder both = run({residual, rule("embed_tokens", NumberFormat::Float16)});
  EXPECT_EQ(both.of("embeddings", Pass::Forward).capture.view.dtype, DType::Float32);
}

TEST_F(PrecisionRules, OfOnePassLeaveTheOtherAlone) {
  const Recorder plain = run({});
  const Recorder precise = run({rule(".", NumberFormat::Float32)});
  const Recorder backward = run({rule("proj$", NumberFormat::Float32, Passes::Backward)});
  const Recorder forward = run({rule("proj$", NumberFormat::Float32, Passes::Forward)});
  const char* const down = "model.layers.1.mlp.down_proj";
  for (const Seen& one : plain.seen) {
    if (one.site.pass == Pass::Forward) {
      EXPECT_EQ(one.bytes, backward.of(one.site.name, Pass::Forward).bytes) << one.site.name;
    }
  }
  // The gradient that reaches the last projection is the same.
  EXPECT_EQ(plain.of("norm", Pass::Backward).bytes, backward.of("norm", Pass::Backward).bytes);
  // bfloat16 operands give the same products in float32; only what keeps the result shows more.
  const char* const weight = "model.layers.1.mlp.down_proj.weight";
  const Seen& rounded = plain.of(weight, Pass::ParameterGradient);
  const Seen& unrounded = backward.of(weight, Pass::ParameterGradient);
  EXPECT_EQ(rounded.capture.view.dtype, DType::BFloat16);
  EXPECT_EQ(unrounded.capture.view.dtype, DType::Float32);
  EXPECT_GT(relativeError(unrounded, rounded), 1e-4);
  EXPECT_LT(relativeError(unrounded, rounded), 4e-3);
  EXPECT_NE(plain.of(down, Pass::Forward).bytes, forward.of(down, Pass::Forward).bytes);
  const double narrow =
      relativeError(precise.of(down, Pass::Backward), plain.of(down, Pass::Backward));
  const double wide =
      relativeError(precise.of(down, Pass::Backward), backward.of(down, Pass::Backward));
  EXPECT_LT(wide, 2 * narrow);
}

TEST_F(PrecisionRules, OfOnePassGiveTheDerivativeOfTheirFormats) {
  const Recorder plain = run({}, DType::Float32);
  const Recorder split = run({rule(".", NumberFormat::Float64, Passes::Backward)}, DType::Float32);
  const Recorder precise = run({}, DType::Float64);
  for (const Seen& one : split.seen) {
    const Seen& expected = one.site.pass == Pass::Forward
                               ? plain.of(one.site.name, Pass::Forward)
                               : precise.of(one.site.name, one.site.pass);
    if (one.site.pass == Pass::Forward) {
      EXPECT_EQ(one.bytes, expected.bytes) << one.site.name;
    } else {
      EXPECT_LT(relativeError(expected, one), 2e-6) << one.site.name;
    }
  }
}

TEST_F(PrecisionRules, ObserveTheSameSitesInTheSameOrder) {
  const std::vector<Site> announced = m_model->sites({});
  for (const Passes passes : {Passes::Both, Passes::Forward, Passes::Backward}) {
    const Recorder recorder = run({rule(".", NumberFormat::Float32, passes)});
    ASSERT_EQ(recorder.seen.size(), announced.size());
    for (std::size_t i = 0; i < announced.size(); ++i) {
      EXPECT_EQ(recorder.seen[i].site, announced[i]) << announced[i].name;
    }
  }
}

TEST_F(PrecisionRules, KeepJointProductsApartWhereTheirFormatsDiffer) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.plan.semantics = Semantics::FastLlm;
  const Recorder joined = runOrFail(*m_model, request);
  request.plan.rules = {rule(R"(layers\.0\.self_attn\.v_proj)", NumberFormat::Float32)};
  const Recorder apart = runOrFail(*m_model, request);
  const auto dtype = [](const Recorder& run, const char* name) {
    return run.of(name, Pass::Forward).capture.view.dtype;
  };
  EXPECT_EQ(dtype(apart, "model.layers.0.self_attn.v_proj"), DType::Float32);
  EXPECT_EQ(dtype(apart, "model.layers.0.self_attn.k_proj"), DType::BFloat16);
  EXPECT_EQ(dtype(joined, "model.layers.0.self_attn.v_proj"), DType::BFloat16);
}

TEST_F(PrecisionRules, ThatMatchNothingAreNamedWithNearModules) {
  EXPECT_EQ(problem({rule("mlp", NumberFormat::Float32),
                     rule("layers\\.7\\.mlp\\.down_prj", NumberFormat::Float32)}),
            "precision.rules[1]: 'layers\\.7\\.mlp\\.down_prj' matches no module of the model; "
            "near ones are model.layers.0.mlp.down_proj, model.layers.1.mlp.down_proj, "
            "model.layers.0.mlp.up_proj");
}

TEST_F(PrecisionRules, MustBeRegularExpressions) {
  EXPECT_EQ(problem({rule("(", NumberFormat::Float32)}).substr(0, 48),
            "precision.rules[0]: '(' is not a regular express");
}

TEST_F(PrecisionRules, OfOnePassCannotSetWhatHasNone) {
  for (const Operation operation :
       {Operation::Weights, Operation::Gradient, Operation::RotaryTable}) {
    PrecisionRule half{"proj", Passes::Forward, {}};
    half.formats[operation] = NumberFormat::Float32;
    EXPECT_EQ(problem({half}),
              "precision.rules[0]: 'proj': " + std::string(keyOf(operation)) +
                  " holds for both passes; leave `pass` out or put it into a rule of its own");
  }
}

TEST_F(PrecisionRules, ReachTheLossByItsRow) {
  PrecisionRule made{"^loss$", Passes::Both, {}};
  made.formats[Operation::Loss] = NumberFormat::Float64;
  const Recorder recorder = run({made});
  EXPECT_EQ(recorder.of("loss", Pass::Forward).capture.view.dtype, DType::Float64);
  EXPECT_EQ(recorder.of("logits", Pass::Forward).bytes, run({}).of("logits", Pass::Forward).bytes);
}

}  // namespace
}  // namespace ulp::engine
