#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// One array of NumPy (.npy versions 1 to 3, little-endian): bool, integers, float16/32/64. Mapped
/// where NumPy wrote it in C order with a type of ours; unsigned 16-, 32- and 64-bit integers are
/// widened, Fortran order is transposed into a buffer, so that the result is always row-major.
/// Errors: NotFound, Io, CorruptData (`file: header: …`), Unsupported (other types, big-endian).
[[nodiscard]] Result<Tensor> readNpy(const std::filesystem::path& path);
[[nodiscard]] Result<Tensor> parseNpy(const ByteSource& source);

/// Reads the header of a source that may end behind it. `storedAs` is "uint16" for "<u2"; a type
/// that is not read keeps NumPy's name. Error: CorruptData.
[[nodiscard]] Result<TensorInfo> parseNpyInfo(const ByteSource& source);

/// The arrays of a file of numpy.savez or savez_compressed, by their names without ".npy". What is
/// stored plainly is mapped, the rest is unpacked when it is read. Types as of readNpy(); others
/// are listed, and read() says Unsupported. Errors: CorruptData (`file: 'x.npy': …`), Unsupported
/// (encrypted, packed by another method than deflate).
[[nodiscard]] Result<TensorArchivePtr> parseNpz(const ByteSource& source);

}  // namespace ulp::tensors
