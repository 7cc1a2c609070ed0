#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// Writes a .safetensors file whose tensors come one after another, so that none but the one at
/// hand need be in memory. The file appears under its path only when complete.
class SafetensorsWriter {
 public:
  /// Creates the file for tensors that will come: their names, shapes and types; `storedAs` does
  /// not matter. Put larger elements first, so that each tensor is aligned. Errors: InvalidArgument
  /// (a name twice, not UTF-8 or `__metadata__`; names and metadata that are more than a header may
  /// hold), Io.
  [[nodiscard]] static Result<SafetensorsWriter> create(
      const std::filesystem::path& path,
      std::vector<TensorInfo> tensors,
      const std::map<std::string, std::string>& metadata);

  /// The next one, as FileWriter::stream() goes through it. Errors: InvalidArgument (another shape
  /// or type than was announced, or one too many), Io, Cancelled.
  [[nodiscard]] Result<> write(const numerics::TensorView& tensor,
                               const MappedFile* from = nullptr);
  /// Errors: InvalidArgument (tensors are missing), Io.
  [[nodiscard]] Result<> commit(Durability durability = Durability::Synced);

 private:
  SafetensorsWriter(std::filesystem::path path, std::vector<TensorInfo> tensors, FileWriter file);

  std::filesystem::path m_path;
  std::vector<TensorInfo> m_tensors;
  FileWriter m_file;
  std::size_t m_next = 0;
};

}  // namespace ulp::tensors
