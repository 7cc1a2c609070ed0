#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace ulp::views {

/// `folder`, or the first of folder-2, folder-3 … that does not exist.
[[nodiscard]] std::filesystem::path freeFolder(const std::filesystem::path& folder);

/// A study that repeats one that was run: the text without the note that a run folder's copy begins
/// with, results into a free folder beside `outputDir`, and paths that were found beside
/// `studyFile` made absolute, because the copy may be saved elsewhere. Errors: those of
/// study::setStudyKey().
[[nodiscard]] Result<std::string> repeatStudy(std::string_view text,
                                              const std::filesystem::path& studyFile,
                                              const std::filesystem::path& outputDir);

}  // namespace ulp::views
