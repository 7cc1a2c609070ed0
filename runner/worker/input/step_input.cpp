#include "runner/worker/input/step_input.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "runner/worker/input/token_input.h"

namespace ulp::worker {
namespace {

using engine::TokenBatch;

std::int64_t documentsOf(const study::StepSettings& step, std::int64_t microBatch) {
  if (step.documents.empty()) {
    return 1;
  }
  const auto index = static_cast<std::size_t>(microBatch) % step.documents.size();
  return static_cast<std::int64_t>(step.documents[index].size());
}

engine::DocumentLayout layoutOf(const study::StepSettings& step, std::size_t microBatch) {
  engine::DocumentLayout layout{.padding = step.padding, .unlabelled = step.unlabelled};
  if (!step.documents.empty()) {
    layout.lengths = step.documents[microBatch % step.documents.size()];
  }
  return layout;
}

bool isSplit(const study::StepSettings& step) {
  return step.microBatches > 1 || step.docsPerStep > 0;
}

/// How the sequences of a study divide into steps.
struct Division {
  std::int64_t perMicroBatch = 0;  ///< 0: all of a token file
  std::int64_t microBatches = 1;   ///< of a step
  std::int64_t samples = 1;

  [[nodiscard]] std::int64_t perStep() const { return perMicroBatch * microBatches; }
};

Division divisionOf(const study::Study& study) {
  const bool isFile = study.inputSource == study::InputSource::Tokens;
  Division division{.perMicroBatch = study.microBatchSize};
  if (isSplit(study.step)) {
    division.perMicroBatch = std::max<std::int64_t>(study.microBatchSize, 1);
    division.microBatches = microBatchCount(study.step, division.perMicroBatch);
  } else if (!isFile) {
    division.perMicroBatch = std::max<std::int64_t>(study.microBatchSize, 1);
  }
  if (study.sequences > 0 && division.perMicroBatch > 0) {
    division.samples = study.sequences / division.perStep();
  }
  return division;
}

/// What is left of input.sequences would be dropped.
Result<> checkSequences(const study::Study& study, const Division& division) {
  const std::int64_t perStep = division.perStep();
  if (study.sequences == 0 || perStep == 0 ||
      (study.sequences % perStep == 0 && division.samples > 0)) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("input.sequences: {}, but a sample takes {}: {} micro-batches of "
                          "input.micro_batch_size {}; make it a multiple of that, or change "
                          "schedule.micro_batches",
                          study.sequences,
                          perStep,
                          division.microBatches,
                          division.perMicroBatch));
}

/// The sequences of all samples as one batch.
Result<InputTokens> loadSequences(const study::Study& study,
                                  const Division& division,
                                  std::int64_t vocabularySize,
                                  engine::Engine& engine) {
  ULP_TRY(checkSequences(study, division));
  study::Study all = study;
  const bool isFile = study.inputSource == study::InputSource::Tokens;
  const std::int64_t wanted =
      division.perStep() > 0 ? division.perStep() * division.samples : study.sequences;
  if (!isFile) {
    all.microBatchSize = division.perStep();
    all.sequences = wanted;
  } else if (isSplit(study.step) || study.sequences > 0) {
    // The whole file is read, and its first sequences are taken.
    all.microBatchSize = 0;
    all.sequences = 0;
  }
  auto loaded = loadTokens(all, vocabularySize, engine);
  if (!loaded) {
    return loaded;
  }
  if (loaded->tokens.batch < wanted) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds {} sequences, but the study needs {}; lower "
                            "input.sequences or schedule.micro_batches",
                            study.inputPath.string(),
                            loaded->tokens.batch,
                            wanted));
  }
  return loaded;
}

TokenBatch rowsOf(const TokenBatch& all, std::int64_t first, std::int64_t count) {
  const std::int64_t width = all.length + 1;
  const auto begin = all.ids.begin() + first * width;
  return {.ids = {begin, begin + count * width}, .batch = count, .length = all.length};
}

Result<> checkDocuments(const TokenBatch& tokens) {
  const engine::DocumentLayout& layout = tokens.documents;
  const std::int64_t total =
      std::accumulate(layout.lengths.begin(), layout.lengths.end(), layout.padding);
  if (layout.lengths.empty() || total == tokens.length + 1) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("input.documents: documents and padding add up to {} tokens, but a "
                          "sequence of this input has {}",
                          total,
                          tokens.length + 1));
}

