#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msit/layout.h"

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

/// Top-level operations by number: those from `first` on, up to `end`.
struct OrderRange {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> end{};
};

/// What lies in `{order}_{type}/…/{before,after}/` below a folder, in order of execution: what an
/// operation consists of stands before it. A tensor that is written both before and after stands
/// in the row of the one that the operation read or made; the other is a value. Error: Cancelled.
[[nodiscard]] Result<std::shared_ptr<RecordedUnit>> readOperations(
    const std::filesystem::path& folder,
    const OrderRange& range,
    const UnitAxes& axes,
    const std::stop_token& stop,
    const Progress& progress);

/// Operations of one token; of two tokens in one folder those of the token's own model.
[[nodiscard]] Result<DumpUnitPtr> readAtbToken(const Process& process,
                                               const TokenFolder& token,
                                               const UnitAxes& axes,
                                               const std::stop_token& stop,
                                               const Progress& progress);

/// What was recorded of one token of a PyTorch model: modules and calls in the order in which they
/// ended, by the times of their files; where these cannot tell, with a note, in the order of the
/// model's structure, those within a module before it, then what else has a folder. Error:
/// Cancelled.
[[nodiscard]] Result<DumpUnitPtr> readTorchToken(const Process& process,
                                                 const TokenFolder& token,
                                                 const UnitAxes& axes,
                                                 const std::stop_token& stop,
                                                 const Progress& progress);

/// Parameters that were dumped beside the tokens, a module's together. Error: Cancelled.
[[nodiscard]] Result<DumpUnitPtr> readWeights(const std::filesystem::path& folder,
                                              const UnitAxes& axes,
                                              const std::stop_token& stop,
                                              const Progress& progress);

}  // namespace ulp::dumps::msit
