#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// The datasets of any HDF5 file, by their paths without the first slash. Contiguous ones of a type
/// of ours (bfloat16 and float8 as floating-point types of that layout) are mapped; chunked and
/// compressed ones, big-endian ones and unsigned integers are read into memory. Texts, records and
/// elements in other files are listed, and read() says Unsupported. Only the file itself is read:
/// soft and external links are not followed. HDF5 does not survive every damaged file, so that a
/// process of its own (ulpscope-hdf5) runs it, once to open and once for each tensor that is read
/// into memory. Errors: NotFound, Io, CorruptData (`file: path: what`), OutOfMemory, Unsupported
/// (that program is missing). Thread-safe.
[[nodiscard]] Result<TensorArchivePtr> openHdf5Archive(const std::filesystem::path& path);

}  // namespace ulp::tensors
