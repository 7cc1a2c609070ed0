#include "core/engine/running/training_step.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "core/engine/batches/piecewise_pass.h"
#include "core/engine/precision/pass_formats.h"

namespace ulp::engine {
namespace {

using numerics::Operation;

// Of the sequences of the micro-batch alone, whatever went through the network with them.
const Row kLogits{"logits", "lm_head", -1, Level::Layer, Axes::Whole};
const Row kLoss{"loss", "", -1, Level::Layer, Axes::Whole};

at::Tensor announced(const ForwardPass& pass, at::Tensor logits) {
  pass.probe.totalGradient(kLogits, logits);
  pass.probe.output(kLogits, logits);
  return logits;
}

Result<> checkShape(const TokenBatch& tokens) {
  const std::size_t count = tokens.ids.size();
  const bool isSane = tokens.batch >= 1 && tokens.length >= 1;
  const auto rows = static_cast<std::size_t>(isSane ? tokens.batch : 1);
  if (!isSane || count % rows != 0 || count / rows != static_cast<std::size_t>(tokens.length) + 1) {
    return fail(ErrorCode::InvalidArgument,
                "input: " + std::to_string(count) + " tokens are not " +
                    std::to_string(tokens.batch) + " x (" + std::to_string(tokens.length) +
                    " + 1)");
  }
  for (const auto* numbers : {&tokens.policy.advantages, &tokens.policy.oldLogProbabilities}) {
    if (!numbers->empty() && numbers->size() != count) {
      return fail(ErrorCode::InvalidArgument,
                  "loss: " + std::to_string(numbers->size()) +
                      " advantages or old log-probabilities for " + std::to_string(count) +
                      " tokens");
    }
  }
  return {};
}

Result<> checkVocabulary(const TokenBatch& tokens, std::int64_t vocabularySize) {
  const std::int64_t width = tokens.length + 1;
  const std::int64_t present = width - tokens.documents.padding;
  for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
    const std::int64_t id = tokens.ids[i];
    const bool isPadding = static_cast<std::int64_t>(i) % width >= present;
    if (!isPadding && (id < 0 || id >= vocabularySize)) {
      return fail(ErrorCode::InvalidArgument,
                  "input: token " + std::to_string(id) + " at position " + std::to_string(i) +
                      " lies outside the vocabulary of " + std::to_string(vocabularySize));
    }
  }
  return {};
}

}  // namespace

Result<StepInput> stepInput(const RunRequest& request, std::int64_t vocabularySize) {
  if (request.microBatches.empty()) {
    return fail(ErrorCode::InvalidArgument, "tokens: a step has at least one micro-batch");
  }
  StepInput input{.batches = request.microBatches};
  for (const TokenBatch& tokens : input.batches) {
    ULP_TRY(checkShape(tokens));
    ULP_TRY(checkBatch(request.batch, tokens, request.plan.semantics));
    auto layout = ULP_TRY(layOutLabels(tokens));
    ULP_TRY(checkVocabulary(tokens, vocabularySize));
    input.totals.labels += layout.labelTotal;
    input.totals.documents += layout.documents;
    input.layouts.push_back(std::move(layout));
  }
  input.totals.microBatches = static_cast<std::int64_t>(input.batches.size());
  return input;
}

Result<StepLoss> makeStepLoss(const LossRegistry& registry,
                              const LossPlan& plan,
                              const StepInput& input,
                              CrossEntropyKernel crossEntropy) {
  auto loss = StepLoss::create(registry, plan, input.totals, crossEntropy);
  const bool hasPolicy = std::ranges::all_of(input.batches, [](const TokenBatch& tokens) {
    return !tokens.policy.advantages.empty() && !tokens.policy.oldLogProbabilities.empty();
  });
  if (loss && loss->needsPolicy() && !hasPolicy) {
    return fail(ErrorCode::InvalidArgument,
                "loss: grpo and gspo need advantages and old log-probabilities of every token");
  }
  return loss;
}

MicroBatch microBatchOn(const BatchPlan& plan,
                        const TokenBatch& tokens,
                        const LabelLayout& layout,
                        const Numerics& numerics,
                        const NetworkFacts& facts) {
  MicroBatch batch;
  batch.input = wideBatch(plan, tokens, layout, numerics, facts);
  const at::ScalarType math = numerics.at(kLossModule).forward.type(Operation::Loss);
  batch.labels = labelsOn(tokens, layout, numerics.devices().last(), math);
  return batch;
}

at::Tensor forward(const ForwardPass& pass,
                   const Network& network,
                   const MicroBatch& batch,
                   StepLoss& loss) {
  const at::Tensor logits = announced(pass, comparedLogits(pass, network, batch.input));
  const auto isRecorded = std::make_shared<bool>(false);
  const std::optional<double> atOnce = pass.hasBackward ? std::optional(1.0) : std::nullopt;
  const auto lossOf = [&loss, &batch, isRecorded, atOnce](const std::vector<at::Tensor>& in,
                                                          const PassFormats& formats) {
    const auto evaluate = [&loss, &batch, formats, logits = in[0].detach()](
                              std::optional<double> gradientScale) {
      const at::Tensor read = formats.to(logits, Operation::Loss).reshape({-1, logits.size(-1)});
      const Labels labels = labelsIn(batch.labels, read.scalar_type());
      return loss.evaluate(read, labels, logits.scalar_type(), gradientScale);
    };
    const LossEvaluation evaluation = evaluate(atOnce);
    if (!*isRecorded) {
      loss.record(evaluation, batch.labels);
      *isRecorded = true;
    }
    const auto gradientAt =
        [evaluate, atOne = evaluation.gradient, shape = in[0].sizes().vec()](double gradientScale) {
          return (gradientScale == 1 ? atOne : evaluate(gradientScale).gradient).view(shape);
        };
    return attachLoss(in[0], evaluation.value, gradientAt);
  };
  at::Tensor value = inFormats(pass.numerics.at(kLossModule), {logits}, lossOf);
  if (pass.isLast) {
    pass.probe.output(kLoss, loss.value());
  }
  return value;
}

void announceRows(const ForwardPass& pass, const Network& network) {
  const at::Tensor ids = at::zeros({1, 1}, at::TensorOptions().dtype(at::kLong));
  const at::Tensor logits = announced(pass, network.logits(pass, ids));
  pass.probe.output(kLoss, logits.sum());
}

}  // namespace ulp::engine
