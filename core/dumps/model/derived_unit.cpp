#include "core/dumps/model/derived_unit.h"

#include <fmt/format.h>
#include <utility>

namespace ulp::dumps {

std::shared_ptr<DerivedUnit> DerivedUnit::versionOf(const DumpUnit& unit) {
  auto version = std::make_shared<DerivedUnit>(unit.axes);
  version->stacks = unit.stacks;
  version->notes = unit.notes;
  version->structure = unit.structure;
  return version;
}

std::size_t DerivedUnit::addEntry(DumpEntry entry) {
  entry.firstRow = rows.size();
  entry.rowCount = 0;
  entries.push_back(std::move(entry));
  return entries.size() - 1;
}

void DerivedUnit::addRow(DumpRow row, TensorRecipe recipe) {
  row.hasElements = hasElements(recipe);
  rows.push_back(std::move(row));
  m_recipes.push_back(std::move(recipe));
  entries.back().rowCount += 1;
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

}  // namespace ulp::dumps
