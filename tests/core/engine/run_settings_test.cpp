#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

/// Threads that LibTorch works on at this moment.
int teamSize() {
  std::atomic<int> threads = 0;
  sharedEngine().team().run([&] { ++threads; });
  return threads;
}

class RunLevers : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  Result<RunOutcome> outcome(const RunRequest& request, Recorder& recorder) {
    return m_model->run(request, recorder, std::stop_token());
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(RunLevers, LeaveNothingBehindForTheNextRun) {
  const RunRequest plain = requestOf(DType::Float32, kVocabulary);
  const Recorder before = runOrFail(*m_model, plain);
  const int threads = teamSize();
  RunRequest request = plain;
  request.plan.attention = AttentionImplementation::SdpaMath;
  request.plan.float32Products = MatmulPrecision::Medium;
  request.plan.reducedPrecisionReduction = false;
  request.plan.threads = 2;
  request.plan.deterministic = true;
  runOrFail(*m_model, request);
  expectSameRuns(before, runOrFail(*m_model, plain));
  EXPECT_EQ(teamSize(), threads);
}

TEST_F(RunLevers, LeaveNothingBehindWhenTheRunFails) {
  const RunRequest plain = requestOf(DType::Float32, kVocabulary);
  const Recorder before = runOrFail(*m_model, plain);
  RunRequest request = plain;
  request.plan.attention = AttentionImplementation::SdpaMath;
  Recorder failing;
  failing.onObserve = [](const Site&) -> Result<> { return fail(ErrorCode::Io, "full"); };
  EXPECT_EQ(runError(*m_model, request, failing).message(), "full");
  expectSameRuns(before, runOrFail(*m_model, plain));
}

TEST_F(RunLevers, ThreadsAreThoseOfThePlanWhileItRuns) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.plan.threads = 2;
  int during = 0;
  Recorder recorder;
  recorder.onObserve = [&](const Site&) {
    during = teamSize();
    return Result<>();
  };
  ASSERT_TRUE(outcome(request, recorder));
  EXPECT_EQ(during, 2);
  EXPECT_EQ(teamSize(), 1);
}

TEST_F(RunLevers, SingleAttentionKernelsAreTheOnesTheySay) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder preferred = runOrFail(*m_model, request);
  request.plan.attention = AttentionImplementation::SdpaFlash;
  expectSameRuns(preferred, runOrFail(*m_model, request));
  request.plan.attention = AttentionImplementation::SdpaMath;
  const Recorder math = runOrFail(*m_model, request);
  EXPECT_NE(math.of("decoder.0", Pass::Forward).bytes,
            preferred.of("decoder.0", Pass::Forward).bytes);
  EXPECT_LT(
      relativeError(preferred.of("decoder.1", Pass::Forward), math.of("decoder.1", Pass::Forward)),
      0.02);
}

TEST_F(RunLevers, TheOutcomeNamesTheAttentionKernelThatLibTorchChose) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const auto kernelsOf = [&](AttentionImplementation attention) {
    request.plan.attention = attention;
    Recorder recorder;
    const auto result = outcome(request, recorder);
    EXPECT_TRUE(result) << result.error().message();
    return result ? result->attentionKernels : std::map<std::string, std::string>();
  };
  const auto both = [](const char* kernel) {
    return std::map<std::string, std::string>{{"model.layers.0.self_attn", kernel},
                                              {"model.layers.1.self_attn", kernel}};
  };
  EXPECT_EQ(kernelsOf(AttentionImplementation::Sdpa), both("flash"));
  EXPECT_EQ(kernelsOf(AttentionImplementation::SdpaMath), both("math"));
  EXPECT_TRUE(kernelsOf(AttentionImplementation::Eager).empty());
  request.plan.semantics = Semantics::FastLlm;
  EXPECT_EQ(kernelsOf(AttentionImplementation::SdpaMath), both("math"));
}

