#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/study/reading/study.h"

namespace ulp::cli {

/// A file that goes to a host with a study.
struct SentFile {
  std::filesystem::path file;  ///< here
  std::string name;            ///< from the folder of the study
};

/// Lists what goes with a study: the study, the files of Python code that it names from its folder,
/// those of input and loss that lie beside it, and `more` (files and folders below its folder).
/// Other paths are of the host. Errors: NotFound and InvalidArgument, for code that is not there or
/// lies outside of the study's folder.
[[nodiscard]] Result<std::vector<SentFile>> filesToSend(const study::Study& study,
                                                        const std::vector<std::string>& more);

}  // namespace ulp::cli
