#pragma once

#include <filesystem>
#include <optional>

#include "core/tensors/elements/raw_tensor.h"

namespace ulp::dumps {

/// A file of elements alone, with what it cannot say of itself behind its name:
/// "activations.bin:bfloat16[4,8]", "dump.raw:float32[1024]@64" (bytes in front of the first
/// element). So a path says it all wherever a path is taken. Of a folder ("dump:float32[-1,576]")
/// it holds for every such file below it; an extent of -1 is as large as the file allows.
struct RawAddress {
  std::filesystem::path file;  ///< or folder
  tensors::RawLayout layout;
};

/// Nothing where the text is no such address. Whether the file exists, and the type is known, is
/// not looked at.
[[nodiscard]] std::optional<RawAddress> parseRawAddress(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path toPath(const RawAddress& address);

}  // namespace ulp::dumps