TEST_F(RunLevers, TheFirstKernelOfAnOrderThatTakesAnAttentionComputesIt) {
  using enum AttentionKernel;
  const RunRequest plain = requestOf(DType::BFloat16, kVocabulary);
  const Recorder preferred = runOrFail(*m_model, plain);
  RunRequest request = plain;
  request.plan.attention = AttentionImplementation::SdpaMath;
  const Recorder math = runOrFail(*m_model, request);
  request.plan.attention = AttentionImplementation::Sdpa;
  const std::vector<std::pair<std::vector<AttentionKernel>, const Recorder*>> orders{
      {{Math, Flash}, &math},
      {{Efficient, Math, Flash}, &math},
      {{Cudnn, Efficient, Flash, Math}, &preferred}};
  for (const auto& [order, same] : orders) {
    request.plan.attentionOrder = order;
    Recorder recorder;
    const auto result = outcome(request, recorder);
    ASSERT_TRUE(result) << result.error().message();
    expectSameRuns(*same, recorder);
    EXPECT_EQ(result->attentionKernels.at("model.layers.0.self_attn"),
              same == &math ? "math" : "flash");
  }
  expectSameRuns(preferred, runOrFail(*m_model, plain));
}

TEST_F(RunLevers, AnOrderWithoutAKernelThatTakesAnAttentionIsUnsupported) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.plan.attentionOrder = {AttentionKernel::Cudnn, AttentionKernel::Efficient};
  Recorder recorder;
  const Error error = runError(*m_model, request, recorder);
  EXPECT_EQ(error.code(), ErrorCode::Unsupported);
  EXPECT_NE(error.message().find("attention.order"), std::string::npos) << error.message();
  request.plan.attention = AttentionImplementation::Eager;
  EXPECT_EQ(m_model->check(request.plan, "cpu").error().code(), ErrorCode::InvalidArgument);
}

TEST_F(RunLevers, AttentionKernelsOfOtherDevicesAreUnsupported) {
  for (const auto attention :
       {AttentionImplementation::SdpaEfficient, AttentionImplementation::SdpaCudnn}) {
    RunRequest request = requestOf(DType::BFloat16, kVocabulary);
    request.plan.attention = attention;
    const auto checked = m_model->check(request.plan, "cpu");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code(), ErrorCode::Unsupported);
    EXPECT_EQ(checked.error().message(),
              "attention.implementation: this kernel needs a CUDA device; the CPU has eager, sdpa, "
              "sdpa_math and sdpa_flash");
    EXPECT_TRUE(m_model->check(request.plan, "cuda:0"));
  }
}

TEST_F(RunLevers, ChoicesOfCublasAreUnsupportedOnTheCpu) {
  const auto messageOf = [&](const std::function<void(PrecisionPlan&)>& choose,
                             const std::string& device) {
    PrecisionPlan plan;
    choose(plan);
    const auto checked = m_model->check(plan, device);
    return checked ? std::string() : checked.error().message();
  };
  const auto library = [](PrecisionPlan& plan) { plan.library = MatmulLibrary::CublasLt; };
  EXPECT_EQ(messageOf(library, "cpu"),
            "matmul.library is a choice of cuBLAS and needs a CUDA device");
  EXPECT_EQ(messageOf(library, "cuda"), "");
  const auto accumulation = [](PrecisionPlan& plan) { plan.float16Accumulation = true; };
  EXPECT_EQ(messageOf(accumulation, "cpu"),
            "matmul.float16_accumulation is a choice of cuBLAS and needs a CUDA device");
  const auto split = [](PrecisionPlan& plan) { plan.splitK = false; };
  EXPECT_EQ(messageOf(split, "cuda"),
            "matmul.split_k: false needs matmul.reduced_precision_reduction: false and "
            "matmul.library: cublaslt");
  const auto unsplit = [](PrecisionPlan& plan) {
    plan.splitK = plan.reducedPrecisionReduction = false;
    plan.library = MatmulLibrary::CublasLt;
  };
  EXPECT_EQ(messageOf(unsplit, "cuda"), "");
}

