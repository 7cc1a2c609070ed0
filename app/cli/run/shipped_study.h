#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/study/reading/study.h"

namespace ulp::cli {

/// The study that is meant by what was named on the command line: the file of this name, else, of a
/// name alone (`tiny_random`, `tiny_random.yaml`), one that Ulpscope brings with it. `program` lies
/// in the folder `bin` of what is installed. A path is given back as it is. Errors: NotFound for a
/// name that is neither, with those that there are.
[[nodiscard]] Result<std::filesystem::path> studyNamed(const std::filesystem::path& name,
                                                       const std::filesystem::path& program);

/// Reads the study that is meant, of the program that runs. Errors: those of studyNamed() and
/// loadStudy().
[[nodiscard]] Result<study::Study> loadStudyNamed(const std::filesystem::path& name,
                                                  const std::vector<std::string>& sets);

}  // namespace ulp::cli
