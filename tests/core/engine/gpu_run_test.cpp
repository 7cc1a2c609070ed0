// Runs on a CUDA device. Skipped without one, unless ULP_REQUIRE_GPU=1 says that there must be one.

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/kernels/kernel_name.h"
#include "tests/core/engine/gpu_fixture.h"

namespace ulp::engine {
namespace {

class GpuRun : public GpuTest {
 protected:
  /// Forward, backward and parameter gradients: names, formats, shapes, and rms(difference) over
  /// rms below the tolerance.
  void expectAgreement(RunRequest request, double tolerance, const char* devices = "cuda") const {
    request.device = "cpu";
    const Recorder host = runOrFail(*m_model, request);
    request.device = devices;
    const Recorder device = runOrFail(*m_model, request);
    ASSERT_EQ(host.seen.size(), device.seen.size());
    for (std::size_t i = 0; i < host.seen.size(); ++i) {
      const Site& site = host.seen[i].site;
      ASSERT_EQ(site, device.seen[i].site);
      ASSERT_EQ(host.seen[i].capture.view.dtype, device.seen[i].capture.view.dtype) << site.name;
      ASSERT_EQ(host.seen[i].capture.view.shape, device.seen[i].capture.view.shape) << site.name;
      EXPECT_LT(relativeError(host.seen[i], device.seen[i]), tolerance)
          << site.name << ' ' << toString(site.pass);
    }
  }
};

// Kernels add up in another order, and attention rounds elsewhere: 32 roundings of the format.
constexpr double kFloat32Tolerance = 1e-4;
constexpr double kBFloat16Tolerance = 32.0 / 256;
constexpr double kFloat16Tolerance = 32.0 / 2048;

TEST_F(GpuRun, AgreesWithTheCpu) {
  expectAgreement(requestOf(DType::Float32, kVocabulary), kFloat32Tolerance);
  expectAgreement(requestOf(DType::BFloat16, kVocabulary), kBFloat16Tolerance);
  expectAgreement(requestOf(DType::Float16, kVocabulary), kFloat16Tolerance);
}

TEST_F(GpuRun, AgreesWithTheCpuInAFloat32ResidualStreamAndHead) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.plan.formats[numerics::Operation::Residual] = numerics::NumberFormat::Float32;
  expectAgreement(request, kBFloat16Tolerance);
  request.plan.formats[numerics::Operation::LmHead] = numerics::NumberFormat::Float32;
  expectAgreement(request, kBFloat16Tolerance);
}

TEST_F(GpuRun, AgreesWithTheCpuInModuleCastAndEagerAttention) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.plan.cast = Cast::Module;
  expectAgreement(request, kBFloat16Tolerance);
  request.plan.attention = AttentionImplementation::Eager;
  expectAgreement(request, kBFloat16Tolerance);
}

/// Rounding to float8 makes of a last bit a step of the format.
constexpr double kFloat8Tolerance = 0.25;

TEST_F(GpuRun, ProductsInFloat8AgreeWithTheCpu) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  for (const Float8Scaling scaling : {Float8Scaling::Tensor, Float8Scaling::Row}) {
    for (const Float8Kernel kernel : {Float8Kernel::Simulated, Float8Kernel::ScaledMm}) {
      request.plan.float8 = {.scaling = scaling, .kernel = kernel};
      expectAgreement(request, kFloat8Tolerance);
    }
  }
}

TEST_F(GpuRun, Float8ProductsThatAddUpFastAreNearTheOthers) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.device = "cuda";
  for (const Float8Scaling scaling : {Float8Scaling::Tensor, Float8Scaling::Row}) {
    request.plan.float8 = {.scaling = scaling, .kernel = Float8Kernel::ScaledMm};
    const Recorder exact = runOrFail(*m_model, request);
    request.plan.float8.fastAccumulation = true;
    const Recorder fast = runOrFail(*m_model, request);
    EXPECT_LT(relativeError(exact.of("logits", Pass::Forward), fast.of("logits", Pass::Forward)),
              kFloat8Tolerance);
  }
}

TEST_F(GpuRun, LayersOfTwoDevicesAgreeWithTheCpu) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.microBatches.push_back(request.microBatches.front());
  for (const char* devices : {"cpu+cuda:0", "cuda:0+cpu"}) {
    expectAgreement(request, kFloat32Tolerance, devices);
    request.plan.attention = AttentionImplementation::Eager;
  }
}

