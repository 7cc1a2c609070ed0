#pragma once

#include <map>
#include <string>

#include "core/base/result.h"
#include "core/study/reading/study.h"

namespace ulp::worker {

/// SHA-256 in hexadecimal of the files of functions that settings of a run name, by the key that
/// names them; without those that cannot be read, of which the run tells.
[[nodiscard]] Result<std::map<std::string, std::string, std::less<>>> codeDigests(
    const study::Study& study, const study::Settings& settings);

}  // namespace ulp::worker