/// One number for each document of a micro-batch, given to all of its tokens; padding gets none.
std::vector<float> overTokens(const TokenBatch& tokens, const float* perDocument) {
  const std::int64_t present = tokens.length + 1 - tokens.documents.padding;
  std::vector<std::int64_t> lengths = tokens.documents.lengths;
  if (lengths.empty()) {
    lengths.push_back(present);
  }
  std::vector<float> values;
  values.reserve(tokens.ids.size());
  for (std::int64_t row = 0; row < tokens.batch; ++row) {
    for (const std::int64_t length : lengths) {
      values.insert(values.end(), static_cast<std::size_t>(length), *perDocument++);
    }
    values.insert(values.end(), static_cast<std::size_t>(tokens.documents.padding), 0.0F);
  }
  return values;
}

Result<> drawAdvantages(const study::LossSettings& loss,
                        std::vector<TokenBatch>& batches,
                        engine::Engine& engine) {
  std::int64_t documents = 0;
  for (const TokenBatch& tokens : batches) {
    documents += tokens.documents.documents() * tokens.batch;
  }
  const auto drawn = ULP_TRY(engine.randomNormals(documents, loss.seed));
  const float* next = drawn.data();
  for (TokenBatch& tokens : batches) {
    tokens.policy.advantages = overTokens(tokens, next);
    next += tokens.documents.documents() * tokens.batch;
  }
  return {};
}

/// Noise that is added to what the reference will compute.
Result<> drawNoise(const study::LossSettings& loss,
                   std::vector<TokenBatch>& batches,
                   engine::Engine& engine) {
  std::size_t count = 0;
  for (const TokenBatch& tokens : batches) {
    count += tokens.ids.size();
  }
  const auto drawn = ULP_TRY(engine.randomNormals(static_cast<std::int64_t>(count), loss.seed + 1));
  const auto scale = static_cast<float>(loss.oldNoise);
  auto next = drawn.begin();
  for (TokenBatch& tokens : batches) {
    tokens.policy.oldIsOwn = true;
    for (std::size_t token = 0; token < tokens.ids.size(); ++token) {
      tokens.policy.oldLogProbabilities.push_back(scale * *next++);
    }
  }
  return {};
}

using Numbers = std::vector<float> engine::PolicyData::*;

/// Gives each batch its rows of a tensor.
Result<> fill(const tensors::TensorArchive& file,
              std::string_view name,
              Numbers numbers,
              const std::vector<TokenBatch*>& batches) {
  const auto stored = ULP_TRY(file.read(name));
  std::int64_t sequences = 0;
  for (const TokenBatch* tokens : batches) {
    sequences += tokens->batch;
  }
  const std::int64_t width = batches.front()->length + 1;
  const std::vector<std::int64_t>& shape = stored.view.shape;
  const std::int64_t rows = shape.size() == 2 ? shape.front() : 1;
  const bool isFloat = stored.view.dtype == DType::Float32;
  if (!isFloat || shape.empty() || shape.size() > 2 || shape.back() != width || rows < sequences) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {}: is {} [{}], but the step needs float32 [{}, {}], one number "
                            "for each token",
                            file.path().string(),
                            name,
                            toString(stored.view.dtype),
                            fmt::join(shape, ", "),
                            sequences,
                            width));
  }
  const auto* next = static_cast<const float*>(stored.view.data);
  for (TokenBatch* tokens : batches) {
    const std::size_t count = tokens->ids.size();
    (tokens->policy.*numbers).assign(next, next + count);
    next += count;
  }
  return tensors::checkIntact(stored);
}

/// Fills what of the policy data `loss` takes from loss.path: `advantages` and
/// `old_log_probabilities`, float32 [sequences, T+1], the sequences of all micro-batches of all
/// samples in order; a file may hold more sequences. Errors: those of openSafetensors();
/// InvalidArgument (a tensor is missing, has another shape or type).
Result<> readPolicyFile(const study::LossSettings& loss, const std::vector<TokenBatch*>& batches) {
  const auto file = ULP_TRY(tensors::openSafetensors(loss.path));
  if (loss.advantages == study::AdvantageSource::File) {
    ULP_TRY(fill(*file, "advantages", &engine::PolicyData::advantages, batches));
  }
  if (loss.old == study::OldLogProbabilities::File) {
    return fill(*file, "old_log_probabilities", &engine::PolicyData::oldLogProbabilities, batches);
  }
  return {};
}

