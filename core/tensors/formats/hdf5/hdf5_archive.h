#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// The datasets of any HDF5 file, by their paths without the first slash. Contiguous ones of a type
/// of ours (bfloat16 and float8 as floating-point types of that layout) are mapped; chunked and
/// compressed ones, big-endian ones and unsigned integers are read into memory. Texts, records and
/// elements in other files are listed, and read() says Unsupported. Only the file itself is read:
/// soft and external links are not followed. Errors: as
/// Hdf5File. Thread-safe.
[[nodiscard]] Result<TensorArchivePtr> openHdf5Archive(const std::filesystem::path& path);

}  // namespace ulp::tensors
