// Runs on a CUDA device. Skipped without one, unless ULP_REQUIRE_GPU=1 says that there must be one.

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "runner/worker/session/study_runner.h"
#include "tests/core/engine/gpu_fixture.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::engine {
namespace {

using numerics::Moments;
using numerics::testing::expectIdenticalMoments;

/// Holds the tensors of a run where they lie, by site, of one micro-batch after the other.
class Holder final : public Observer {
 public:
  bool wants(const Site& /*site*/) override { return true; }
  Result<> observe(const Site& site, const Capture& capture) override {
    held[std::string(toString(site.pass)) + " " + site.name].push_back(capture);
    return {};
  }

  std::map<std::string, std::vector<Capture>> held;
};

class GpuRunCaptures : public GpuTest {
 protected:
  /// Of two micro-batches of two sequences.
  Holder run(DType compute) const {
    RunRequest request = requestOf(compute, kVocabulary);
    request.microBatches.push_back(sharedEngine().randomTokens(kVocabulary, 2, 9, 8).value());
    request.device = "cuda";
    Holder holder;
    const auto outcome = m_model->run(request, holder, std::stop_token());
    EXPECT_TRUE(outcome) << outcome.error().message();
    return holder;
  }

  static std::unique_ptr<CaptureComparer> comparer() {
    auto made = sharedEngine().captureComparer("cuda", {.threads = 1});
    EXPECT_TRUE(made) << made.error().message();
    return std::move(*made);
  }

  /// Of the micro-batches together.
  static Moments comparedThere(CaptureComparer& comparer,
                               const std::vector<Capture>& reference,
                               const std::vector<Capture>& candidate) {
    Moments total;
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const auto added = comparer.accumulate(total, reference[i], candidate[i]);
      EXPECT_TRUE(added) << added.error().message();
    }
    return total;
  }
  static Moments comparedOnHost(const std::vector<Capture>& reference,
                                const std::vector<Capture>& candidate) {
    numerics::Comparer comparer({.threads = 1});
    Moments total;
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const Capture left = reference[i].onHost().value();
      const Capture right = candidate[i].onHost().value();
      EXPECT_TRUE(comparer.accumulate(total, left.view, right.view));
    }
    return total;
  }
};

TEST_F(GpuRunCaptures, StayOnTheDeviceWhichHasRoomForThem) {
  const Holder holder = run(DType::Float32);
  ASSERT_FALSE(holder.held.empty());
  for (const auto& [key, captures] : holder.held) {
    for (const Capture& capture : captures) {
      EXPECT_EQ(capture.view.data, nullptr) << key;
    }
  }
  const auto room = comparer()->roomOnDevice();
  ASSERT_TRUE(room) << room.error().message();
  EXPECT_GT(*room, std::uint64_t{1} << 30U);
}

TEST_F(GpuRunCaptures, GiveTheMomentsOfTheHostBitForBit) {
  const auto comparing = comparer();
  ASSERT_EQ(comparing->problem(), "");
  const Holder reference = run(DType::Float32);
  for (const DType compute : {DType::Float32, DType::BFloat16, DType::Float16, DType::Float64}) {
    const Holder candidate = run(compute);
    ASSERT_EQ(reference.held.size(), candidate.held.size());
    for (const auto& [key, captures] : reference.held) {
      const std::vector<Capture>& others = candidate.held.at(key);
      SCOPED_TRACE(key + " " + std::string(toString(compute)));
      expectIdenticalMoments(comparedThere(*comparing, captures, others),
                             comparedOnHost(captures, others));
    }
  }
}

TEST_F(GpuRunCaptures, GiveTheSameWhereTheReferenceHasLeftTheDevice) {
  const auto comparing = comparer();
  const Holder reference = run(DType::Float32);
  const Holder candidate = run(DType::BFloat16);
  for (const auto& [key, captures] : reference.held) {
    const std::vector<Capture>& others = candidate.held.at(key);
    const auto expected = comparedOnHost(captures, others);
    for (const Capture& capture : captures) {
      ASSERT_TRUE(capture.device == nullptr || capture.device->leaveDevice());
    }
    SCOPED_TRACE(key);
    expectIdenticalMoments(comparedThere(*comparing, captures, others), expected);
    std::vector<Capture> spilled;
    for (const Capture& capture : captures) {
      spilled.push_back(capture.onHost().value());
    }
    expectIdenticalMoments(comparedThere(*comparing, spilled, others), expected);
  }
}

TEST_F(GpuRunCaptures, AgreeOnTheMostLikelyTokensAsOnTheHost) {
  const auto comparing = comparer();
  const Capture reference = run(DType::Float32).held.at("forward logits").at(0);
  const Capture candidate = run(DType::BFloat16).held.at("forward logits").at(0);
  const auto there = comparing->topAgreement(reference, candidate);
  ASSERT_TRUE(there) << there.error().message();
  const auto onHost = numerics::topAgreement(reference.onHost()->view, candidate.onHost()->view);
  EXPECT_EQ(there->rows, 18U);
  EXPECT_EQ(there->rows, onHost->rows);
  EXPECT_EQ(there->same, onHost->same);
}

