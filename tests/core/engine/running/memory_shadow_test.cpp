#include "core/analysis/studies/memory/memory_shadow.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/optimizer_rows.h"
#include "core/base/text/regular_expression.h"
#include "core/study/reading/batch_settings.h"
#include "core/study/reading/site_formats.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/running/counting_allocator.h"
#include "tests/core/engine/running/memory_cases.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::test {
namespace {

using engine::Capture;
using engine::RunRequest;
using namespace analysis;

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

std::vector<LossKind> lossesOf(const MemoryCase& given) {
  std::vector<LossKind> losses;
  for (const engine::LossTerm& term : given.loss.terms) {
    losses.push_back(term.type == "cross_entropy" ? LossKind::CrossEntropy
                     : term.type == "z_loss"      ? LossKind::Softmax
                                                  : LossKind::Policy);
  }
  return losses;
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

/// On the CPU weights that are read in float32 are those that are stored.
std::uint64_t storedBytes(const ModelOutline& outline, const RunFormats& formats) {
  std::uint64_t bytes = 0;
  for (const OutlineSite& each : outlineSites(outline, {.level = Level::Layer, .length = 1})) {
    const std::string& name = each.site.name;
    const ModuleFormats own = formats.at(name.substr(0, name.rfind('.')));
    const auto isWide = [](NumberFormat format) {
      return numerics::carrierOf(format) == DType::Float64;
    };
    if (each.site.pass == Pass::ParameterGradient &&
        own.forward[Operation::Weights] == NumberFormat::Float32 &&
        !isWide(own.forward[Operation::Compute]) && !isWide(own.backward[Operation::Compute])) {
      bytes += 4 * each.count;
    }
  }
  return bytes;
}

numerics::FormatOverrides overridesOf(const MemoryCase& given) {
  numerics::FormatOverrides overrides;
  overrides[Operation::Compute] = given.compute;
  for (const auto& [operation, format] : given.others) {
    overrides[operation] = format;
  }
  return overrides;
}

bool fuses(const MemoryCase& given) {
  return given.fuses || given.semantics == engine::Semantics::FastLlm;
}

study::BatchSettings batchOf(const engine::BatchPlan& plan) {
  return {.among = plan.among,
          .place = plan.place,
          .padding = plan.padding,
          .isPaddedLeft = plan.side == engine::BatchPlan::Side::Left,
          .chunkLength = plan.chunkLength,
          .generatesInSteps = plan.prompt > 0,
          .cacheFormat = plan.cacheFormat};
}

}  // namespace

void PrintTo(const MemoryCase& given, std::ostream* out) {
  *out << given.name;
}

ModelOutline outlineOf(const MemoryCase& given) {
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

RunFormats formatsOf(const MemoryCase& given) {
  const bool isFastLlm = given.semantics == engine::Semantics::FastLlm;
  const numerics::KernelDefaults kernels{
      .fusedRotary = fuses(given), .fusedMlp = fuses(given), .wideGradients = isFastLlm};
  RunFormats formats{.operations = numerics::resolveFormats(overridesOf(given), kernels)};
  if (!given.rules.empty()) {
    formats.rules = study::FormatRules::compile(overridesOf(given), kernels, given.rules).value();
  }
  if (!given.float8.modules.empty()) {
    formats.float8Modules = RegularExpression::compile(given.float8.modules).value();
  }
  formats.isFastLlm = isFastLlm;
  formats.fusesNorms = fuses(given);
  formats.fusesRotation = fuses(given);
  formats.batch = batchOf(given.company);
  formats.hasMask = given.company.padding > 0 || !given.documents.empty();
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

RunRequest requestOf(const MemoryCase& given) {
  RunRequest request;
  request.plan.formats = overridesOf(given);
  request.plan.rounding =
      given.isStochastic ? numerics::RoundingMode::Stochastic : numerics::RoundingMode::NearestEven;
  request.plan.float8 = given.float8;
  if (given.lossScale != LossScale::One) {
    request.plan.gradientScale =
        given.lossScale == LossScale::Fixed ? std::optional(1024.0) : std::nullopt;
  }
  for (const study::PrecisionRule& rule : given.rules) {
    request.plan.rules.push_back(
        {rule.match, static_cast<engine::PrecisionRule::Passes>(rule.pass), rule.formats});
  }
  request.plan.semantics = given.semantics;
  if (fuses(given)) {
    request.plan.norm = engine::Kernel::Fused;
    request.plan.rotary = engine::Kernel::Fused;
    request.plan.mlp = engine::Kernel::Fused;
  }
  request.batch = given.company;
  request.plan.attention = given.attention;
  request.loss = given.loss;
  request.level = given.level;
  request.backward = given.backward;
  request.parameterGradients = given.gradients;
  request.optimizer = given.optimizer;
  for (std::uint64_t i = 0; i < given.microBatches; ++i) {
    request.microBatches.push_back(
        engine::sharedEngine()
            .randomTokens(given.vocabulary, given.batch, kMemoryLength, i)
            .value());
    engine::TokenBatch& tokens = request.microBatches.back();
    tokens.documents.lengths = given.documents;
    tokens.policy = {.advantages = std::vector<float>(tokens.ids.size(), 1),
                     .oldLogProbabilities = std::vector<float>(tokens.ids.size(), -2)};
  }
  return request;
}

TEST_P(MemoryShadowBeside, TheEngine) {
  const MemoryCase& given = GetParam();
  const ModelOutline outline = outlineOf(given);
  CountingAllocator& counter = CountingAllocator::get();
  TempDir folder;
  folder.write("config.json", configOf(outline));
  const auto captured = outlineSites(outline,
                                     {.level = given.level,
                                      .isEager = true,
                                      .backward = given.backward,
                                      .parameterGradients = given.gradients,
                                      .optimizer = engine::optimizerTensors(given.optimizer),
                                      .batch = given.batch,
                                      .length = kMemoryLength});
  const auto isCaptured = [&captured](Pass pass, std::string_view name) {
    return std::ranges::any_of(captured, [&](const OutlineSite& each) {
      const std::string& own = each.site.name;
      return each.site.pass == pass &&
             (pass == Pass::Optimizer ? own.substr(0, own.rfind('.')) == name : own == name);
    });
  };
  MemoryShadow shadow(
      outline,
      {.batch = given.batch,
       .length = kMemoryLength,
       .microBatches = given.microBatches,
       .backward = given.backward,
       .optimizer = {.type = static_cast<study::OptimizerSettings::Type>(given.optimizer.type),
                     .weightDecay = given.optimizer.weightDecay,
                     .momentum = given.optimizer.momentum},
       .prompt = given.company.prompt,
       .losses = lossesOf(given),
       .scalesLogits = given.loss.logitsScale != 1,
       .isOnCuda = false},
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
    const auto measured = static_cast<double>(counter.peak() + storedBytes(outline, formats));
    MemoryParts plan = isReference ? shadow.reference(formats) : shadow.variant(formats);
    plan.workspace -= blasWorkspace(given.backward);
    if (!isReference) {
      plan.captures -= shadow.keptBytes();
    }
    const auto planned = static_cast<double>(plan.total());
    EXPECT_NEAR(measured / planned, 1, 0.04)
        << (isReference ? "reference: " : "variant: ") << measured << " of " << planned;
  }
}

namespace {

using enum engine::AttentionImplementation;
INSTANTIATE_TEST_SUITE_P(
    Of,
    MemoryShadowBeside,
    testing::Values(
        MemoryCase{.name = "plain"},
        MemoryCase{.name = "eager", .attention = Eager, .kind = AttentionKind::Eager},
        MemoryCase{.name = "fused", .attention = SdpaFlash, .kind = AttentionKind::Fused},
        MemoryCase{.name = "oneSequence", .batch = 1},
        MemoryCase{.name = "modules", .level = Level::Module},
        MemoryCase{.name = "operations",
                   .attention = Eager,
                   .kind = AttentionKind::Eager,
                   .level = Level::Op},
        MemoryCase{.name = "microBatches", .microBatches = 2},
        MemoryCase{.name = "forward", .backward = false},
        MemoryCase{.name = "forwardModules",
                   .attention = Eager,
                   .kind = AttentionKind::Eager,
                   .level = Level::Op,
                   .backward = false},
        MemoryCase{.name = "noGradients", .gradients = false},
        MemoryCase{.name = "optimizer", .optimizer = kAdamW},
        MemoryCase{.name = "optimizerAlone", .gradients = false, .optimizer = kAdamW},
        MemoryCase{.name = "untied", .isTied = false},
        MemoryCase{.name = "ungrouped", .keyValueHeads = 4},
        MemoryCase{.name = "fewWords", .vocabulary = 24},
        MemoryCase{.name = "fewWordsEager",
                   .attention = Eager,
                   .kind = AttentionKind::Eager,
                   .vocabulary = 24},
        MemoryCase{.name = "fewWordsFused",
                   .attention = SdpaFlash,
                   .kind = AttentionKind::Fused,
                   .vocabulary = 24},
        MemoryCase{.name = "wideProduct",
                   .attention = SdpaFlash,
                   .kind = AttentionKind::Fused,
                   .vocabulary = 24,
                   .intermediate = 1000},
        MemoryCase{.name = "oneLayer", .vocabulary = 24, .layers = 1},
        MemoryCase{.name = "oneLayerEager",
                   .attention = Eager,
                   .kind = AttentionKind::Eager,
                   .vocabulary = 24,
                   .layers = 1},
        MemoryCase{.name = "oneLayerFused",
                   .attention = SdpaFlash,
                   .kind = AttentionKind::Fused,
                   .vocabulary = 24,
                   .layers = 1},
        MemoryCase{.name = "narrowOneLayer",
                   .compute = NumberFormat::BFloat16,
                   .vocabulary = 24,
                   .layers = 1},
        MemoryCase{.name = "narrowOneLayerEager",
                   .compute = NumberFormat::BFloat16,
                   .attention = Eager,
                   .kind = AttentionKind::Eager,
                   .vocabulary = 24,
                   .layers = 1},
        MemoryCase{.name = "narrowOneLayerFused",
                   .compute = NumberFormat::BFloat16,
                   .attention = SdpaFlash,
                   .kind = AttentionKind::Fused,
                   .vocabulary = 24,
                   .layers = 1},
        MemoryCase{.name = "narrowOperations",
                   .compute = NumberFormat::BFloat16,
                   .attention = Eager,
                   .kind = AttentionKind::Eager,
                   .level = Level::Op,
                   .vocabulary = 24},
        MemoryCase{.name = "operationsFewWords", .level = Level::Op, .vocabulary = 24},
        MemoryCase{.name = "narrow", .compute = NumberFormat::BFloat16},
        MemoryCase{.name = "narrowEager",
                   .compute = NumberFormat::BFloat16,
                   .attention = Eager,
                   .kind = AttentionKind::Eager},
        MemoryCase{.name = "narrowFused",
                   .compute = NumberFormat::BFloat16,
                   .attention = SdpaFlash,
                   .kind = AttentionKind::Fused},
        MemoryCase{
            .name = "narrowModules", .compute = NumberFormat::BFloat16, .level = Level::Module},
        MemoryCase{.name = "half", .compute = NumberFormat::Float16},
        MemoryCase{.name = "halfModules", .compute = NumberFormat::Float16, .level = Level::Module},
        MemoryCase{
            .name = "halfScaled", .compute = NumberFormat::Float16, .lossScale = LossScale::Fixed},
        MemoryCase{
            .name = "halfSought", .compute = NumberFormat::Float16, .lossScale = LossScale::Sought},
        MemoryCase{.name = "scaled", .lossScale = LossScale::Fixed},
        MemoryCase{.name = "wideHead",
                   .compute = NumberFormat::BFloat16,
                   .others = {{Operation::LmHead, NumberFormat::Float32}}},
        MemoryCase{.name = "wideResidual",
                   .compute = NumberFormat::BFloat16,
                   .others = {{Operation::Residual, NumberFormat::Float32}}},
        MemoryCase{.name = "wideResidualEager",
                   .compute = NumberFormat::BFloat16,
                   .others = {{Operation::Residual, NumberFormat::Float32}},
                   .attention = Eager,
                   .kind = AttentionKind::Eager}),
    [](const auto& each) { return each.param.name; });

/// Of a vocabulary whose step takes more than the passes.
std::vector<MemoryCase> largeSteps() {
  using enum engine::OptimizerPlan::Type;
  using enum NumberFormat;
  std::vector<MemoryCase> cases{
      {.name = "adamW", .optimizer = kAdamW},
      {.name = "adamWWithoutDecay", .optimizer = {.type = AdamW, .weightDecay = 0}},
      {.name = "adamWOfNarrowState",
       .others = {{Operation::Optimizer, BFloat16}},
       .optimizer = kAdamW},
      {.name = "adamWOfFloat64", .others = {{Operation::Optimizer, Float64}}, .optimizer = kAdamW},
      {.name = "adamWOfSimulatedState",
       .others = {{Operation::Optimizer, Float8E4M3FN}},
       .optimizer = kAdamW},
      {.name = "adamWOfNarrowWeights", .compute = BFloat16, .optimizer = kAdamW},
      {.name = "sgd", .optimizer = {.type = Sgd, .weightDecay = 0}},
      {.name = "sgdWithDecay", .optimizer = {.type = Sgd}},
      {.name = "sgdOfMomentum", .optimizer = {.type = Sgd, .momentum = 0.9}},
      {.name = "sgdOfNarrowMomentum",
       .others = {{Operation::Optimizer, BFloat16}},
       .optimizer = {.type = Sgd, .momentum = 0.9}},
  };
  for (MemoryCase& each : cases) {
    each.batch = 1;
    each.vocabulary = 6000;
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(LargeStep,
                         MemoryShadowBeside,
                         testing::ValuesIn(largeSteps()),
                         [](const auto& each) { return each.param.name; });

/// On the CPU, which emulates the kernel in float32.
bool isSlow(const MemoryCase& given) {
  return given.float8.kernel == engine::Float8Kernel::ScaledMm;
}

/// Every format that rounds operands, at every level, with and without what autograd keeps.
std::vector<MemoryCase> roundedCases() {
  using enum engine::Float8Scaling;
  using engine::Float8Kernel;
  const std::vector<MemoryCase> formats{
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
  std::vector<MemoryCase> cases;
  for (const MemoryCase& format : formats) {
    const auto add = [&](const std::string& name, const auto& change) {
      MemoryCase one = format;
      one.name += name;
      change(one);
      cases.push_back(std::move(one));
    };
    for (const Level level : {Level::Layer, Level::Module, Level::Op}) {
      for (const bool backward : {true, false}) {
        add((backward ? "_" : "_forward_") + std::string(toString(level)), [&](MemoryCase& one) {
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
      const auto choose = [kind, isEager](MemoryCase& one) {
        one.attention = isEager ? Eager : SdpaFlash;
        one.kind = kind;
      };
      add(name, choose);
      add(name + "Layer", [&](MemoryCase& one) {
        choose(one);
        one.vocabulary = 24;
        one.layers = 1;
      });
    }
    add("_noGradients", [](MemoryCase& one) { one.gradients = false; });
    add("_microBatches", [](MemoryCase& one) { one.microBatches = 2; });
    add("_optimizer", [](MemoryCase& one) { one.optimizer = kAdamW; });
    add("_untied", [](MemoryCase& one) { one.isTied = false; });
    add("_ungrouped", [](MemoryCase& one) { one.keyValueHeads = 4; });
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Rounded,
                         MemoryShadowBeside,
                         testing::ValuesIn(roundedCases()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace ulp::test