/// What a sample draws; a file is read for all samples at once.
Result<> drawPolicy(const study::LossSettings& loss,
                    std::vector<TokenBatch>& batches,
                    engine::Engine& engine) {
  if (loss.advantages == study::AdvantageSource::Normal) {
    ULP_TRY(drawAdvantages(loss, batches, engine));
  }
  if (loss.old == study::OldLogProbabilities::Reference) {
    return drawNoise(loss, batches, engine);
  }
  if (loss.old == study::OldLogProbabilities::Zeros) {
    for (TokenBatch& tokens : batches) {
      tokens.policy.oldLogProbabilities.assign(tokens.ids.size(), 0.0F);
    }
  }
  return {};
}

Result<> fillPolicy(study::LossSettings loss,
                    std::vector<MicroBatches>& samples,
                    engine::Engine& engine) {
  if (loss.readsFile()) {
    std::vector<TokenBatch*> all;
    for (MicroBatches& batches : samples) {
      for (TokenBatch& tokens : batches) {
        all.push_back(&tokens);
      }
    }
    ULP_TRY(readPolicyFile(loss, all));
  }
  for (MicroBatches& batches : samples) {
    ULP_TRY(drawPolicy(loss, batches, engine));
    loss.seed += 2;  // the noise is drawn with the seed after that of the advantages
  }
  return {};
}

engine::LossPlan lossPlan(const study::LossSettings& loss) {
  engine::LossPlan plan{.terms = {}, .logitsScale = loss.logitsScale};
  for (const study::LossTermSetting& term : loss.terms) {
    plan.terms.push_back({.type = term.type,
                          .weight = term.weight,
                          .epsilonLow = term.epsilonLow,
                          .epsilonHigh = term.epsilonHigh});
  }
  return plan;
}

}  // namespace

std::int64_t microBatchCount(const study::StepSettings& step, std::int64_t sequences) {
  if (step.docsPerStep == 0) {
    return step.microBatches;
  }
  std::int64_t count = 0;
  for (std::int64_t documents = 0; documents < step.docsPerStep; ++count) {
    documents += documentsOf(step, count) * sequences;
  }
  return count;
}

std::int64_t sampleCount(const study::Study& study) {
  return std::max<std::int64_t>(divisionOf(study).samples, 1);
}

Result<StepInput> loadStep(const study::Study& study,
                           std::int64_t vocabularySize,
                           engine::Engine& engine) {
  Division division = divisionOf(study);
  auto loaded = ULP_TRY(loadSequences(study, division, vocabularySize, engine));
  const TokenBatch& all = loaded.tokens;
  if (division.perMicroBatch == 0) {
    division.perMicroBatch = study.sequences > 0 ? study.sequences : all.batch;
  }
  StepInput input;
  input.description = std::move(loaded.description);
  input.loss = lossPlan(study.loss);
  std::int64_t next = 0;
  for (std::int64_t sample = 0; sample < division.samples; ++sample) {
    MicroBatches& batches = input.samples.emplace_back();
    for (std::int64_t i = 0; i < division.microBatches; ++i) {
      TokenBatch tokens = rowsOf(all, next, division.perMicroBatch);
      next += division.perMicroBatch;
      tokens.documents = layoutOf(study.step, static_cast<std::size_t>(i));
      ULP_TRY(checkDocuments(tokens));
      batches.push_back(std::move(tokens));
    }
  }
  input.tokenDigest = ULP_TRY(tokenDigest(rowsOf(all, 0, next)));
  if (study.loss.needsPolicy()) {
    ULP_TRY(fillPolicy(study.loss, input.samples, engine));
  }
  return input;
}

Result<std::string> tokenDigest(const std::vector<MicroBatches>& samples) {
  TokenBatch all{.batch = 0};
  for (const MicroBatches& sample : samples) {
    for (const TokenBatch& tokens : sample) {
      all.ids.insert(all.ids.end(), tokens.ids.begin(), tokens.ids.end());
      all.batch += tokens.batch;
      all.length = tokens.length;
    }
  }
  return tokenDigest(all);
}

void takeOldLogProbabilities(std::vector<TokenBatch>& microBatches,
                             const engine::TokenOutcome& outcome) {
  auto own = outcome.logProbabilities.begin();
  for (TokenBatch& tokens : microBatches) {
    if (!tokens.policy.oldIsOwn) {
      return;  // then that of no micro-batch is
    }
    const auto width = static_cast<std::size_t>(tokens.length) + 1;
    for (std::size_t token = 0; token < tokens.ids.size(); ++token) {
      // Position t says what it gave to token t + 1.
      if (token % width != 0) {
        float& old = tokens.policy.oldLogProbabilities[token];
        old = static_cast<float>(*own++) + old;
      }
    }
    tokens.policy.oldIsOwn = false;
  }
}

}  // namespace ulp::worker