TEST_F(GpuRun, TiedWeightsMayLieOnTwoDevices) {
  const test::TempDir folder;
  TinyModel tied;
  tied.config["tie_word_embeddings"] = true;
  tied.weights.erase("lm_head.weight");
  tied.write(folder);
  m_model = openOrFail({.path = folder.path()});
  expectAgreement(requestOf(DType::Float32, kVocabulary), kFloat32Tolerance, "cpu+cuda:0");
  expectAgreement(requestOf(DType::BFloat16, kVocabulary), kBFloat16Tolerance, "cuda:0+cpu");
}

TEST_F(GpuRun, ADeviceBesideItselfHasTheBitsOfOne) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.device = "cuda:0";
  const Recorder one = runOrFail(*m_model, request);
  request.device = "cuda:0+cuda:0";
  expectSameRuns(one, runOrFail(*m_model, request));
}

TEST_F(GpuRun, LayersOfTwoDevicesChooseTheTokensOfOne) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  const auto chosenOn = [&](const std::string& device) {
    request.device = device;
    return m_model
        ->generate(
            request, 4, [](auto, auto) {}, std::stop_token())
        .value()
        .front()
        .ids;
  };
  EXPECT_EQ(chosenOn("cpu+cuda:0"), chosenOn("cpu"));
}

TEST_F(GpuRun, RepeatsBitForBit) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.device = "cuda:0";
  expectSameRuns(runOrFail(*m_model, request), runOrFail(*m_model, request));
}

TEST_F(GpuRun, AgreesWithTheCpuInFastLlmSemantics) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.plan.semantics = Semantics::FastLlm;
  request.plan.norm = request.plan.rotary = Kernel::Fused;
  expectAgreement(request, kFloat32Tolerance);
}

/// Heads of a size that every attention kernel takes, two of queries for each of keys.
std::unique_ptr<Model> openWithLargeHeads(const test::TempDir& folder) {
  TinyModel model;
  model.config["head_dim"] = 64;
  for (int layer = 0; layer < 2; ++layer) {
    const std::string path = "model.layers." + std::to_string(layer) + ".self_attn.";
    model.add(path + "q_proj.weight", {256, 16});
    model.add(path + "k_proj.weight", {128, 16});
    model.add(path + "v_proj.weight", {128, 16});
    model.add(path + "o_proj.weight", {16, 256});
  }
  model.write(folder);
  return openOrFail({.path = folder.path()});
}

TEST_F(GpuRun, EveryAttentionKernelRunsAndLeavesNothingBehind) {
  const test::TempDir folder;
  const auto model = openWithLargeHeads(folder);
  RunRequest request = requestOf(DType::BFloat16, kVocabulary, 64);
  request.device = "cuda";
  const Recorder plain = runOrFail(*model, request);
  for (const auto& [attention, name] :
       {std::pair(AttentionImplementation::SdpaMath, "math"),
        std::pair(AttentionImplementation::SdpaFlash, "flash"),
        std::pair(AttentionImplementation::SdpaEfficient, "efficient"),
        std::pair(AttentionImplementation::SdpaCudnn, "cudnn")}) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, name);
    request.plan.attention = attention;
    Recorder chosen;
    const auto outcome = model->run(request, chosen, std::stop_token());
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->attentionKernels.at("model.layers.1.self_attn"), name);
    for (const Pass pass : {Pass::Forward, Pass::Backward}) {
      EXPECT_LT(relativeError(plain.of("decoder.1", pass), chosen.of("decoder.1", pass)),
                kBFloat16Tolerance);
    }
  }
  request.plan.attention = AttentionImplementation::Sdpa;
  expectSameRuns(plain, runOrFail(*model, request));
}

TEST_F(GpuRun, LeversOfMatrixProductsAndDeterminismLeaveNothingBehind) {
  RunRequest request = requestOf(DType::Float32, kVocabulary, 64);
  request.device = "cuda";
  const Recorder plain = runOrFail(*m_model, request);
  request.plan.deterministic = true;
  request.plan.reducedPrecisionReduction = false;
  request.plan.float32Products = MatmulPrecision::High;
  const Recorder changed = runOrFail(*m_model, request);
  expectSameRuns(changed, runOrFail(*m_model, request));
  request.plan = requestOf(DType::Float32, kVocabulary).plan;
  expectSameRuns(plain, runOrFail(*m_model, request));
}

