#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/engine.h"
#include "tests/support/data/fake_engine_config.h"
#include "tests/support/data/numbered_tokens.h"

/// A test double of the engine's model: tiny tensors whose values depend on nothing but site,
/// element, tokens and precision plan. Failures, delays and a look at every site are configurable.
namespace ulp::test {

class FakeModel : public engine::Model {
 public:
  FakeModel(FakeEngineConfig config, std::shared_ptr<FakeEngineLog> log)
      : m_config(std::move(config)), m_log(std::move(log)) {
    m_info = {.name = "fake",
              .family = "llama",
              .layers = m_config.layers,
              .vocabularySize = m_config.vocabulary,
              .maxPositions = 1024,
              .parameters = 12345};
  }

  [[nodiscard]] const engine::ModelInfo& info() const override { return m_info; }
  [[nodiscard]] Result<std::string> weightsDigest() const override {
    return m_config.weightsDigest;
  }

  [[nodiscard]] std::vector<Site> sites(const engine::CaptureScope& scope) const override {
    std::vector<Site> all;
    addPass(all, scope.level, Pass::Forward);
    if (!scope.backward) {
      return all;
    }
    addPass(all, scope.level, Pass::Backward);
    if (scope.parameterGradients) {
      for (int layer = 0; layer < m_config.layers; ++layer) {
        const std::string name = module(layer) + ".mlp.down_proj.weight";
        all.push_back({name,
                       module(layer) + ".mlp.down_proj",
                       layer,
                       Level::Module,
                       Pass::ParameterGradient});
      }
    }
    return all;
  }

