#include "core/compat/msprobe/results/row_cells.h"

#include <iterator>
#include <utility>

namespace ulp::compat::msprobe {

using dumps::msprobe::Record;

void RowCells::begin(const Record& target, const Record* golden, std::string_view missing) {
  m_cells.clear();
  const std::string none(missing);
  add(target.name);
  add(golden ? golden->name : "N/A");
  add(target.dtype.value_or(none));
  add(golden ? golden->dtype.value_or(none) : "N/A");
  add(target.shape.value_or(none));
  add(golden ? golden->shape.value_or(none) : "N/A");
  add(gradOf(&target));
  add(gradOf(golden));
}

void RowCells::add(std::string text) {
  m_cells.push_back(textCell(std::move(text)));
}

void RowCells::add(std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    add(text);
  }
}

void RowCells::add(std::span<const Cell> cells) {
  m_cells.insert(m_cells.end(), cells.begin(), cells.end());
}

void RowCells::add(const Metrics& metrics) {
  for (const Metric& metric : metrics) {
    m_cells.push_back(toCell(metric));
  }
}

void RowCells::addFlag(bool flag) {
  m_cells.push_back(flagCell(flag));
}

void RowCells::addChecksums(const Record& target, const Record* golden) {
  add(orNotAvailable(target.checksum));
  add(golden ? orNotAvailable(golden->checksum) : "N/A");
}

void RowCells::addStatistics(const Record& target, const Record* golden) {
  msprobe::addStatistics(m_cells, target, golden);
}

void RowCells::addOrigin(const Pair& pair, bool isFirstOfEntry) {
  if (m_sides.hasStacks) {
    add(m_sides.stackText(pair.entry, isFirstOfEntry));
  }
  if (m_sides.mode == Mode::Tensor) {
    add(m_sides.fileNames(pair));
  }
}

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void addOriginTitles(std::vector<std::string>& titles, const Sides& sides) {
  if (sides.hasStacks) {
    titles.emplace_back("NPU_Stack_Info");
  }
  if (sides.mode == Mode::Tensor) {
    titles.emplace_back("Data_name");
  }
}

}  // namespace ulp::compat::msprobe