TEST_F(RunLevers, Float8ProductsAreRefusedWhereNothingWouldMultiplySo) {
  const auto problemOf = [&](const std::function<void(PrecisionPlan&)>& choose,
                             const std::string& device) {
    PrecisionPlan plan;
    plan.float8.scaling = Float8Scaling::Row;
    choose(plan);
    const auto checked = m_model->check(plan, device);
    return checked ? std::string() : checked.error().message();
  };
  const auto real = [](PrecisionPlan& plan) { plan.float8.kernel = Float8Kernel::ScaledMm; };
  EXPECT_EQ(problemOf(real, "cpu"), "");
  const auto fast = [&](PrecisionPlan& plan) {
    real(plan);
    plan.float8.fastAccumulation = true;
  };
  EXPECT_EQ(
      problemOf(fast, "cpu"),
      "matmul.float8_fast_accumulation is a choice of CUDA's kernels and needs a CUDA device");
  EXPECT_EQ(
      problemOf(fast, "cuda"),
      "matmul.float8_fast_accumulation with matmul.float8: row needs precision.compute_dtype: "
      "bfloat16, the only format of that kernel's results");
  const auto fastByTensor = [&](PrecisionPlan& plan) {
    fast(plan);
    plan.float8.scaling = Float8Scaling::Tensor;
  };
  EXPECT_EQ(problemOf(fastByTensor, "cuda"), "");
  EXPECT_EQ(problemOf([](PrecisionPlan& plan) { plan.float8.fastAccumulation = true; }, "cuda"),
            "matmul.float8_fast_accumulation needs matmul.float8_kernel: scaled_mm");
  const auto alone = [&](PrecisionPlan& plan) {
    real(plan);
    plan.float8.scaling = Float8Scaling::None;
  };
  EXPECT_EQ(problemOf(alone, "cuda"), "matmul.float8_kernel needs matmul.float8: tensor or row");
  EXPECT_EQ(problemOf([](PrecisionPlan& plan) { plan.semantics = Semantics::FastLlm; }, "cpu"),
            "matmul.float8 needs semantics: transformers; Fast-LLM multiplies in no float8");
  const auto wide = [](PrecisionPlan& plan) {
    plan.formats[numerics::Operation::Compute] = numerics::NumberFormat::Float64;
  };
  EXPECT_EQ(problemOf(wide, "cpu"),
            "matmul.float8 needs precision.compute_dtype: float32, bfloat16 or float16, the format "
            "of its results");
  const auto nowhere = [](PrecisionPlan& plan) { plan.float8.modules = "layers.7.mlp.up"; };
  EXPECT_EQ(
      problemOf(nowhere, "cpu"),
      "matmul.float8_modules: 'layers.7.mlp.up' matches no module of the model; near ones are "
      "model.layers.0.mlp, model.layers.1.mlp, model.layers.0.mlp.up_proj");
}

TEST_F(RunLevers, Float8ProductsChangeTheModulesThatAreNamed) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder plain = runOrFail(*m_model, request);
  request.plan.float8 = {.scaling = Float8Scaling::Row, .modules = R"(layers\.1\.mlp\.down_proj$)"};
  const Recorder changed = runOrFail(*m_model, request);
  bool isBefore = true;
  for (std::size_t i = 0; i < plain.seen.size() && isBefore; ++i) {
    const Site& site = plain.seen[i].site;
    isBefore = site.name != "model.layers.1.mlp.down_proj";
    EXPECT_EQ(plain.seen[i].bytes == changed.seen[i].bytes, isBefore) << site.name;
  }
  EXPECT_FALSE(isBefore);
  // A rule that gives the module a simulated format has the last word there.
  PrecisionRule rule{R"(layers\.1\.mlp\.down_proj$)", PrecisionRule::Passes::Both, {}};
  rule.formats[numerics::Operation::Compute] = numerics::NumberFormat::Mxfp8;
  request.plan.rules = {rule};
  const Recorder ruled = runOrFail(*m_model, request);
  request.plan.float8 = {};
  expectSameRuns(ruled, runOrFail(*m_model, request));
}

TEST_F(RunLevers, TheMathKernelKeepsBFloat16BetweenItsProductsWhereItIsLetTo) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.plan.attention = AttentionImplementation::SdpaMath;
  const Recorder wide = runOrFail(*m_model, request);
  request.plan.reducedPrecisionAttention = true;
  const Recorder narrow = runOrFail(*m_model, request);
  EXPECT_NE(wide.of("decoder.0", Pass::Forward).bytes, narrow.of("decoder.0", Pass::Forward).bytes);
  EXPECT_LT(
      relativeError(wide.of("decoder.1", Pass::Forward), narrow.of("decoder.1", Pass::Forward)),
      0.03);
  request.plan.reducedPrecisionAttention = false;
  expectSameRuns(wide, runOrFail(*m_model, request));
  request.plan.attention = AttentionImplementation::Eager;
  request.plan.reducedPrecisionAttention = true;
  EXPECT_EQ(m_model->check(request.plan, "cpu").error().code(), ErrorCode::InvalidArgument);
}