  [[nodiscard]] Result<> check(const engine::PrecisionPlan& plan,
                               const std::string& /*device*/) const override {
    return m_config.onCheck ? m_config.onCheck(plan) : Result<>();
  }
  [[nodiscard]] Result<engine::RunOutcome> run(const engine::RunRequest& request,
                                               engine::Observer& observer,
                                               const std::stop_token& stop) override {
    const int index = m_log->runs++;
    m_log->requests.push_back(request);
    const auto all = sites(request);
    std::vector<bool> wanted;
    for (const Site& site : all) {
      wanted.push_back(observer.wants(site));
    }
    if (auto shown = showEarlierMicroBatches(request, observer, all, wanted); !shown) {
      return tl::unexpected(shown.error());
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (m_config.onSite) {
        m_config.onSite(index, all[i]);
      }
      std::this_thread::sleep_for(m_config.siteDelay);
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "stopped");
      }
      const auto error = m_config.runErrors.find(index);
      if (error != m_config.runErrors.end() && i == m_config.failAt) {
        return tl::unexpected(error->second);
      }
      loseDevice(request, i);
      if (m_log->isDeviceLost) {
        return fail(ErrorCode::Device, request.device + " failed: illegal access");
      }
      observer.progressed(all[i].pass, all[i].module);
      if (!wanted[i]) {
        continue;
      }
      const engine::Capture capture = tensorAt(i, request);
      if (auto observed = observer.observe(all[i], capture); !observed) {
        return tl::unexpected(observed.error());
      }
    }
    engine::RunOutcome outcome{.loss = lossOf(request), .seconds = 0.25, .peakBytes = 1 << 20};
    outcome.memory = m_config.memory;
    describeStep(request, outcome);
    outcome.kernels = kernelsOf(request, all);
    if (m_config.codeOf) {
      outcome.codeFiles = m_config.codeOf(request);
    }
    return outcome;
  }

  /// Chooses the numbers of positions.
  [[nodiscard]] Result<std::vector<engine::TokenBatch>> generate(
      const engine::RunRequest& request,
      std::int64_t count,
      const engine::ChoiceWatch& watch,
      const std::stop_token& /*stop*/) override {
    m_log->generations.push_back(request);
    const auto all = static_cast<std::int64_t>(request.microBatches.size()) * (count + 1);
    for (std::int64_t chosen = 1; chosen <= all; ++chosen) {
      watch(chosen, all);
    }
    return numberedTokens(request.microBatches, count);
  }

 private:
  /// Every token is a label of log-probability -0.5, -1, -1.5, …; of the two units that a policy
  /// loss clips, the first is above the range unless the run computes in float32.
  static void describeStep(const engine::RunRequest& request, engine::RunOutcome& outcome) {
    for (const engine::TokenBatch& tokens : request.microBatches) {
      outcome.labels += tokens.batch * tokens.length;
      outcome.documents += tokens.batch * tokens.documents.documents();
    }
    outcome.microBatches = static_cast<std::int64_t>(request.microBatches.size());
    for (std::int64_t i = 0; i < outcome.labels; ++i) {
      outcome.tokens.logProbabilities.push_back(-0.5 * static_cast<double>(i + 1));
      outcome.tokens.isLabel.push_back(1);
    }
    const bool isExact = isFloat32(request);
    for (const engine::LossTerm& term : request.loss.terms) {
      engine::LossTermOutcome& one = outcome.terms.emplace_back();
      one.term = term;
      one.value = outcome.loss;
      if (!request.microBatches.back().policy.advantages.empty()) {
        one.metrics.push_back({"entropy", 1.5});
        one.clips = {.unit = engine::ClipDecisions::Unit::Document,
                     .region = {static_cast<std::int8_t>(isExact ? 0 : 1), 0},
                     .stopped = {static_cast<std::uint8_t>(isExact ? 0 : 1), 0}};
      }
    }
  }

  [[nodiscard]] KernelRecord kernelsOf(const engine::RunRequest& request,
                                       const std::vector<Site>& all) const {
    KernelRecord record;
    if (!request.recordsKernels || !m_config.kernelOf) {
      return record;
    }
    for (const Site& site : all) {
      record.of(site.pass)[site.name] = {static_cast<std::uint32_t>(record.names.size())};
      record.names.push_back(m_config.kernelOf(request, site));
    }
    return record;
  }

  static std::string module(int layer) { return "model.layers." + std::to_string(layer); }

  void addPass(std::vector<Site>& all, Level level, Pass pass) const {
    const bool forward = pass == Pass::Forward;
    if (forward) {
      all.push_back({"embeddings", "model.embed_tokens", -1, Level::Layer, pass});
    } else {
      all.push_back({"logits", "logits", -1, Level::Layer, pass});
      all.push_back({"norm", "model.norm", -1, Level::Layer, pass});
    }
    for (int i = 0; i < m_config.layers; ++i) {
      const int layer = forward ? i : m_config.layers - 1 - i;
      if (level != Level::Layer) {
        const std::string name = module(layer) + ".mlp.down_proj";
        all.push_back({name, name, layer, Level::Module, pass});
      }
      all.push_back({"decoder." + std::to_string(layer), module(layer), layer, Level::Layer, pass});
    }
    if (forward) {
      all.push_back({"norm", "model.norm", -1, Level::Layer, pass});
      all.push_back({"logits", "logits", -1, Level::Layer, pass});
    }
  }

  [[nodiscard]] static numerics::NumberFormat computeFormat(const engine::RunRequest& request) {
    return resolveFormats(request.plan.formats, {})[numerics::Operation::Compute];
  }

  [[nodiscard]] static bool isFloat32(const engine::RunRequest& request) {
    return computeFormat(request) == numerics::NumberFormat::Float32;
  }

  void loseDevice(const engine::RunRequest& request, std::size_t site) {
    m_log->isDeviceLost = m_log->isDeviceLost || (site == m_config.failAt &&
                                                  m_config.losesDeviceIn == computeFormat(request));
  }

  [[nodiscard]] double lossOf(const engine::RunRequest& request) const {
    const double error = isFloat32(request) ? 0 : 0.0078125;
    std::int64_t first = 0;
    const engine::TokenBatch& tokens = request.microBatches.back();
    for (std::int64_t row = 0; row < tokens.batch; ++row) {
      first += tokens.ids[static_cast<std::size_t>(row * (tokens.length + 1))];
    }
    return 4.5 + 0.001 * static_cast<double>(first) + error + m_config.lossShift;
  }

  /// Everything but the parameters, of the micro-batches before the last.
  [[nodiscard]] Result<> showEarlierMicroBatches(const engine::RunRequest& request,
                                                 engine::Observer& observer,
                                                 const std::vector<Site>& all,
                                                 const std::vector<bool>& wanted) const {
    const std::size_t earlier = request.microBatches.size() - 1;
    for (std::size_t batch = 0; batch < earlier; ++batch) {
      observer.microBatchBegins(batch, earlier + 1);
      engine::RunRequest part = request;
      part.microBatches = {request.microBatches[batch]};
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!wanted[i] || isOfParameters(all[i].pass)) {
          continue;
        }
        if (auto observed = observer.observe(all[i], tensorAt(i, part)); !observed) {
          return observed;
        }
      }
    }
    observer.microBatchBegins(earlier, earlier + 1);
    return {};
  }

  /// Truncated to bfloat16 unless the plan computes in float32.
  [[nodiscard]] engine::Capture tensorAt(std::size_t site,
                                         const engine::RunRequest& request) const {
    const engine::TokenBatch& tokens = request.microBatches.back();
    const auto perRow = static_cast<std::size_t>(tokens.length * m_config.hidden);
    const auto width = static_cast<std::size_t>(tokens.length) + 1;
    const std::size_t count = perRow * static_cast<std::size_t>(tokens.batch);
    auto values = std::shared_ptr<std::vector<float>>(
        new std::vector<float>(count), [log = m_log](const std::vector<float>* owned) {
          --log->liveCaptures;
          delete owned;  // NOLINT(cppcoreguidelines-owning-memory): the deleter of a shared_ptr
        });
    m_log->mostLiveCaptures = std::max(m_log->mostLiveCaptures, ++m_log->liveCaptures);
    // Not a choice between two floats: g++ 12 takes the first for both at -O1.
    const std::uint32_t kept = isFloat32(request) ? 0xFFFFFFFFU : 0xFFFF0000U;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t inRow = i % perRow;
      const auto token =
          tokens.ids[i / perRow * width + inRow / static_cast<std::size_t>(m_config.hidden)];
      const float value = std::sin(static_cast<float>(inRow + 1) * 0.37F +
                                   static_cast<float>(site) * 1.7F + static_cast<float>(token));
      (*values)[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & kept);
    }
    engine::Capture capture{.view = {.data = values->data(),
                                     .dtype = DType::Float32,
                                     .shape = {tokens.batch, tokens.length, m_config.hidden}},
                            .owner = values};
    return request.device == "cpu" ? capture : onFakeDevice(m_log->device, std::move(capture));
  }

  FakeEngineConfig m_config;
  std::shared_ptr<FakeEngineLog> m_log;
  engine::ModelInfo m_info;
};

}  // namespace ulp::test