TEST_F(GpuRun, HighAndMediumMultiplyFloat32InTf32) {
  const test::TempDir folder;
  const auto model = openWithLargeHeads(folder);
  RunRequest request = requestOf(DType::Float32, kVocabulary, 64);
  request.device = "cuda";
  request.plan.attention = AttentionImplementation::SdpaMath;
  const Recorder highest = runOrFail(*model, request);
  request.plan.float32Products = MatmulPrecision::High;
  const Recorder high = runOrFail(*model, request);
  EXPECT_GT(relativeError(highest.of("logits", Pass::Forward), high.of("logits", Pass::Forward)),
            kFloat32Tolerance);
  request.plan.float32Products = MatmulPrecision::Medium;
  expectSameRuns(high, runOrFail(*model, request));
}

TEST_F(GpuRun, Float16AccumulationChangesFloat16Alone) {
  const test::TempDir folder;
  const auto model = openWithLargeHeads(folder);
  for (const DType dtype : {DType::Float16, DType::BFloat16}) {
    RunRequest request = requestOf(dtype, kVocabulary, 64);
    request.device = "cuda";
    const Recorder wide = runOrFail(*model, request);
    request.plan.float16Accumulation = true;
    const Recorder narrow = runOrFail(*model, request);
    const bool isSame =
        wide.of("logits", Pass::Forward).bytes == narrow.of("logits", Pass::Forward).bytes;
    EXPECT_EQ(isSame, dtype == DType::BFloat16);
    EXPECT_LT(relativeError(wide.of("logits", Pass::Forward), narrow.of("logits", Pass::Forward)),
              kFloat16Tolerance);
    request.plan.float16Accumulation = false;
    expectSameRuns(wide, runOrFail(*model, request));
  }
}

TEST_F(GpuRun, EitherLibraryAndNoSplitKAgreeAndLeaveNothingBehind) {
  const test::TempDir folder;
  const auto model = openWithLargeHeads(folder);
  RunRequest request = requestOf(DType::BFloat16, kVocabulary, 64);
  request.device = "cuda";
  const Recorder plain = runOrFail(*model, request);
  const auto expectClose = [&](const char* lever) {
    const Recorder changed = runOrFail(*model, request);
    EXPECT_LT(relativeError(plain.of("logits", Pass::Forward), changed.of("logits", Pass::Forward)),
              kBFloat16Tolerance)
        << lever;
    expectSameRuns(changed, runOrFail(*model, request));
    request.plan = requestOf(DType::BFloat16, kVocabulary).plan;
  };
  request.plan.library = MatmulLibrary::Cublas;
  expectClose("cublas");
  request.plan.library = MatmulLibrary::CublasLt;
  expectClose("cublaslt");
  request.plan.library = MatmulLibrary::CublasLt;
  request.plan.splitK = request.plan.reducedPrecisionReduction = false;
  expectClose("split_k");
  expectSameRuns(plain, runOrFail(*model, request));
}

