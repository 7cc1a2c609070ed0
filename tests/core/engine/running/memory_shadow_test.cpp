// The plan of memory beside what the engine takes, counted on the CPU, where the same tensors live
// for the same time.

#include "core/analysis/studies/memory/memory_shadow.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/optimizer_rows.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/running/counting_allocator.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using engine::Capture;
using engine::RunRequest;
using numerics::NumberFormat;
using numerics::Operation;
using test::CountingAllocator;

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
  NumberFormat compute = NumberFormat::Float32;
  /// Operations whose format is another.
  std::vector<std::pair<Operation, NumberFormat>> others{};
  bool isStochastic = false;
  LossScale lossScale = LossScale::One;
  engine::Float8Products float8{};
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

numerics::FormatOverrides overridesOf(const Case& given) {
  numerics::FormatOverrides overrides;
  overrides[Operation::Compute] = given.compute;
  for (const auto& [operation, format] : given.others) {
    overrides[operation] = format;
  }
  return overrides;
}

RunFormats formatsOf(const Case& given) {
  RunFormats formats{.operations = numerics::resolveFormats(overridesOf(given), {})};
  formats.isStochastic = given.isStochastic;
  formats.lossScale = given.lossScale;
  formats.attention = given.kind;
  if (given.float8.scaling != engine::Float8Scaling::None) {
    formats.float8 = given.float8.kernel == engine::Float8Kernel::ScaledMm ? Float8Way::Kernel
                                                                           : Float8Way::Simulated;
    formats.scalesRows = given.float8.scaling == engine::Float8Scaling::Row;
  }
  return formats;
}

