#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::dumps::msit {

/// A unit whose tensors lie in files of their own, `.pth` of PyTorch or `.bin` of ATB.
class RecordedUnit final : public DumpUnit {
 public:
  /// Parallel to rows; empty where there is none.
  std::vector<std::filesystem::path> files;

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override;

  /// Adds a row of the entry that is being made. What the file's header says fills in what `row`
  /// leaves open; a file that cannot be read becomes a note, and the row has no elements.
  void addRow(DumpRow row, const std::filesystem::path& file);
};

}  // namespace ulp::dumps::msit
