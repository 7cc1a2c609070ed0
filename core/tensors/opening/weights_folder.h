#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// The weights of a checkpoint. `path` is a Hugging Face folder (model.safetensors, else
/// model.safetensors.index.json), a .safetensors or .gguf file, or an index JSON; a file's content
/// counts, not only its name. A GGUF file comes as a GgufFile. Errors: NotFound (with what the
/// folder would have to hold), Unsupported (another format), and those of the readers.
[[nodiscard]] Result<TensorArchivePtr> openWeights(const std::filesystem::path& path);

}  // namespace ulp::tensors
