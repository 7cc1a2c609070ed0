#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/result.h"

namespace ulp::tensors {

struct TokenFile {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> tokens;  ///< row-major
};

/// Token ids from .npy (integers), .safetensors (its only integer tensor, or the one named
/// input_ids) or .json (nested lists of integers, all of one length at each level). Ids are not
/// compared with a vocabulary. Errors: NotFound, Io, CorruptData (`file: place: …`), Unsupported
/// (another kind of file), InvalidArgument (no or several candidates, not integers).
[[nodiscard]] Result<TokenFile> readTokens(const std::filesystem::path& path);

}  // namespace ulp::tensors
