#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/comparing/align/alignment_passes.h"
#include "core/comparing/align/fused_layout.h"
#include "core/comparing/match/entry_keys.h"
#include "core/comparing/match/row_identity.h"
#include "core/dumps/model/unit_edit.h"
#include "core/tensors/archive/tensor_archive.h"

/// What the passes of the alignment share: units that are edited, rows cut and turned, and elements
/// that tell how tensors lie.
namespace ulp::analysis {

/// A unit while a pass brings it to the tensors of the other one.
struct EditedSide {
  EditedSide(const dumps::DumpUnitPtr& whole, EntryKeys& itsKeys)
      : unit(whole), keys(itsKeys), edit(whole) {}

  [[nodiscard]] const dumps::DumpEntry& entry(std::size_t index) const {
    return unit->entries[index];
  }
  [[nodiscard]] const dumps::DumpRow& row(std::size_t index) const { return unit->rows[index]; }
  /// Returns the shapes of rows.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> shapesOf(
      const std::vector<std::size_t>& rows) const;
  /// Keeps the first reason why a row has no partner.
  void explain(std::size_t index, const std::string& reason) {
    reasons.emplace(row(index).name, reason);
  }

  dumps::DumpUnitPtr unit;
  EntryKeys& keys;
  dumps::UnitEdit edit;
  std::map<std::string, std::string> reasons;  ///< by name of the row
};

/// Gives a row of one side, and those of the other one that it is compared with, the same reason.
void explainBoth(EditedSide& side,
                 std::size_t row,
                 EditedSide& other,
                 const std::vector<std::size_t>& partners,
                 const std::string& reason);

/// Both units of a pair while a pass edits them.
struct EditedSides {
  EditedSides(const UnitSides& units, const SiteMapping& mapping);

  /// Puts what was made of the units in their place. Reasons of this pass go before earlier ones.
  /// Errors: those of EntryKeys::check(); the units stay as they are.
  [[nodiscard]] Result<> finish(UnitSides& units) &&;

  PairedKeys keys;
  EditedSide baseline;
  EditedSide candidate;
};

/// A row of a unit that is made of others.
using MadeRow = std::pair<dumps::DumpRow, dumps::TensorRecipe>;

/// Returns the row as it stands in the unit.
[[nodiscard]] MadeRow rowAsItIs(const dumps::DumpUnitPtr& unit, std::size_t row);
/// Cuts `runs` out of a row, `size` places along `dim`. Statistics and checksum go.
void slice(MadeRow& row, std::size_t dim, std::int64_t size, std::vector<dumps::Run> runs);
/// Exchanges dimension `dim` of a row, which it has, and the one behind it. The checksum goes.
void transpose(MadeRow& row, std::size_t dim);
/// Exchanges the last two dimensions of a row. The checksum goes.
void transpose(MadeRow& row);

/// Tells whether the call is one of a module (or of its gradients) of which the class is known.
[[nodiscard]] bool hasClass(const dumps::DumpEntry& entry);
/// Tells whether the class is transformers' module of GPT-2, y = x W + b, or made of it
/// (`QuantConv1D`, `GPT2FusedLinearConv1D_Row`).
[[nodiscard]] bool isConv1D(const dumps::DumpEntry& entry);
/// Tells whether by the modules of two calls one holds [in, out] and the other [out, in].
[[nodiscard]] bool areTransposedByClass(const dumps::DumpEntry& one, const dumps::DumpEntry& other);

/// Writes "[4, 2] is not made of [2, 2] and [3, 2]", with `what` behind the first shape.
[[nodiscard]] std::string notMadeOf(std::span<const std::int64_t> whole,
                                    std::string_view what,
                                    const std::vector<std::vector<std::int64_t>>& parts);

/// Reads rows, transposed where asked. Nothing: one of them cannot be read.
[[nodiscard]] std::optional<std::vector<tensors::Tensor>> readRows(
    const dumps::DumpUnitPtr& unit, const std::vector<std::size_t>& rows, bool isTransposed);
/// layoutErrors() of parts that were read. Nothing: a file changed meanwhile.
[[nodiscard]] std::optional<std::vector<double>> intactErrors(
    const numerics::TensorView& whole,
    const std::vector<tensors::Tensor>& parts,
    const FusedCut& cut,
    std::span<const std::int64_t> groups);

}  // namespace ulp::analysis
