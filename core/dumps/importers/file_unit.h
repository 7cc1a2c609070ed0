#pragma once

#include <cstddef>
#include <filesystem>
#include <future>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// What a file of tensors says of them, or why it says nothing.
struct TensorFileIndex {
  std::vector<tensors::TensorInfo> tensors;
  std::string problem;  ///< empty: it was read
};

/// Reads the headers of many files by several threads, none of which stays open. One entry for each
/// file, in their order. Error: Cancelled.
[[nodiscard]] Result<std::vector<TensorFileIndex>> indexTensorFiles(
    const std::vector<std::filesystem::path>& files,
    const std::stop_token& stop,
    const Progress& progress);

/// A unit whose tensors are in files, which are opened when their elements are asked for.
class FileUnit final : public DumpUnit {
 public:
  /// Adds a row of an entry of its own. Its type and shape become those of `tensor`, one of `file`;
  /// null: the file cannot be read. It has elements in both cases: reading them says what is wrong.
  void add(DumpEntry entry, DumpRow row, std::size_t file, const tensors::TensorInfo* tensor);
  /// The same for a further row of the last entry.
  void addToLast(DumpRow row, std::size_t file, const tensors::TensorInfo* tensor);
  /// Files that add() refers to.
  void setFiles(std::vector<std::filesystem::path> files) { m_files = std::move(files); }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override;

 private:
  struct Place {
    std::size_t file;
    std::string tensor;
  };
  /// Archives of several tensors that were read last.
  struct OpenFile {
    std::size_t file;
    tensors::TensorArchivePtr archive;
  };
  /// What one thread opens and others wait for.
  struct OpeningFile {
    std::size_t file;
    std::shared_future<Result<tensors::TensorArchivePtr>> archive;
  };

  [[nodiscard]] Result<tensors::TensorArchivePtr> archiveOf(std::size_t file) const;

  std::vector<std::filesystem::path> m_files;
  std::vector<Place> m_places;  ///< one for each row
  mutable std::mutex m_mutex;
  mutable std::vector<OpenFile> m_open;
  mutable std::vector<OpeningFile> m_opening;
};

}  // namespace ulp::dumps
