#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/study/reading/study.h"

/// The copy of a study that a run folder keeps.
namespace ulp::study {

/// What the first line of such a copy begins with.
inline constexpr std::string_view kRunNote = "# As run by Ulpscope";

/// The text of a study as it is run: of its variants `variants` alone, with what the command line
/// set in the place of what stood there, and with paths that lead somewhere from here made
/// absolute, so that it means the same wherever it lies. Comments above it say where it came from
/// and what is not as it was written. A text that cannot be changed in its place (Fast-LLM's words,
/// anchors) is written anew, and stays as a comment.
[[nodiscard]] std::string studyAsRun(const Study& study, const std::vector<std::string>& variants);

/// A copy without the comments that studyAsRun() put above it.
[[nodiscard]] std::string_view withoutRunNote(std::string_view copy);
/// The file that a copy says to be made from; empty: it does not say.
[[nodiscard]] std::filesystem::path originOfCopy(std::string_view copy);
/// The keys that the command line set, as a copy says it: "input.seed", "variants.bf16.semantics".
[[nodiscard]] std::vector<std::string> keysSetInCopy(std::string_view copy);

}  // namespace ulp::study