/// In a process that was told to begin with TF32, as images of frameworks do.
class GpuRunInTf32 : public GpuRun {
 protected:
  void SetUp() override {
    ::setenv("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "1", 1);  // NOLINT(concurrency-mt-unsafe)
    GpuRun::SetUp();
  }
};

TEST_F(GpuRunInTf32, HighestIsFloat32) {
  const test::TempDir folder;
  const auto model = openWithLargeHeads(folder);
  RunRequest request = requestOf(DType::Float32, kVocabulary, 64);
  request.plan.attention = AttentionImplementation::SdpaMath;
  const Recorder host = runOrFail(*model, request);
  request.device = "cuda";
  const Recorder device = runOrFail(*model, request);
  EXPECT_LT(relativeError(host.of("logits", Pass::Forward), device.of("logits", Pass::Forward)),
            kFloat32Tolerance);
}

/// The kernels of a row in a few words, a line each.
std::string kernelsOf(const KernelRecord& kernels, Pass pass, const std::string& row) {
  std::string lines;
  for (const std::string_view kernel : kernels.of(pass, row)) {
    lines += shortKernelName(kernel) + "\n";
  }
  return lines;
}

TEST_F(GpuRun, RecordsWhichKernelsRanForEveryRowAndChangesNoBit) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary, 16);
  request.device = "cuda";
  request.plan.attention = AttentionImplementation::SdpaFlash;
  const Recorder plain = runOrFail(*m_model, request);
  request.recordsKernels = true;
  Recorder recorder;
  const auto outcome = m_model->run(request, recorder, std::stop_token());
  ASSERT_TRUE(outcome) << outcome.error().message();
  expectSameRuns(plain, recorder);
  const KernelRecord& kernels = outcome->kernels;
  ASSERT_FALSE(kernels.isEmpty());
  EXPECT_TRUE(kernels.isConsistent());
  const auto ran = [&](Pass pass, const std::string& row) { return kernelsOf(kernels, pass, row); };
  const std::string layer = "model.layers.1";
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (const char* row : {".self_attn.q_proj", ".self_attn.o_proj", ".mlp.down_proj"}) {
      EXPECT_NE(ran(pass, layer + row).find("gem"), std::string::npos)
          << row << ", " << toString(pass) << ":\n"
          << ran(pass, layer + row);
      EXPECT_EQ(ran(pass, layer + row).find("attention"), std::string::npos);
    }
    const std::string attention = ran(pass, layer + ".self_attn");
    EXPECT_NE(attention.find("attention " + std::string(toString(pass))), std::string::npos)
        << toString(pass) << ":\n"
        << attention;
    EXPECT_EQ(attention.find("gem"), std::string::npos) << attention;
    const std::string norm = ran(pass, layer + ".input_layernorm");
    EXPECT_NE(norm.find("elementwise"), std::string::npos) << toString(pass) << ":\n" << norm;
    EXPECT_EQ(norm.find("gem"), std::string::npos) << norm;
    EXPECT_FALSE(ran(pass, "logits").empty());
  }
  EXPECT_NE(ran(Pass::Forward, layer + ".input_layernorm").find("reduce mean"), std::string::npos);
  EXPECT_NE(ran(Pass::Forward, "logits").find("gem"), std::string::npos);
  EXPECT_NE(ran(Pass::Forward, "decoder.1").find("add"), std::string::npos);
  EXPECT_FALSE(ran(Pass::Forward, "embeddings").empty());
  EXPECT_FALSE(ran(Pass::Forward, "loss").empty());
  for (const std::string& name : kernels.names) {
    EXPECT_EQ(name.find("ulp::"), std::string::npos) << "a kernel of the comparison: " << name;
  }
}

TEST_F(GpuRun, AtLevelLayerALayerHasTheKernelsOfItsModules) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary, 16);
  request.device = "cuda";
  request.level = Level::Layer;
  request.recordsKernels = true;
  request.plan.attention = AttentionImplementation::Eager;
  for (int time = 0; time < 2; ++time) {  // the profiler starts again
    Recorder recorder;
    const auto outcome = m_model->run(request, recorder, std::stop_token());
    ASSERT_TRUE(outcome) << outcome.error().message();
    for (const Pass pass : {Pass::Forward, Pass::Backward}) {
      const std::string ran = kernelsOf(outcome->kernels, pass, "decoder.0");
      for (const char* word : {"gem", "softmax", "elementwise mul", "reduce"}) {
        EXPECT_NE(ran.find(word), std::string::npos) << word << ", " << toString(pass) << ":\n"
                                                     << ran;
      }
    }
    EXPECT_TRUE(outcome->kernels.of(Pass::Forward, "model.layers.0.mlp").empty());
  }
}

TEST_F(GpuRun, FindsTheGradientScaleOfFloat16) {
  RunRequest request = requestOf(DType::Float16, kVocabulary);
  request.device = "cuda";
  request.plan.gradientScale = std::nullopt;
  Recorder recorder;
  const auto outcome = m_model->run(request, recorder, std::stop_token());
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_GT(outcome->gradientScale, 1);
}

TEST_F(GpuRun, StopsInTheBackwardPass) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.device = "cuda";
  std::stop_source source;
  Recorder recorder;
  recorder.onProgress = [&](Pass pass, std::string_view) {
    if (pass == Pass::Backward) {
      source.request_stop();
    }
  };
  const auto outcome = m_model->run(request, recorder, source.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Cancelled);
}

TEST_F(GpuRun, TheDeviceSaysWhatItsBitsDependOn) {
  const std::vector<DeviceInfo> devices = sharedEngine().devices();
  for (const char* fact :
       {"compute_capability", "multiprocessors", "driver", "cuda", "cublas", "cudnn"}) {
    EXPECT_TRUE(devices.at(1).facts.contains(fact)) << fact;
  }
  EXPECT_EQ(devices.at(1).facts.at("cuda"), "13.0");
}

TEST_F(GpuRun, RefusesADeviceThatDoesNotExist) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.device = "cuda:99";
  Recorder recorder;
  EXPECT_EQ(runError(*m_model, request, recorder).code(), ErrorCode::Device);
}

}  // namespace
}  // namespace ulp::engine