TEST_F(RunLevers, AVariableThatDecidesAboutTf32IsRefusedOnCuda) {
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread of the test looks at it
  ::setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.device = "cuda";
  Recorder recorder;
  const Error error = runError(*m_model, request, recorder);
  ::unsetenv("NVIDIA_TF32_OVERRIDE");
  // NOLINTEND(concurrency-mt-unsafe)
  EXPECT_EQ(error.code(), ErrorCode::Device);
  EXPECT_EQ(error.message(),
            "device cuda: the environment variable NVIDIA_TF32_OVERRIDE decides about TF32 in "
            "place of matmul.float32_precision; unset it");
}

TEST_F(RunLevers, AFixedGradientScaleOnlyShiftsExponents) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder plain = runOrFail(*m_model, request);
  request.plan.gradientScale = 1024;
  Recorder scaled;
  const auto result = outcome(request, scaled);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->gradientScale, 1024);
  for (const Seen& one : plain.seen) {
    const Seen& other = scaled.of(one.site.name, one.site.pass);
    for (std::size_t i = 0; i < one.count(); ++i) {
      ASSERT_EQ(one.at(i), other.at(i)) << one.site.name << ' ' << toString(one.site.pass);
    }
    if (one.site.pass != Pass::Forward) {
      EXPECT_EQ(other.capture.view.dtype, DType::Float32);
    }
  }
}

bool isFinite(const Recorder& recorder) {
  for (const Seen& one : recorder.seen) {
    for (std::size_t i = 0; i < one.count(); ++i) {
      if (!std::isfinite(one.at(i))) {
        return false;
      }
    }
  }
  return true;
}

TEST_F(RunLevers, TheAutomaticGradientScaleIsTheLargestThatStaysFinite) {
  RunRequest request = requestOf(DType::Float16, kVocabulary);
  request.plan.gradientScale = std::nullopt;
  Recorder automatic;
  const auto result = outcome(request, automatic);
  ASSERT_TRUE(result) << result.error().message();
  const double scale = result->gradientScale;
  EXPECT_EQ(std::exp2(std::round(std::log2(scale))), scale);
  EXPECT_GT(scale, 1);
  EXPECT_TRUE(isFinite(automatic));
  request.plan.gradientScale = scale;
  expectSameRuns(automatic, runOrFail(*m_model, request));
  request.plan.gradientScale = 2 * scale;
  EXPECT_FALSE(isFinite(runOrFail(*m_model, request)));
}

TEST_F(RunLevers, TheAutomaticGradientScaleBringsFloat16GradientsNearer) {
  RunRequest request = requestOf(DType::Float16, kVocabulary);
  // Small gradients, which float16 loses at scale 1.
  TinyModel tiny;
  for (double& value : tiny.weights.at("lm_head.weight").values) {
    value /= 4096;
  }
  const test::TempDir folder;
  tiny.write(folder);
  const auto model = openOrFail({.path = folder.path()});
  const Recorder precise = runOrFail(*model, requestOf(DType::Float32, kVocabulary));
  const Recorder unscaled = runOrFail(*model, request);
  request.plan.gradientScale = std::nullopt;
  const Recorder scaled = runOrFail(*model, request);
  const auto error = [&](const Recorder& run) {
    return relativeError(precise.of("decoder.0", Pass::Backward),
                         run.of("decoder.0", Pass::Backward));
  };
  EXPECT_LT(error(scaled), 0.02);
  EXPECT_GT(error(unscaled), 5 * error(scaled));
}

TEST_F(RunLevers, TheAutomaticGradientScaleIsOneWithoutFloat16) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder plain = runOrFail(*m_model, request);
  request.plan.gradientScale = std::nullopt;
  Recorder automatic;
  const auto result = outcome(request, automatic);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->gradientScale, 1);
  expectSameRuns(plain, automatic);
}

