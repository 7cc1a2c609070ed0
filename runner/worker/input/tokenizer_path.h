#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/study/reading/study.h"

namespace ulp::worker {

/// `input.tokenizer`, by default the model's own files. Errors: those of resolving model.path.
[[nodiscard]] Result<std::filesystem::path> tokenizerPath(const study::Study& study);

}  // namespace ulp::worker
