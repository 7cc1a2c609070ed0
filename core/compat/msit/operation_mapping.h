#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/dumps/msit/pairing.h"

namespace ulp::compat::msit {

/// The built-in mapping with what a user's `op_mapping_file.json`, or the one in a folder, adds or
/// replaces: {"AtbType[_outtensorN]": "TorchType[_output_N]" or a list of these}. An empty path:
/// the built-in one. Errors: NotFound, Io, CorruptData (`file: key: what`).
[[nodiscard]] Result<dumps::msit::OperationMapping> operationMapping(
    const std::filesystem::path& path);

}  // namespace ulp::compat::msit
