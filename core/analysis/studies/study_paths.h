#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/reports/run_pair.h"
#include "core/base/result.h"

/// Paths of a study that is run again, from elsewhere.
namespace ulp::analysis {

/// The text of a study with paths that lead nowhere from here, but below one of `folders`, made
/// absolute: those of model, input, tokenizer and Python, and of files that hold functions;
/// `origin` is its name in messages. Errors: those of study::setStudyKey().
[[nodiscard]] Result<std::string> withFoundPaths(std::string_view text,
                                                 std::string_view origin,
                                                 std::span<const std::filesystem::path> folders);

/// Where paths of the study of a run may lead from: its own folder, and those above its results.
[[nodiscard]] std::vector<std::filesystem::path> startsOfPaths(const NamedRun& run);

}  // namespace ulp::analysis
