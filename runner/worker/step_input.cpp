#include "runner/worker/step_input.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "runner/worker/policy_file.h"
#include "runner/worker/token_input.h"

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

/// The sequences of the whole step, and how many each micro-batch has.
struct Sequences {
  TokenBatch tokens;
  std::string description;
  std::int64_t perMicroBatch = 1;
  std::int64_t microBatches = 1;
};

/// A step takes all of its sequences at once; what is left of input.sequences would be dropped.
Result<> checkSequences(const study::Study& study, std::int64_t perMicroBatch, std::int64_t count) {
  if (study.sequences == 0 || study.sequences == perMicroBatch * count) {
    return {};
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("input.sequences: {}, but the step takes {}: {} micro-batches of "
                          "input.micro_batch_size {}; make them equal, or set "
                          "schedule.micro_batches",
                          study.sequences,
                          perMicroBatch * count,
                          count,
                          perMicroBatch));
}

Result<Sequences> loadSequences(const study::Study& study,
                                std::int64_t vocabularySize,
                                engine::Engine& engine) {
  const bool split = isSplit(study.step);
  study::Study all = study;
  const bool isFile = study.inputSource == study::InputSource::Tokens;
  std::int64_t perMicroBatch = std::max<std::int64_t>(study.microBatchSize, 1);
  const std::int64_t count = split ? microBatchCount(study.step, perMicroBatch) : 1;
  if (split || !isFile) {
    if (auto checked = checkSequences(study, perMicroBatch, count); !checked) {
      return tl::unexpected(std::move(checked.error()));
    }
  }
  if (split) {
    all.microBatchSize = isFile ? 0 : perMicroBatch * count;
    all.sequences = 0;
  }
  auto loaded = loadTokens(all, vocabularySize, engine);
  if (!loaded) {
    return tl::unexpected(std::move(loaded.error()));
  }
  TokenBatch& tokens = loaded->batches.front();
  if (loaded->batches.size() > 1) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: holds {} micro-batches of {} sequences, but the step takes one; "
                            "set schedule.micro_batches",
                            study.inputPath.string(),
                            loaded->batches.size(),
                            tokens.batch));
  }
  if (!split) {
    perMicroBatch = tokens.batch;
  } else if (tokens.batch < perMicroBatch * count) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds {} sequences, but the step needs {} micro-batches of {}",
                            study.inputPath.string(),
                            tokens.batch,
                            count,
                            perMicroBatch));
  }
  return Sequences{std::move(tokens), std::move(loaded->description), perMicroBatch, count};
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
  const auto drawn = engine.randomNormals(documents, loss.seed);
  if (!drawn) {
    return tl::unexpected(drawn.error());
  }
  const float* next = drawn->data();
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
  const auto drawn = engine.randomNormals(static_cast<std::int64_t>(count), loss.seed + 1);
  if (!drawn) {
    return tl::unexpected(drawn.error());
  }
  const auto scale = static_cast<float>(loss.oldNoise);
  auto next = drawn->begin();
  for (TokenBatch& tokens : batches) {
    tokens.policy.oldIsOwn = true;
    for (std::size_t token = 0; token < tokens.ids.size(); ++token) {
      tokens.policy.oldLogProbabilities.push_back(scale * *next++);
    }
  }
  return {};
}

Result<> fillPolicy(const study::LossSettings& loss,
                    std::vector<TokenBatch>& batches,
                    engine::Engine& engine) {
  if (loss.readsFile()) {
    if (auto read = readPolicyFile(loss, batches); !read) {
      return read;
    }
  }
  if (loss.advantages == study::AdvantageSource::Normal) {
    if (auto drawn = drawAdvantages(loss, batches, engine); !drawn) {
      return drawn;
    }
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

Result<StepInput> loadStep(const study::Study& study,
                           std::int64_t vocabularySize,
                           engine::Engine& engine) {
  auto sequences = loadSequences(study, vocabularySize, engine);
  if (!sequences) {
    return tl::unexpected(std::move(sequences.error()));
  }
  StepInput input;
  input.description = std::move(sequences->description);
  input.loss = lossPlan(study.loss);
  for (std::int64_t i = 0; i < sequences->microBatches; ++i) {
    TokenBatch tokens =
        rowsOf(sequences->tokens, i * sequences->perMicroBatch, sequences->perMicroBatch);
    tokens.documents = layoutOf(study.step, static_cast<std::size_t>(i));
    if (auto checked = checkDocuments(tokens); !checked) {
      return tl::unexpected(std::move(checked.error()));
    }
    input.microBatches.push_back(std::move(tokens));
  }
  const std::int64_t used = sequences->microBatches * sequences->perMicroBatch;
  auto digest = tokenDigest(rowsOf(sequences->tokens, 0, used));
  if (!digest) {
    return tl::unexpected(std::move(digest.error()));
  }
  input.tokenDigest = *std::move(digest);
  if (study.loss.needsPolicy()) {
    if (auto filled = fillPolicy(study.loss, input.microBatches, engine); !filled) {
      return tl::unexpected(std::move(filled.error()));
    }
  }
  return input;
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
