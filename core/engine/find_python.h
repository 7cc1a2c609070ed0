#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace ulp::engine {

/// Finds a Python by its bare name in $PATH; without a name that of the active environment
/// ($VIRTUAL_ENV, $CONDA_PREFIX), else $ULPSCOPE_PYTHON, else python3 in $PATH. Error: NotFound,
/// with what was tried.
[[nodiscard]] Result<std::filesystem::path> findPython(std::string_view name = {});

}  // namespace ulp::engine
