#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace ulp::engine {

/// Finds a Python by its bare name in $PATH; without a name that of the active environment
/// ($VIRTUAL_ENV, $CONDA_PREFIX), else $ULPSCOPE_PYTHON, else python3 in $PATH. Error: NotFound,
/// with what was tried.
[[nodiscard]] Result<std::filesystem::path> findPython(std::string_view name = {});

/// Begins what Python is given with -c, which would otherwise look for its modules in the working
/// folder first: whatever lies there would run.
inline constexpr std::string_view kWithoutWorkingFolder =
    "import sys\n"
    "if sys.path and not sys.path[0]: del sys.path[0]\n";

}  // namespace ulp::engine
