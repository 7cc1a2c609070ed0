#pragma once

#include "core/base/result.h"

namespace ulp::engine {

/// The LibTorch that the engine is compiled against; no other has the same interface.
inline constexpr const char* kTorchVersion = "2.11.0";
inline constexpr const char* kTorchFolderVariable = "ULP_TORCH_DIR";

/// Opens the LibTorch of the package folder that $ULP_TORCH_DIR names (.../site-packages/torch), so
/// that an engine which is loaded after it uses that one. Does nothing where the variable is not
/// set. Errors: Unsupported, with the folder and the remedy, where it holds no LibTorch or one of
/// another version.
[[nodiscard]] Result<> openTorchFolder();

}  // namespace ulp::engine
