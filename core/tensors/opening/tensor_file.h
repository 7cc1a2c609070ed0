#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// The formats that openTensorFile() knows, for messages and help.
inline constexpr std::string_view kTensorFileFormats =
    "safetensors, GGUF, .npy, .npz, files of torch.save, HDF5, ATB .bin";

/// Opens one file of tensors by its content, whatever its name: a safetensors file or the index of
/// several, GGUF, .npy, .npz, a file of torch.save, HDF5, an ATB .bin file. A format of one tensor
/// (.npy, ATB, torch.save of a tensor) gives an archive of one whose name is empty. The archive is
/// the one of its reader: a GgufFile, TorchFile, AtbFile. Errors: NotFound, Io, Unsupported (none
/// of these, with what the file may be instead), and those of the reader.
[[nodiscard]] Result<TensorArchivePtr> openTensorFile(const std::filesystem::path& path);

/// The weights of a checkpoint. `path` is a Hugging Face folder (model.safetensors, else
/// model.safetensors.index.json), a .safetensors or .gguf file, or an index JSON; a file's content
/// counts, not only its name. A GGUF file comes as a GgufFile. Errors: NotFound (with what the
/// folder would have to hold), Unsupported (another format), and those of the readers.
[[nodiscard]] Result<TensorArchivePtr> openWeights(const std::filesystem::path& path);

/// The beginning of the file is that of one of the formats; reads no more than that.
[[nodiscard]] bool looksLikeTensorFile(const std::filesystem::path& path);

}  // namespace ulp::tensors
