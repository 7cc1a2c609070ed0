#pragma once

#include <filesystem>
#include <span>
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

/// The text of a study with paths of model, input and tokenizer that lead nowhere from here, but
/// below one of `folders`, made absolute; `origin` is its name in messages. Errors: those of
/// study::setStudyKey().
[[nodiscard]] Result<std::string> withFoundPaths(std::string_view text,
                                                 std::string_view origin,
                                                 std::span<const std::filesystem::path> folders);

/// The file that a run folder's copy of a study says to be made from; empty: it does not say.
[[nodiscard]] std::filesystem::path originOfCopy(std::string_view text);

}  // namespace ulp::views
