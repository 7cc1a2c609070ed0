#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// What a file without a header cannot say of itself.
struct RawLayout {
  std::string dtype;  ///< "float32", "uint16", …: torch's names and the usual short ones
  std::vector<std::int64_t> shape;  ///< one extent may be -1: as many as the file holds
  std::uint64_t offset = 0;         ///< bytes in front of the first element
};

/// Describes what a file of `size` bytes holds by this layout, its -1 replaced; without a name.
/// Errors: InvalidArgument (an unknown dtype, an impossible shape, a size that is not the file's),
/// Unsupported (a dtype that cannot be shown).
[[nodiscard]] Result<TensorInfo> rawTensorInfo(const std::filesystem::path& path,
                                               std::uint64_t size,
                                               const RawLayout& layout);
/// Little-endian, row-major elements, mapped. Errors: NotFound, Io, OutOfMemory, those of
/// rawTensorInfo().
[[nodiscard]] Result<Tensor> readRawTensor(const std::filesystem::path& path,
                                           const RawLayout& layout);
[[nodiscard]] Result<Tensor> parseRawTensor(const ByteSource& source, const RawLayout& layout);

}  // namespace ulp::tensors
