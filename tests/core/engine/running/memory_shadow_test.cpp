// The plan of memory beside what the engine takes, counted on the CPU, where the same tensors live
// for the same time.

#include "core/analysis/studies/memory/memory_shadow.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>

#include "core/base/optimizer_rows.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using engine::Capture;
using engine::RunRequest;

/// Counts what LibTorch has of main memory, as its allocator on a GPU counts.
class CountingAllocator final : public c10::Allocator {
 public:
  /// The one of this process, which outlives every tensor.
  static CountingAllocator& get() {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory)
    static auto* const kAllocator = new CountingAllocator;
    return *kAllocator;
  }

  c10::DataPtr allocate(std::size_t bytes) override {
    // What asks for plain memory frees it by its address.
    void* const data = std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment);
    const std::lock_guard lock(m_mutex);
    m_sizes.emplace(data, allocatedBytes(bytes));
    m_live += allocatedBytes(bytes);
    m_peak = std::max(m_peak, m_live);
    return {data, data, &CountingAllocator::free, c10::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &CountingAllocator::free; }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    default_copy_data(to, from, count);
  }

  void begin() {
    const std::lock_guard lock(m_mutex);
    m_before = m_live;
    m_peak = m_live;
  }
  /// Since begin(), beside what there was then.
  [[nodiscard]] std::uint64_t peak() const { return static_cast<std::uint64_t>(m_peak - m_before); }

 private:
  static constexpr std::size_t kAlignment = 64;

  CountingAllocator() {
    constexpr std::uint8_t kAboveOthers = 100;
    c10::SetCPUAllocator(this, kAboveOthers);
  }
  static void free(void* data) {
    get().forget(data);
    std::free(data);
  }
  void forget(void* data) {
    const std::lock_guard lock(m_mutex);
    const auto size = m_sizes.find(data);
    m_live -= size->second;
    m_sizes.erase(size);
  }

  std::mutex m_mutex;
  std::unordered_map<void*, std::uint64_t> m_sizes;
  std::uint64_t m_live = 0;
  std::uint64_t m_peak = 0;
  std::uint64_t m_before = 0;
};

/// Keeps the tensors that it is shown, as the worker does of a reference, or lets them go. What can
/// be made again is, beside a variant.
class Holder final : public engine::Observer {
 public:
  explicit Holder(bool keeps) : m_keeps(keeps) {}

  bool wants(const Site& /*site*/) override { return true; }
  Result<> observe(const Site& /*site*/, const Capture& capture) override {
    if (capture.again && !m_keeps) {
      static_cast<void>(capture.again());
    } else if (!capture.again && m_keeps) {
      m_kept.push_back(capture);
    }
    return {};
  }

 private:
  bool m_keeps;
  std::vector<Capture> m_kept;
};

struct Case {
  std::string name;
  bool isNarrow = false;  ///< bfloat16
  engine::AttentionImplementation attention = engine::AttentionImplementation::SdpaMath;
  AttentionKind kind = AttentionKind::Plain;
  Level level = Level::Layer;
  std::int64_t batch = 2;
  std::uint64_t microBatches = 1;
  bool backward = true;
  bool gradients = true;
  bool optimizer = false;
  bool hasLargeStep = false;  ///< the optimizer's step takes most
  std::int64_t keyValueHeads = 2;
  bool isTied = true;
  bool hasWideHead = false;
  bool hasWideResidual = false;
  std::int64_t vocabulary = 600;
  std::int64_t intermediate = 160;
  std::int64_t layers = 3;
};

void PrintTo(const Case& given, std::ostream* out) {
  *out << given.name;
}

constexpr std::int64_t kLength = 96;

ModelOutline outlineOf(const Case& given) {
  return {.architecture = "llama",
          .layers = given.layers,
          .hidden = 64,
          .intermediate = given.intermediate,
          .heads = 4,
          .keyValueHeads = given.keyValueHeads,
          .headSize = 16,
          .vocabulary = given.vocabulary,
          .isTied = given.isTied};
}

RunFormats formatsOf(const Case& given) {
  RunFormats formats;
  if (given.isNarrow) {
    formats = {.compute = 2,
               .residual = 2,
               .head = 2,
               .weights = 2,
               .logits = 2,
               .gradient = 2,
               .normOutput = 2,
               .rotary = 2,
               .scores = 2,
               .activation = 2};
  }
  formats.head = given.hasWideHead ? 4 : formats.head;
  formats.logits = formats.head;
  formats.residual = given.hasWideResidual ? 4 : formats.residual;
  formats.attention = given.kind;
  return formats;
}

