#pragma once

#include <filesystem>

namespace ulp::cli {

/// The study that is meant by what was named on the command line: the file of this name, else, of a
/// name alone (`tiny_random`, `tiny_random.yaml`), one that Ulpscope brings with it. `program` lies
/// in the folder `bin` of what is installed. Without either the name is given back, for whoever
/// says that there is no such file.
[[nodiscard]] std::filesystem::path studyNamed(const std::filesystem::path& name,
                                               const std::filesystem::path& program);

}  // namespace ulp::cli