TEST_F(GpuRunCaptures, AreReversedThereInBlocks) {
  const Capture capture = run(DType::BFloat16).held.at("forward norm").at(0);
  const auto reversed = capture.device->withReversedBlocks(2);
  ASSERT_TRUE(reversed) << reversed.error().message();
  EXPECT_EQ(reversed->view.shape, capture.view.shape);
  const Capture before = capture.onHost().value();
  const Capture after = reversed->onHost().value();
  const std::size_t half = before.view.sizeBytes() / 2;
  const auto* const from = static_cast<const std::byte*>(before.view.data);
  const auto* const to = static_cast<const std::byte*>(after.view.data);
  EXPECT_EQ(std::memcmp(from, to + half, half), 0);
  EXPECT_EQ(std::memcmp(from + half, to, half), 0);
}

/// Compares on the host whatever a run shows.
class HostComparer final : public CaptureComparer {
 public:
  Result<> accumulate(Moments& total, const Capture& reference, const Capture& candidate) override {
    const Capture left = ULP_TRY(reference.onHost());
    const Capture right = ULP_TRY(candidate.onHost());
    return m_comparer.accumulate(total, left.view, right.view);
  }
  Result<numerics::TopAgreement> topAgreement(const Capture& reference,
                                              const Capture& candidate) override {
    const Capture left = ULP_TRY(reference.onHost());
    const Capture right = ULP_TRY(candidate.onHost());
    return numerics::topAgreement(left.view, right.view);
  }
  std::string problem() const override { return ""; }
  Result<std::uint64_t> roomOnDevice() const override { return 0; }

 private:
  numerics::Comparer m_comparer{{.threads = 1}};
};

/// The engine, but for where captures are compared.
class HostComparingEngine final : public Engine {
 public:
  std::string torchVersion() const override { return m_real.torchVersion(); }
  std::vector<FamilyInfo> families() const override { return m_real.families(); }
  std::vector<DeviceInfo> devices() override { return m_real.devices(); }
  int setThreads(int threads) override { return m_real.setThreads(threads); }
  std::string cudaKernelsProblem() const override { return m_real.cudaKernelsProblem(); }
  Result<std::uint64_t> freeBytes(const std::string& device) override {
    return m_real.freeBytes(device);
  }
  numerics::Team& team() override { return m_real.team(); }
  Result<std::unique_ptr<CaptureComparer>> captureComparer(
      const std::string& /*device*/, const numerics::CompareOptions& /*options*/) override {
    return std::make_unique<HostComparer>();
  }
  Result<std::unique_ptr<StepLosses>> stepLosses(const RunRequest& request,
                                                 std::int64_t vocabularySize) override {
    return m_real.stepLosses(request, vocabularySize);
  }
  Result<TokenBatch> randomTokens(std::int64_t vocabulary,
                                  std::int64_t batch,
                                  std::int64_t length,
                                  std::uint64_t seed) override {
    return m_real.randomTokens(vocabulary, batch, length, seed);
  }
  Result<std::vector<float>> randomNormals(std::int64_t count, std::uint64_t seed) override {
    return m_real.randomNormals(count, seed);
  }
  Result<std::unique_ptr<Model>> openModel(const ModelRequest& request,
                                           const std::stop_token& stop) override {
    return m_real.openModel(request, stop);
  }

 private:
  Engine& m_real = sharedEngine();
};

class GpuRunStudy : public GpuTest {
 protected:
  /// What the report says of all comparisons.
  std::string comparisonsBy(Engine& engine, const std::string& name) {
    const std::string text = "model: {path: " + m_folder.path().string() +
                             "}\noutput_dir: " + (m_folder / name).string() + R"(
input: {sequence_length: 9, micro_batch_size: 2}
schedule: {micro_batches: 2}
capture: {tensors: full, level: op}
optimizer: {type: adamw}
attention: {implementation: eager}
noise_floor: [batch_order]
device: cuda
variants:
  bf16: {precision.compute_dtype: bfloat16}
  fp16: {precision.compute_dtype: float16}
)";
    const auto study = study::parseStudy(text, "study.yaml");
    EXPECT_TRUE(study) << study.error().message();
    const auto done = worker::runStudy(
        *study, {}, engine, [](const worker::Event&) {}, std::stop_token());
    EXPECT_TRUE(done) << done.error().message();
    const auto report = readTextFile(m_folder / name / "precision_report.json");
    return report ? nlohmann::json::parse(*report)["comparisons"].dump(1) : "no report";
  }
};

TEST_F(GpuRunStudy, ComparedOnTheDeviceEqualsTheSameComparedOnTheHost) {
  HostComparingEngine onHost;
  const std::string expected = comparisonsBy(onHost, "host");
  EXPECT_NE(expected.find("exp_avg_sq"), std::string::npos);
  EXPECT_EQ(comparisonsBy(sharedEngine(), "device"), expected);
}

}  // namespace
}  // namespace ulp::engine
