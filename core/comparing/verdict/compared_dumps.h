#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/origin/execution_order.h"
#include "core/dumps/model/dump.h"
#include "core/report/model/dump_origin.h"

namespace ulp::analysis {

/// A row of a report of a comparison, in the dumps that it was made from; of one dump both sides
/// are the same.
struct ComparedTensor {
  UnitSides units;
  std::size_t baselineEntry = 0;  ///< in DumpUnit::entries
  std::size_t candidateEntry = 0;
  std::size_t baselineRow = 0;  ///< in DumpUnit::rows
  std::size_t candidateRow = 0;

  [[nodiscard]] const dumps::DumpRow& baseline() const { return units.baseline->rows[baselineRow]; }
  [[nodiscard]] const dumps::DumpRow& candidate() const {
    return units.candidate->rows[candidateRow];
  }
};

/// The calls around the one that made the tensor, innermost first, by the tool's own names: the
/// candidate's, which is what is looked into; the baseline's where that says nothing.
[[nodiscard]] std::vector<std::string> enclosingCalls(const ComparedTensor& tensor);

/// The elements of both sides under the name that the report gives them; of one dump both are the
/// same elements, read once. Shapes agree but for dimensions of size 1, as in the comparison.
/// Elements on another machine come as they are asked for (hasParts()). Errors: those of
/// DumpUnit::look(), with the side in front; InvalidArgument where the shapes differ.
[[nodiscard]] Result<TensorPairPtr> lookAtPair(const ComparedTensor& tensor, const Site& site);

/// A unit of one dump, with its tensors as they were made.
struct UnitTensors {
  dumps::DumpUnitPtr unit;
  std::vector<PlacedTensor> tensors;
};

/// The dumps of a report of a comparison, or of one dump, opened when they are first asked for,
/// through the same door as the comparison itself. The units that were asked for last stay open.
/// Thread-safe.
class ComparedDumps {
 public:
  explicit ComparedDumps(report::DumpOrigin origin);
  ~ComparedDumps();

  [[nodiscard]] const report::DumpOrigin& origin() const { return m_origin; }
  /// Names the runs of one dump (report::isOneDump()), one for each unit. Errors: those of
  /// openSides().
  [[nodiscard]] Result<std::vector<std::string>> runs(const std::stop_token& stop = {});
  /// What a unit of one dump holds, by the name of its run.
  [[nodiscard]] Result<UnitTensors> tensorsOf(const std::string& run,
                                              const std::stop_token& stop = {});
  /// What the row {site.name, site.pass} of run `run` of the report was compared from; nothing
  /// where the dumps do not have it (any more). Errors: those of openSides() and openUnitPair();
  /// NotFound for a run that is none of their units; Cancelled.
  [[nodiscard]] Result<std::optional<ComparedTensor>> find(const std::string& run,
                                                           const Site& site,
                                                           const std::stop_token& stop = {});

 private:
  struct OpenPair;
  using OpenPairPtr = std::shared_ptr<const OpenPair>;

  [[nodiscard]] Result<OpenPairPtr> open(const std::string& run, const std::stop_token& stop);
  /// Opens both sides unless they are open.
  [[nodiscard]] Result<> openOnce(const std::stop_token& stop);
  [[nodiscard]] Result<UnitPair> pairOf(const std::string& run) const;
  [[nodiscard]] Result<UnitPair> unitOf(const std::string& run) const;
  /// Pairs every tensor of a unit with itself.
  static void matchWithItself(OpenPair& one);

  static constexpr std::size_t kKept = 2;

  const report::DumpOrigin m_origin;
  std::mutex m_mutex;
  std::optional<DumpSides> m_sides;
  std::deque<OpenPairPtr> m_pairs;  ///< asked for last first
};

}  // namespace ulp::analysis
