#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::dumps::msprobe {

/// A file below dump_tensor_data: `.pt` of PyTorch, `.npy` of MindSpore. Errors: those of the
/// readers.
[[nodiscard]] Result<tensors::Tensor> readTensorFile(const std::filesystem::path& path);

}  // namespace ulp::dumps::msprobe
