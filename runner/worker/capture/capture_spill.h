#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::worker {

/// Tensors of one sample that are needed again, in a file without a name, so that the system keeps
/// as many of them in memory as it has room for. The file goes away with the last who reads it.
class CaptureSpill {
 public:
  /// Where the elements of a capture lie.
  struct Place {
    std::uint64_t offset = 0;  ///< in bytes
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;
  };

  /// Makes an unlinked file in `folder`. Errors: Io.
  [[nodiscard]] static Result<std::unique_ptr<CaptureSpill>> create(
      const std::filesystem::path& folder);

  /// Errors: Io (the disk is full).
  [[nodiscard]] Result<Place> put(const numerics::TensorView& tensor);
  /// Maps the elements for as long as the capture is held. Errors: Io.
  [[nodiscard]] Result<engine::Capture> get(const Place& place) const;
  [[nodiscard]] std::uint64_t bytes() const { return m_end; }

 private:
  CaptureSpill(std::filesystem::path folder, FileDescriptor file)
      : m_folder(std::move(folder)), m_file(std::move(file)) {}

  std::filesystem::path m_folder;
  FileDescriptor m_file;
  std::uint64_t m_end = 0;
};

}  // namespace ulp::worker
