// Runs on a CUDA device. Skipped without one, unless ULP_REQUIRE_GPU=1 says that there must be one.

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

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

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(GpuRun, AgreesWithTheCpu) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  const Recorder host = runOrFail(*m_model, request);
  request.device = "cuda";
  const Recorder device = runOrFail(*m_model, request);
  ASSERT_EQ(host.seen.size(), device.seen.size());
  for (std::size_t i = 0; i < host.seen.size(); ++i) {
    ASSERT_EQ(host.seen[i].site, device.seen[i].site);
    EXPECT_LT(relativeError(host.seen[i], device.seen[i]), 1e-4) << host.seen[i].site.name;
  }
}

TEST_F(GpuRun, RepeatsBitForBit) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.device = "cuda:0";
  expectSameRuns(runOrFail(*m_model, request), runOrFail(*m_model, request));
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
