#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/study/reading/study.h"

namespace ulp::worker {

/// The micro-batches of a step, in order, at least one.
using MicroBatches = std::vector<engine::TokenBatch>;

/// What a study optimises in a step, and on which tokens: one step a sample.
struct StepInput {
  engine::LossPlan loss;
  std::vector<MicroBatches> samples;  ///< at least one
  std::string tokenDigest;            ///< of the tokens of all samples
  std::string description;            ///< where they come from (InputTokens)
};

/// Number of micro-batches of the step: schedule.micro_batches, or as many as it takes to reach
/// schedule.docs_per_step, the one that overshoots included. `sequences` are in each of them.
[[nodiscard]] std::int64_t microBatchCount(const study::StepSettings& step, std::int64_t sequences);

/// Number of samples: input.sequences over the sequences of a step; 1 where the study does not set
/// it or a token file is one micro-batch.
[[nodiscard]] std::int64_t sampleCount(const study::Study& study);

/// Reads or draws the tokens as one stream, divides it into samples, micro-batches and documents,
/// and draws or reads what policy losses need. Sample i draws advantages and noise with loss.seed +
/// 2 i. Errors: those of loadTokens(); InvalidArgument when input.sequences is no multiple of a
/// step's, a file has too few sequences or documents do not fill them; those of loss.path.
[[nodiscard]] Result<StepInput> loadStep(const study::Study& study,
                                         std::int64_t vocabularySize,
                                         engine::Engine& engine);

/// SHA-256 of the tokens of all samples.
[[nodiscard]] Result<std::string> tokenDigest(const std::vector<MicroBatches>& samples);

/// Takes the log-probabilities of the reference as the old ones of every run from here on: what
/// `outcome` says of the micro-batches plus the noise that they carry. Does nothing where they came
/// from elsewhere.
void takeOldLogProbabilities(std::vector<engine::TokenBatch>& microBatches,
                             const engine::TokenOutcome& outcome);

}  // namespace ulp::worker
