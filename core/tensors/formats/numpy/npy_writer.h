#pragma once

#include <filesystem>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

namespace ulp::tensors {

/// NumPy has no bfloat16 and no float8; their numbers are written as float32, which holds each of
/// them.
[[nodiscard]] bool isWidenedForNpy(DType dtype);

/// Writes a .npy file (version 1) that appears under `path` only when complete, as
/// FileWriter::stream() goes through the elements. Errors: Io, Cancelled.
[[nodiscard]] Result<> writeNpy(const std::filesystem::path& path,
                                const numerics::TensorView& tensor,
                                Durability durability = Durability::Synced,
                                const MappedFile* from = nullptr);

}  // namespace ulp::tensors
