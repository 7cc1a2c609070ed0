#include "runner/worker/input/policy_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

#include "core/tensors/formats/safetensors/safetensors.h"

namespace ulp::worker {
namespace {

using engine::TokenBatch;
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
  return {};
}

}  // namespace

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

}  // namespace ulp::worker