TEST_F(RunLevers, TheAutomaticGradientScaleSeesFloat16OfRules) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.plan.gradientScale = std::nullopt;
  PrecisionRule half{R"(layers\.0\.mlp\.up_proj)", PrecisionRule::Passes::Both, {}};
  half.formats[Operation::Compute] = NumberFormat::Float16;
  request.plan.rules = {half};
  Recorder recorder;
  const auto result = outcome(request, recorder);
  ASSERT_TRUE(result);
  EXPECT_GT(result->gradientScale, 1);
}

TEST_F(RunLevers, StochasticRoundingIsAFunctionOfItsSeed) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder nearest = runOrFail(*m_model, request);
  request.plan.roundingSeed = 5;
  expectSameRuns(nearest, runOrFail(*m_model, request));
  request.plan.rounding = numerics::RoundingMode::Stochastic;
  const Recorder five = runOrFail(*m_model, request);
  expectSameRuns(five, runOrFail(*m_model, request));
  request.plan.roundingSeed = 6;
  const Recorder six = runOrFail(*m_model, request);
  EXPECT_NE(five.of("embeddings", Pass::Forward).bytes, six.of("embeddings", Pass::Forward).bytes);
  EXPECT_NE(five.of("embeddings", Pass::Forward).bytes,
            nearest.of("embeddings", Pass::Forward).bytes);
}

TEST_F(RunLevers, SimulatedFormatsKeepTheirNumbersInFloat32) {
  for (const NumberFormat format : {NumberFormat::Tf32,
                                    NumberFormat::Float8E4M3FN,
                                    NumberFormat::Float8E5M2,
                                    NumberFormat::Mxfp8,
                                    NumberFormat::Mxfp4,
                                    NumberFormat::Nvfp4}) {
    RunRequest request = requestOf(DType::Float32, kVocabulary);
    const Recorder plain = runOrFail(*m_model, request);
    request.plan.formats[Operation::Compute] = format;
    const Recorder simulated = runOrFail(*m_model, request);
    const Seen& embeddings = simulated.of("embeddings", Pass::Forward);
    EXPECT_EQ(embeddings.capture.view.dtype, DType::Float32) << toString(format);
    EXPECT_NE(embeddings.bytes, plain.of("embeddings", Pass::Forward).bytes) << toString(format);
    const double error =
        relativeError(plain.of("logits", Pass::Forward), simulated.of("logits", Pass::Forward));
    EXPECT_GT(error, 0) << toString(format);
    EXPECT_LT(error, 1) << toString(format);
  }
}

TEST_F(RunLevers, SimulatedWeightsAreRoundedOnce) {
  // Every weight of the tiny model is a multiple of 2^-16 below one half, so that float8 changes
  // it.
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.plan.formats[Operation::Weights] = NumberFormat::Nvfp4;
  const Recorder once = runOrFail(*m_model, request);
  EXPECT_EQ(once.of("embeddings", Pass::Forward).capture.view.dtype, DType::Float32);
  request.plan.formats[Operation::Compute] = NumberFormat::BFloat16;
  const Recorder narrow = runOrFail(*m_model, request);
  EXPECT_EQ(narrow.of("embeddings", Pass::Forward).capture.view.dtype, DType::BFloat16);
}

TEST_F(RunLevers, Float8SaturatesWhereItIsAskedTo) {
  const auto nans = [](const Seen& seen) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < seen.count(); ++i) {
      count += std::isnan(seen.at(i)) ? 1 : 0;
    }
    return count;
  };
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.plan.formats[Operation::Compute] = NumberFormat::Float8E4M3FN;
  request.plan.gradientScale = 0x1p30;
  const Recorder propagating = runOrFail(*m_model, request);
  EXPECT_GT(nans(propagating.of("decoder.0", Pass::Backward)), 0U);
  request.plan.overflow = numerics::Overflow::Saturate;
  const Recorder saturating = runOrFail(*m_model, request);
  EXPECT_EQ(nans(saturating.of("decoder.0", Pass::Backward)), 0U);
  EXPECT_EQ(saturating.of("logits", Pass::Forward).bytes,
            propagating.of("logits", Pass::Forward).bytes)
      << "nothing was too large in the forward pass";
}

}  // namespace
}  // namespace ulp::engine
