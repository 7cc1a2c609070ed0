#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/model/tensor_recipe.h"

namespace ulp::dumps {

/// A unit whose tensors are made of those of other units: parts of what one call put out together,
/// or what several ranks hold of one tensor.
class DerivedUnit final : public DumpUnit {
 public:
  explicit DerivedUnit(UnitAxes of) { axes = std::move(of); }
  /// A version of `unit`: its axes, stacks, notes and structure, no entry yet.
  [[nodiscard]] static std::shared_ptr<DerivedUnit> versionOf(const DumpUnit& unit);

  /// Starts an entry; rows that are added after it are its own. Returns its number.
  std::size_t addEntry(DumpEntry entry);
  /// A row of the last entry. It has elements where the recipe can be made.
  void addRow(DumpRow row, TensorRecipe recipe);
  /// The same row as it stands in `unit`.
  void addRowOf(const DumpUnitPtr& unit, std::size_t row);

  /// What the row is made of.
  [[nodiscard]] const TensorRecipe& recipe(std::size_t row) const { return m_recipes[row]; }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override;

 private:
  std::vector<TensorRecipe> m_recipes;  ///< parallel to the rows
};

}  // namespace ulp::dumps
