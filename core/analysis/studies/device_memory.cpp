#include "core/analysis/studies/device_memory.h"

#include <algorithm>

namespace ulp::analysis {

namespace {

/// The workspace of cuBLAS.
constexpr std::uint64_t kLibraries = std::uint64_t{32} << 20;
/// Statistics of norms, softmax and losses.
constexpr std::uint64_t kWide = 4;
/// Tensors that the step of an optimizer on one parameter makes, in float32.
constexpr std::uint64_t kOptimizerTensors = 8;

std::uint64_t natural(std::int64_t count) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

/// What autograd keeps of a norm, for one token: the input in the format of the statistics, the
/// result before and behind the weight.
std::uint64_t normBytes(const ModelOutline& model, const RunFormats& formats) {
  const std::uint64_t wide = std::max(kWide, formats.compute);
  return natural(model.hidden) * (wide + 2 * formats.compute);
}

/// Of the attention: queries, keys and values as the kernel reads them, its result twice, and,
/// where it keeps its scores, keys and values of each head, scores and softmax.
std::uint64_t attentionBytes(const ModelOutline& model,
                             const StepShape& step,
                             const RunFormats& formats) {
  const std::uint64_t heads = natural(model.heads);
  const std::uint64_t size = natural(model.headSize);
  const std::uint64_t rows =
      (3 * heads + 2 * natural(model.keyValueHeads) + (formats.keepsScores ? 2 * heads : 0)) * size;
  const std::uint64_t softmax = std::max(kWide, formats.compute);
  const std::uint64_t cast = formats.compute < kWide ? formats.compute : 0;
  const std::uint64_t scores =
      formats.keepsScores ? heads * natural(step.length) * (softmax + cast) : 0;
  return rows * formats.compute + scores;
}

/// Of the gated product: gate, activation, up and what goes down.
std::uint64_t mlpBytes(const ModelOutline& model, const RunFormats& formats) {
  return 4 * natural(model.intermediate) * formats.compute;
}

/// Logits, and what the loss makes of them on the way to their gradient.
std::uint64_t lossBytes(const ModelOutline& model,
                        const StepShape& step,
                        const RunFormats& formats) {
  const std::uint64_t wide = std::max(kWide, formats.head);
  const std::uint64_t perLogit =
      step.backward ? 2 * formats.head + 3 * wide : formats.head + 2 * wide;
  return natural(model.vocabulary) * perLogit;
}

}  // namespace

MemoryParts deviceMemory(const ModelOutline& model,
                         const StepShape& step,
                         const RunFormats& formats) {
  const std::uint64_t compared = natural(step.batch * step.length);
  const auto tokens = static_cast<std::uint64_t>(static_cast<double>(compared) * formats.positions);
  const std::uint64_t parameters = parameterCount(model);
  const std::uint64_t embedding = natural(model.vocabulary) * natural(model.hidden);
  MemoryParts memory;
  memory.weights = parameters * formats.compute;
  memory.weights += formats.head > formats.compute ? embedding * formats.head : 0;
  const bool hasGradients = step.backward && step.hasParameterGradients;
  const std::uint64_t buffers = step.microBatches > 1 ? 2 : 1;
  memory.gradients = hasGradients ? buffers * parameters * formats.compute : 0;
  const std::uint64_t layer = 2 * normBytes(model, formats) + attentionBytes(model, step, formats) +
                              mlpBytes(model, formats);
  const std::uint64_t layers = step.backward ? natural(model.layers) : 1;
  memory.activations = tokens * (layers * layer + normBytes(model, formats));
  // The loss is that of the compared positions; the head is computed on the others, too.
  const std::uint64_t beside = (tokens - compared) * natural(model.vocabulary) * formats.head;
  const std::uint64_t loss =
      compared * lossBytes(model, step, formats) + beside * (step.backward ? 2 : 1);
  const std::uint64_t optimizer = step.hasOptimizer ? kOptimizerTensors * kWide * embedding : 0;
  memory.workspace = kLibraries + std::max(loss, optimizer);
  return memory;
}

std::map<std::string, MemoryParts, std::less<>> deviceMemoryOfRuns(const ModelOutline& model,
                                                                   const study::Study& study) {
  if (study.positions() <= 0 || study.microBatchSize <= 0) {
    return {};
  }
  const bool hasOptimizer = !study.optimizer.rows().empty();
  const StepShape step{.batch = study.microBatchSize,
                       .length = study.positions(),
                       .microBatches = static_cast<std::uint64_t>(
                           std::max<std::int64_t>(study.step.microBatches, 1)),
                       .backward = study.captureBackward,
                       .hasParameterGradients = study.captureParameterGradients || hasOptimizer,
                       .hasOptimizer = hasOptimizer};
  std::map<std::string, MemoryParts, std::less<>> runs;
  for (const RunFormats& formats : runFormats(study, true)) {
    runs.emplace(formats.run, deviceMemory(model, step, formats));
  }
  return runs;
}

std::optional<MemoryParts> deviceMemory(const ModelOutline& model, const study::Study& study) {
  std::optional<MemoryParts> most;
  for (const auto& [run, memory] : deviceMemoryOfRuns(model, study)) {
    most = !most || memory.total() > most->total() ? memory : most;
  }
  return most;
}

}  // namespace ulp::analysis