RunRequest requestOf(const Case& given) {
  RunRequest request;
  using numerics::NumberFormat;
  using numerics::Operation;
  request.plan.formats[Operation::Compute] =
      given.isNarrow ? NumberFormat::BFloat16 : NumberFormat::Float32;
  if (given.hasWideHead) {
    request.plan.formats[Operation::LmHead] = NumberFormat::Float32;
  }
  if (given.hasWideResidual) {
    request.plan.formats[Operation::Residual] = NumberFormat::Float32;
  }
  request.plan.attention = given.attention;
  request.loss.terms = {engine::LossTerm{.type = "cross_entropy"}};
  request.level = given.level;
  request.backward = given.backward;
  request.parameterGradients = given.gradients;
  if (given.optimizer) {
    request.optimizer.type = engine::OptimizerPlan::Type::AdamW;
  }
  for (std::uint64_t i = 0; i < given.microBatches; ++i) {
    request.microBatches.push_back(
        engine::sharedEngine().randomTokens(given.vocabulary, given.batch, kLength, i).value());
  }
  return request;
}

std::string configOf(const ModelOutline& model) {
  return R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "rms_norm_eps": 1e-5,
    "max_position_embeddings": 512, "vocab_size": )" +
         std::to_string(model.vocabulary) + R"(, "hidden_size": )" + std::to_string(model.hidden) +
         R"(, "intermediate_size": )" + std::to_string(model.intermediate) +
         R"(, "num_hidden_layers": )" + std::to_string(model.layers) +
         R"(, "num_attention_heads": )" + std::to_string(model.heads) +
         R"(, "num_key_value_heads": )" + std::to_string(model.keyValueHeads) +
         R"(, "tie_word_embeddings": )" + (model.isTied ? "true" : "false") + "}";
}

class MemoryShadowBeside : public testing::TestWithParam<Case> {};

TEST_P(MemoryShadowBeside, TheEngine) {
  const Case& given = GetParam();
  const ModelOutline outline = outlineOf(given);
  CountingAllocator& counter = CountingAllocator::get();
  test::TempDir folder;
  folder.write("config.json", configOf(outline));
  const auto captured = outlineSites(
      outline,
      {.level = given.level,
       .isEager = true,
       .backward = given.backward,
       .parameterGradients = given.gradients,
       .optimizer = requestOf(given).optimizer.type == engine::OptimizerPlan::Type::AdamW
                        ? std::span(kAdamWRows)
                        : std::span<const std::string_view>(),
       .batch = given.batch,
       .length = kLength});
  const auto isCaptured = [&captured](Pass pass, std::string_view name) {
    return std::ranges::any_of(captured, [&](const OutlineSite& each) {
      const std::string& own = each.site.name;
      return each.site.pass == pass &&
             (pass == Pass::Optimizer ? own.substr(0, own.rfind('.')) == name : own == name);
    });
  };
  MemoryShadow shadow(outline,
                      {.batch = given.batch,
                       .length = kLength,
                       .microBatches = given.microBatches,
                       .backward = given.backward,
                       .hasOptimizer = given.optimizer},
                      isCaptured,
                      std::uint64_t{1} << 40);
  const RunFormats formats = formatsOf(given);
  for (const bool isReference : {true, false}) {
    const auto model = engine::openOrFail({.path = folder.path(), .randomWeights = true});
    const RunRequest request = requestOf(given);
    Holder holder(isReference);
    counter.begin();
    const auto outcome = model->run(request, holder, std::stop_token());
    ASSERT_TRUE(outcome) << outcome.error().message();
    // On the CPU float32 weights are those that are stored.
    const std::uint64_t weights = given.isNarrow ? 0 : 4 * parameterCount(outline);
    const auto measured = static_cast<double>(counter.peak() + weights);
    MemoryParts plan = isReference ? shadow.reference(formats) : shadow.variant(formats);
    plan.workspace -= blasWorkspace(given.backward);
    if (given.hasLargeStep) {
      // On the CPU the old parameter is the stored one.
      plan.workspace -= 4 * static_cast<std::uint64_t>(outline.vocabulary * outline.hidden);
    }
    if (!isReference) {
      plan.captures -= shadow.keptBytes();
    }
    const auto planned = static_cast<double>(plan.total());
    EXPECT_NEAR(measured / planned, 1, 0.04)
        << (isReference ? "reference: " : "variant: ") << measured << " of " << planned;
  }
}

