#pragma once

#include <chrono>
#include <filesystem>
#include <utility>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp {

/// The turn to change files of a folder: whoever reads a file, adds to it and writes it again takes
/// the turn before and gives it back after, so that two programs do not write over each other's
/// additions. Nobody is held up who only reads. It ends with the process, however that ends, and
/// leaves no file.
///
/// A file system that locks no folders (NFS), or a folder whose rights forbid to list it, lets
/// everybody have it: there two that write within the same few milliseconds are not kept apart.
class FolderTurn {
 public:
  /// Waits for the turn, at most for `patience`. Errors: Io, where another program has it all that
  /// time or the folder cannot be opened.
  [[nodiscard]] static Result<FolderTurn> take(
      const std::filesystem::path& folder,
      std::chrono::milliseconds patience = std::chrono::seconds(2));

 private:
  explicit FolderTurn(FileDescriptor folder) : m_folder(std::move(folder)) {}

  FileDescriptor m_folder;
};

}  // namespace ulp
