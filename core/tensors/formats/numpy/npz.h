#pragma once

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// The arrays of a file of numpy.savez or savez_compressed, by their names without ".npy". What is
/// stored plainly is mapped, the rest is unpacked when it is read. Types as in npy.h; others are
/// listed, and read() says Unsupported. Errors: CorruptData (`file: 'x.npy': …`),
/// Unsupported (encrypted, packed by another method than deflate).
[[nodiscard]] Result<TensorArchivePtr> parseNpz(const ByteSource& source);

}  // namespace ulp::tensors
