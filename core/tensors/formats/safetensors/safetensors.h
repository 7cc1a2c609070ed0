#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// Bytes of JSON; a larger header is refused by every reader.
inline constexpr std::uint64_t kLargestSafetensorsHeader = 100'000'000;

/// A .safetensors file, mapped; read() copies nothing. Types without a DType of ours are widened to
/// one that holds every value (U16 -> int32, U32 and U64 -> int64, F8_E8M0 -> float32), complex
/// ones get a last dimension of 2 more, others (F4, F6, FNUZ) are listed and not read. The header
/// is checked as the format demands: the tensors fill the data section without gap or overlap.
/// Errors: NotFound, Io, CorruptData (`file: tensor 'x': …`; also where the file was changed
/// meanwhile).
[[nodiscard]] Result<TensorArchivePtr> openSafetensors(const std::filesystem::path& path);
[[nodiscard]] Result<TensorArchivePtr> parseSafetensors(const ByteSource& source);

/// The shards that a `*.safetensors.index.json` names, as one archive; tensors in the order of the
/// shards' names. Errors: as above, and CorruptData or NotFound naming tensor and shard when a
/// shard is missing or does not hold what the index says.
[[nodiscard]] Result<TensorArchivePtr> openSafetensorsIndex(const std::filesystem::path& path);

struct NamedTensor {
  std::string name;
  numerics::TensorView view;
};

/// Writes a .safetensors file that appears under `path` only when complete. Tensors are ordered by
/// falling element size, so that each is aligned. The default metadata is what `transformers` asks
/// for. Errors: InvalidArgument (a name twice, not UTF-8 or `__metadata__`), Io.
[[nodiscard]] Result<> writeSafetensors(const std::filesystem::path& path,
                                        std::span<const NamedTensor> tensors,
                                        const std::map<std::string, std::string>& metadata = {
                                            {"format", "pt"}});

}  // namespace ulp::tensors
