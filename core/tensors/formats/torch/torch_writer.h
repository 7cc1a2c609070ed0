#pragma once

#include <filesystem>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

namespace ulp::tensors {

/// Writes what torch.save writes of one plain tensor on the CPU: torch.load gives it back bit for
/// bit, with `weights_only=True` as well. The file appears under `path` only when complete. The
/// elements are gone through once, as FileWriter::stream() does. Errors: Io, Cancelled.
[[nodiscard]] Result<> writeTorchTensor(const std::filesystem::path& path,
                                        const numerics::TensorView& tensor,
                                        Durability durability = Durability::Synced,
                                        const MappedFile* from = nullptr,
                                        const SeePiece& see = {});

}  // namespace ulp::tensors
