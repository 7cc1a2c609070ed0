#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::report {

/// Beside precision_report.json; docs/formats/run_folder.md.
inline constexpr std::string_view kLogProbabilityFile = "log_probabilities.safetensors";
/// Names of its tensors: one a run, and 1 where a token was to be predicted.
inline constexpr std::string_view kLogProbabilityRunPrefix = "runs/";
inline constexpr std::string_view kLogProbabilityLabels = "is_label";

/// log π of the chosen tokens of one run or engine, [sequences, length].
struct LogProbabilities {
  std::string name;  ///< of the run, or of the file
  std::int64_t sequences = 1;
  std::int64_t length = 0;
  std::vector<double> values;  ///< row-major
  /// 1 where a token was to be predicted; the others do not count.
  std::vector<std::uint8_t> isLabel;

  [[nodiscard]] std::size_t labels() const;
};

/// All runs of a run folder or of its log_probabilities.safetensors; or the one tensor of any other
/// file of tensors (tensor_file.h), floating-point, [length] or [sequences, length], in which a NaN
/// marks a token without a label; or the list of vectors, one a sequence, that Fast-LLM keeps in
/// logprobs_RUN.pt. Errors: NotFound (with the remedy for a folder without them),
/// CorruptData, InvalidArgument (a file of several tensors, another number of dimensions),
/// Unsupported.
[[nodiscard]] Result<std::vector<LogProbabilities>> readLogProbabilities(
    const std::filesystem::path& path);

}  // namespace ulp::report
