#include <fmt/format.h>
#include <memory>
#include <utility>

#include "core/dumps/model/tensor_recipe.h"

namespace ulp::dumps {

std::shared_ptr<DerivedUnit> DerivedUnit::versionOf(const DumpUnit& unit) {
  auto version = std::make_shared<DerivedUnit>(unit.axes);
  version->stacks = unit.stacks;
  version->notes = unit.notes;
  version->structure = unit.structure;
  return version;
}

void DerivedUnit::addRow(DumpRow row, TensorRecipe recipe) {
  row.hasElements = hasElements(recipe);
  DumpUnit::addRow(std::move(row));
  m_recipes.push_back(std::move(recipe));
}

void DerivedUnit::addRowOf(const DumpUnitPtr& unit, std::size_t row) {
  addRow(unit->rows[row], rowRecipe(unit, row));
}

Result<tensors::Tensor> DerivedUnit::read(std::size_t row) const {
  if (!rows[row].hasElements) {
    return fail(ErrorCode::NotFound,
                fmt::format("'{}': no elements were recorded of what it is made of; record "
                            "tensors rather than statistics",
                            rows[row].name));
  }
  return makeTensor(m_recipes[row]);
}

Result<tensors::Tensor> DerivedUnit::look(std::size_t row) const {
  const TensorRecipe& recipe = m_recipes[row];
  // What has to be put together needs all of its parts.
  const bool isAsRecorded = rows[row].hasElements && recipe.kind == TensorRecipe::Kind::Row;
  return isAsRecorded ? recipe.unit->look(recipe.row) : read(row);
}

}  // namespace ulp::dumps
