#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/tokens/token_distance.h"
#include "core/base/result.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/tables/data_table.h"

/// Which log-probabilities `logprobs` compares, and the table of it.
namespace ulp::cli {

struct PairChoice {
  std::string baseline;               ///< empty: the reference of A, or its only run
  std::vector<std::string> variants;  ///< empty: all
};

/// Two runs over the same tokens.
struct LogProbabilityPair {
  std::string name;  ///< of the second one
  report::LogProbabilities baseline;
  report::LogProbabilities run;
  /// The reference of A, where it is neither of the two.
  std::optional<report::LogProbabilities> reference;
  /// Of the logits, where a study kept all of both.
  std::optional<analysis::DistributionGap> distributions;
};

/// Without `second`, the runs of a study against its baseline; else those of `second` against the
/// baseline of `first`. Errors: those of readLogProbabilities(), InvalidArgument (no such run, with
/// those that there are), and what the logits of a study give when they cannot be read.
[[nodiscard]] Result<std::vector<LogProbabilityPair>> choosePairs(
    const std::filesystem::path& first,
    const std::filesystem::path& second,
    const PairChoice& choice);

/// One row a pair. Errors: InvalidArgument of pairs that are not of the same tokens.
[[nodiscard]] Result<report::DataTable> gapTable(const std::vector<LogProbabilityPair>& pairs,
                                                 double epsilon);

}  // namespace ulp::cli