RunRequest requestOf(const Case& given) {
  RunRequest request;
  request.plan.formats = overridesOf(given);
  request.plan.rounding =
      given.isStochastic ? numerics::RoundingMode::Stochastic : numerics::RoundingMode::NearestEven;
  request.plan.float8 = given.float8;
  if (given.lossScale != LossScale::One) {
    request.plan.gradientScale =
        given.lossScale == LossScale::Fixed ? std::optional(1024.0) : std::nullopt;
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
                       .hasOptimizer = given.optimizer,
                       .roundsByOperations = false},
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
    const bool isStored = formats[Operation::Weights] == NumberFormat::Float32;
    const std::uint64_t weights = isStored ? 4 * parameterCount(outline) : 0;
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
    testing::Values(
        Case{.name = "plain"},
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
        Case{.name = "narrowOneLayer",
             .compute = NumberFormat::BFloat16,
             .vocabulary = 24,
             .layers = 1},
        Case{.name = "narrowOneLayerEager",
             .compute = NumberFormat::BFloat16,
             .attention = Eager,
             .kind = AttentionKind::Eager,
             .vocabulary = 24,
             .layers = 1},
        Case{.name = "narrowOneLayerFused",
             .compute = NumberFormat::BFloat16,
             .attention = SdpaFlash,
             .kind = AttentionKind::Fused,
             .vocabulary = 24,
             .layers = 1},
        Case{.name = "narrowOperations",
             .compute = NumberFormat::BFloat16,
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
        Case{.name = "narrow", .compute = NumberFormat::BFloat16},
        Case{.name = "narrowEager",
             .compute = NumberFormat::BFloat16,
             .attention = Eager,
             .kind = AttentionKind::Eager},
        Case{.name = "narrowFused",
             .compute = NumberFormat::BFloat16,
             .attention = SdpaFlash,
             .kind = AttentionKind::Fused},
        Case{.name = "narrowModules", .compute = NumberFormat::BFloat16, .level = Level::Module},
        Case{.name = "half", .compute = NumberFormat::Float16},
        Case{.name = "halfModules", .compute = NumberFormat::Float16, .level = Level::Module},
        Case{.name = "halfScaled", .compute = NumberFormat::Float16, .lossScale = LossScale::Fixed},
        Case{
            .name = "halfSought", .compute = NumberFormat::Float16, .lossScale = LossScale::Sought},
        Case{.name = "scaled", .lossScale = LossScale::Fixed},
        Case{.name = "wideHead",
             .compute = NumberFormat::BFloat16,
             .others = {{Operation::LmHead, NumberFormat::Float32}}},
        Case{.name = "wideResidual",
             .compute = NumberFormat::BFloat16,
             .others = {{Operation::Residual, NumberFormat::Float32}}},
        Case{.name = "wideResidualEager",
             .compute = NumberFormat::BFloat16,
             .others = {{Operation::Residual, NumberFormat::Float32}},
             .attention = Eager,
             .kind = AttentionKind::Eager}),
    [](const auto& each) { return each.param.name; });

constexpr engine::Float8Products float8(engine::Float8Scaling scaling,
                                        engine::Float8Kernel kernel) {
  engine::Float8Products products;
  products.scaling = scaling;
  products.kernel = kernel;
  return products;
}

/// On the CPU, which emulates the kernel in float32.
bool isSlow(const Case& given) {
  return given.float8.kernel == engine::Float8Kernel::ScaledMm;
}

/// Every format that rounds operands, at every level, with and without what autograd keeps.
std::vector<Case> roundedCases() {
  using enum engine::Float8Scaling;
  using engine::Float8Kernel;
  const std::vector<Case> formats{
      {.name = "tf32", .compute = NumberFormat::Tf32},
      {.name = "float8", .compute = NumberFormat::Float8E4M3FN},
      {.name = "mxfp8", .compute = NumberFormat::Mxfp8},
      {.name = "mxfp4", .compute = NumberFormat::Mxfp4},
      {.name = "nvfp4", .compute = NumberFormat::Nvfp4},
      {.name = "mxfp8Stochastic", .compute = NumberFormat::Mxfp8, .isStochastic = true},
      {.name = "bfloat16Stochastic", .compute = NumberFormat::BFloat16, .isStochastic = true},
      {.name = "mxfp8NarrowWeights",
       .compute = NumberFormat::Mxfp8,
       .others = {{Operation::Weights, NumberFormat::BFloat16}}},
      {.name = "float8Weights",
       .compute = NumberFormat::BFloat16,
       .others = {{Operation::Weights, NumberFormat::Float8E4M3FN}}},
      {.name = "mxfp8Alone",
       .compute = NumberFormat::Mxfp8,
       .others = {{Operation::Residual, NumberFormat::Float32},
                  {Operation::NormOutput, NumberFormat::Float32},
                  {Operation::Rotary, NumberFormat::Float32},
                  {Operation::Activation, NumberFormat::Float32},
                  {Operation::LmHead, NumberFormat::Float32},
                  {Operation::Gradient, NumberFormat::Float32}}},
      {.name = "scaledFloat8", .float8 = float8(Tensor, Float8Kernel::Simulated)},
      {.name = "scaledFloat8Rows", .float8 = float8(Row, Float8Kernel::Simulated)},
      {.name = "scaledFloat8Kernel", .float8 = float8(Tensor, Float8Kernel::ScaledMm)},
      {.name = "scaledFloat8KernelRows",
       .compute = NumberFormat::BFloat16,
       .float8 = float8(Row, Float8Kernel::ScaledMm)}};
  std::vector<Case> cases;
  for (const Case& format : formats) {
    const auto add = [&](const std::string& name, const auto& change) {
      Case one = format;
      one.name += name;
      change(one);
      cases.push_back(std::move(one));
    };
    for (const Level level : {Level::Layer, Level::Module, Level::Op}) {
      for (const bool backward : {true, false}) {
        add((backward ? "_" : "_forward_") + std::string(toString(level)), [&](Case& one) {
          one.level = level;
          one.backward = backward;
          // What autograd keeps of layers is more than the logits.
          one.vocabulary = 120;
        });
      }
    }
    if (isSlow(format)) {
      continue;
    }
    for (const AttentionKind kind : {AttentionKind::Eager, AttentionKind::Fused}) {
      const bool isEager = kind == AttentionKind::Eager;
      const std::string name = isEager ? "_eager" : "_fused";
      const auto choose = [kind, isEager](Case& one) {
        one.attention = isEager ? Eager : SdpaFlash;
        one.kind = kind;
      };
      add(name, choose);
      add(name + "Layer", [&](Case& one) {
        choose(one);
        one.vocabulary = 24;
        one.layers = 1;
      });
    }
    add("_noGradients", [](Case& one) { one.gradients = false; });
    add("_microBatches", [](Case& one) { one.microBatches = 2; });
    add("_optimizer", [](Case& one) { one.optimizer = true; });
    add("_untied", [](Case& one) { one.isTied = false; });
    add("_ungrouped", [](Case& one) { one.keyValueHeads = 4; });
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Rounded,
                         MemoryShadowBeside,
                         testing::ValuesIn(roundedCases()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace ulp::analysis
