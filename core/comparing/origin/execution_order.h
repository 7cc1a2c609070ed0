#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/measure/unit_comparison.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// Returns what is the same for a call and its backward pass.
[[nodiscard]] std::string callKey(const dumps::DumpEntry& entry);

/// The entries of a unit as they ran: as they were recorded, but for gradients of parameters, which
/// some tools list beside the forward call of their module: they are whole behind the last backward
/// call (of a forward pass alone: behind the last module), where an optimizer reads them.
[[nodiscard]] std::vector<std::size_t> executionOrder(const dumps::DumpUnit& unit);

/// A tensor of a unit, and where it stands in the words of a report.
struct PlacedTensor {
  std::size_t entry = 0;  ///< in DumpUnit::entries
  std::size_t row = 0;    ///< in DumpUnit::rows
  Site site;              ///< its name is unique in its pass
};
/// The tensors of a unit as they were made, executionOrder(). Error: Cancelled, by a stop of the
/// caller's work.
[[nodiscard]] Result<std::vector<PlacedTensor>> tensorsInOrder(const dumps::DumpUnit& unit);

/// The calls that two units have in common, as the finders of origins walk through them; made once
/// for all of them. Refers to the comparison, which must outlive it. `pair` is a position in
/// UnitMatching::entries, `row` one in UnitMatching::rows. Thread-safe.
class PairedCalls {
 public:
  /// Implicit, so that a finder takes a comparison where it is the only one.
  PairedCalls(const UnitComparison& units);  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const UnitComparison& units() const { return m_units; }
  /// Pairs as the baseline ran. Of a call whose rows the mapping pairs with those of several calls,
  /// the first pair stands for all.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return m_order; }
  /// The rows of a pair; none where another pair stands for it.
  [[nodiscard]] const std::vector<std::size_t>& rows(std::size_t pair) const {
    return m_rows[pair];
  }
  /// The baseline's call of a pair, in its entries.
  [[nodiscard]] std::size_t entryIndex(std::size_t pair) const {
    return m_units.matching.entries[pair].baseline;
  }
  [[nodiscard]] const dumps::DumpEntry& entry(std::size_t pair) const {
    return m_units.baseline->entries[entryIndex(pair)];
  }
  [[nodiscard]] const dumps::DumpRow& row(std::size_t row) const {
    return m_units.baseline->rows[m_units.matching.rows[row].baseline];
  }
  [[nodiscard]] const dumps::DumpRow& candidateRow(std::size_t row) const {
    return m_units.candidate->rows[m_units.matching.rows[row].candidate];
  }
  [[nodiscard]] const RowDifference& difference(std::size_t row) const { return m_units.rows[row]; }
  /// A module whose parameters are not among what was recorded of the call.
  [[nodiscard]] bool hidesParameters(std::size_t pair) const;
  /// The call reads the row, rather than making it.
  [[nodiscard]] bool isRead(std::size_t row) const { return dumps::isRead(this->row(row).role); }
  /// The row names memory that the call fills (isFilled()): what it held before, nobody made.
  [[nodiscard]] bool isLeft(std::size_t row) const;

 private:
  const UnitComparison& m_units;
  std::vector<std::size_t> m_order;
  std::vector<std::vector<std::size_t>> m_rows;  ///< of each pair
};

}  // namespace ulp::analysis