using enum engine::AttentionImplementation;
INSTANTIATE_TEST_SUITE_P(
    Of,
    MemoryShadowBeside,
    testing::Values(Case{.name = "plain"},
                    Case{.name = "eager", .attention = Eager, .kind = AttentionKind::Eager},
                    Case{.name = "fused", .attention = SdpaFlash, .kind = AttentionKind::Fused},
                    Case{.name = "oneSequence", .batch = 1},
                    Case{.name = "modules", .level = Level::Module},
                    Case{.name = "operations",
                         .attention = Eager,
                         .kind = AttentionKind::Eager,
                         .level = Level::Op},
                    Case{.name = "microBatches", .microBatches = 2},
                    Case{.name = "forward", .backward = false},
                    Case{.name = "forwardModules",
                         .attention = Eager,
                         .kind = AttentionKind::Eager,
                         .level = Level::Op,
                         .backward = false},
                    Case{.name = "noGradients", .gradients = false},
                    Case{.name = "optimizer", .optimizer = true},
                    Case{.name = "optimizerAlone", .gradients = false, .optimizer = true},
                    Case{.name = "untied", .isTied = false},
                    Case{.name = "ungrouped", .keyValueHeads = 4},
                    Case{.name = "fewWords", .vocabulary = 24},
                    Case{.name = "fewWordsEager",
                         .attention = Eager,
                         .kind = AttentionKind::Eager,
                         .vocabulary = 24},
                    Case{.name = "fewWordsFused",
                         .attention = SdpaFlash,
                         .kind = AttentionKind::Fused,
                         .vocabulary = 24},
                    Case{.name = "wideProduct",
                         .attention = SdpaFlash,
                         .kind = AttentionKind::Fused,
                         .vocabulary = 24,
                         .intermediate = 1000},
                    Case{.name = "oneLayer", .vocabulary = 24, .layers = 1},
                    Case{.name = "oneLayerEager",
                         .attention = Eager,
                         .kind = AttentionKind::Eager,
                         .vocabulary = 24,
                         .layers = 1},
                    Case{.name = "oneLayerFused",
                         .attention = SdpaFlash,
                         .kind = AttentionKind::Fused,
                         .vocabulary = 24,
                         .layers = 1},
                    Case{.name = "narrowOneLayer", .isNarrow = true, .vocabulary = 24, .layers = 1},
                    Case{.name = "narrowOneLayerEager",
                         .isNarrow = true,
                         .attention = Eager,
                         .kind = AttentionKind::Eager,
                         .vocabulary = 24,
                         .layers = 1},
                    Case{.name = "narrowOneLayerFused",
                         .isNarrow = true,
                         .attention = SdpaFlash,
                         .kind = AttentionKind::Fused,
                         .vocabulary = 24,
                         .layers = 1},
                    Case{.name = "narrowOperations",
                         .isNarrow = true,
                         .attention = Eager,
                         .kind = AttentionKind::Eager,
                         .level = Level::Op,
                         .vocabulary = 24},
                    Case{.name = "operationsFewWords", .level = Level::Op, .vocabulary = 24},
                    Case{.name = "largeStep",
                         .batch = 1,
                         .optimizer = true,
                         .hasLargeStep = true,
                         .vocabulary = 6000},
                    Case{.name = "narrow", .isNarrow = true},
                    Case{.name = "narrowEager",
                         .isNarrow = true,
                         .attention = Eager,
                         .kind = AttentionKind::Eager},
                    Case{.name = "narrowFused",
                         .isNarrow = true,
                         .attention = SdpaFlash,
                         .kind = AttentionKind::Fused},
                    Case{.name = "narrowModules", .isNarrow = true, .level = Level::Module},
                    Case{.name = "wideHead", .isNarrow = true, .hasWideHead = true},
                    Case{.name = "wideResidual", .isNarrow = true, .hasWideResidual = true},
                    Case{.name = "wideResidualEager",
                         .isNarrow = true,
                         .attention = Eager,
                         .kind = AttentionKind::Eager,
                         .hasWideResidual = true}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace ulp::analysis
