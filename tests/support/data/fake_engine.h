#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.h"
#include "tests/support/data/fake_device.h"
#include "tests/support/data/fake_model.h"

namespace ulp::test {

/// The calling thread alone.
class FakeTeam final : public numerics::Team {
 public:
  void run(const std::function<void()>& job) override { job(); }
  [[nodiscard]] std::size_t worthwhilePairs() const override { return 0; }
};

class FakeEngine : public engine::Engine {
 public:
  explicit FakeEngine(FakeEngineConfig config = {})
      : m_config(std::move(config)), m_log(std::make_shared<FakeEngineLog>()) {}

  [[nodiscard]] const std::shared_ptr<FakeEngineLog>& log() const { return m_log; }
  /// For the models that are opened from now on.
  [[nodiscard]] FakeEngineConfig& config() { return m_config; }

  [[nodiscard]] std::string torchVersion() const override { return m_config.torchVersion; }
  [[nodiscard]] std::vector<engine::FamilyInfo> families() const override {
    return {{.id = "llama", .architectures = {"LlamaForCausalLM"}, .ggufArchitectures = {"llama"}}};
  }
  [[nodiscard]] std::vector<engine::DeviceInfo> devices() override { return m_config.devices; }
  [[nodiscard]] Result<std::uint64_t> freeBytes(const std::string& /*device*/) override {
    return m_config.freeBytes;
  }
  int setThreads(int threads) override {
    m_log->threads = threads == 0 ? m_config.maximumThreads : threads;
    return m_log->threads;
  }

  [[nodiscard]] std::string cudaKernelsProblem() const override {
    return m_config.cudaKernelsProblem;
  }
  [[nodiscard]] numerics::Team& team() override { return m_team; }
  [[nodiscard]] Result<std::unique_ptr<engine::CaptureComparer>> captureComparer(
      const std::string& device, const numerics::CompareOptions& options) override {
    return std::make_unique<FakeCaptureComparer>(
        m_log->device, options, device == "cpu" ? "" : m_config.cudaKernelsProblem);
  }

  [[nodiscard]] Result<engine::TokenBatch> randomTokens(std::int64_t vocabulary,
                                                        std::int64_t batch,
                                                        std::int64_t length,
                                                        std::uint64_t seed) override {
    engine::TokenBatch tokens{.ids = {}, .batch = batch, .length = length};
    std::uint64_t state = seed + 1;
    for (std::int64_t i = 0; i < batch * (length + 1); ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      tokens.ids.push_back(
          static_cast<std::int64_t>((state >> 33U) % static_cast<std::uint64_t>(vocabulary)));
    }
    return tokens;
  }

  /// 1, -1, 2, -2, …, shifted by the seed.
  [[nodiscard]] Result<std::vector<float>> randomNormals(std::int64_t count,
                                                         std::uint64_t seed) override {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t whole = i / 2 + 1 + static_cast<std::int64_t>(seed);
      const auto size = static_cast<float>(whole);
      values.push_back(i % 2 == 0 ? size : -size);
    }
    return values;
  }

  [[nodiscard]] Result<std::unique_ptr<engine::StepLosses>> stepLosses(
      const engine::RunRequest& /*request*/, std::int64_t /*vocabularySize*/) override {
    return fail(ErrorCode::Unsupported, "a fake engine has no losses");
  }

  [[nodiscard]] Result<std::unique_ptr<engine::Model>> openModel(
      const engine::ModelRequest& /*request*/, const std::stop_token& stop) override {
    ++m_log->opened;
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    if (m_config.openError) {
      return tl::unexpected(*m_config.openError);
    }
    return std::make_unique<FakeModel>(m_config, m_log);
  }

 private:
  FakeEngineConfig m_config;
  std::shared_ptr<FakeEngineLog> m_log;
  FakeTeam m_team;
};

}  // namespace ulp::test
