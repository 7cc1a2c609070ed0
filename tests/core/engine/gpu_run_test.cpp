// Runs on a CUDA device. Skipped without one, unless ULP_REQUIRE_GPU=1 says that there must be one.

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "core/base/kernels/kernel_name.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

constexpr std::int64_t kVocabulary = 37;

class GpuRun : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why = "no CUDA device is listed";
    for (const DeviceInfo& device : sharedEngine().devices()) {
      if (device.id == "cuda:0" && device.note.empty()) {
        TinyModel().write(m_folder);
        m_model = openOrFail({.path = m_folder.path()});
        return;
      }
      why = device.note.empty() ? why : device.note;
    }
    const char* required = std::getenv("ULP_REQUIRE_GPU");  // NOLINT(concurrency-mt-unsafe)
    ASSERT_FALSE(required != nullptr && std::string(required) == "1") << why;
    GTEST_SKIP() << why;
  }

  /// Forward, backward and parameter gradients: names, formats, shapes, and rms(difference) over
  /// rms below the tolerance.
  void expectAgreement(RunRequest request, double tolerance) const {
    request.device = "cpu";
    const Recorder host = runOrFail(*m_model, request);
    request.device = "cuda";
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

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
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

TEST_F(GpuRun, SingleAttentionKernelsRunOrSayWhyNotAndLeaveNothingBehind) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.device = "cuda";
  const Recorder plain = runOrFail(*m_model, request);
  int ran = 0;
  for (const auto attention : {AttentionImplementation::SdpaMath,
                               AttentionImplementation::SdpaFlash,
                               AttentionImplementation::SdpaEfficient,
                               AttentionImplementation::SdpaCudnn}) {
    request.plan.attention = attention;
    Recorder recorder;
    const auto outcome = m_model->run(request, recorder, std::stop_token());
    ran += outcome ? 1 : 0;
    if (outcome) {
      EXPECT_LT(relativeError(plain.of("decoder.1", Pass::Forward),
                              recorder.of("decoder.1", Pass::Forward)),
                0.03);
    } else {
      EXPECT_EQ(outcome.error().code(), ErrorCode::Unsupported) << outcome.error().message();
    }
  }
  EXPECT_GE(ran, 2);
  request.plan.attention = AttentionImplementation::Sdpa;
  expectSameRuns(plain, runOrFail(*m_model, request));
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

TEST_F(GpuRun, RefusesADeviceThatDoesNotExist) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.device = "cuda:99";
  Recorder recorder;
  EXPECT_EQ(runError(*m_model, request, recorder).code(), ErrorCode::Device);
}

}  // namespace
}  // namespace ulp::engine
