#include "core/compat/msprobe/results/table_26.h"

#include <span>

#include "core/compat/msprobe/results/row_cells.h"
#include "core/compat/msprobe/results/verdict_26.h"

namespace ulp::compat::msprobe {
namespace {

Row26 comparedRow(const Sides& sides, const ComparedTensors& tensors, std::size_t pair) {
  Row26 row;
  row.target = &sides.target.records[sides.pairs[pair].target];
  row.golden = goldenOf(sides, sides.pairs[pair]);
  if (sides.mode == Mode::Tensor) {
    row.metrics = tensors.pairs[pair].metrics;
  }
  if (sides.mode == Mode::Statistics) {
    compareStatistics26(row);
  }
  return row;
}

/// json.dumps of a list of plain words.
std::string messagesText(const std::vector<std::string>& messages) {
  std::string text = "[";
  for (const std::string& message : messages) {
    text += (text.size() > 1 ? ", \"" : "\"") + message + "\"";
  }
  return text + "]";
}

}  // namespace

std::vector<std::string> titles26(const Sides& sides) {
  return tableTitles(sides, "Result,Err_message");
}

void writeTable26(const Sides& sides, const ComparedTensors& tensors, TableFile& file) {
  RowCells cells(sides, Generation::V26);
  const auto make = [&](std::size_t pair) { return comparedRow(sides, tensors, pair); };
  const auto judge = [&](std::span<Row26> rows, std::size_t /*first*/) {
    judge26(rows, sides.mode);
    for (Row26& row : rows) {
      row.result = toString(row.verdict);
      row.message = messagesText(row.messages);
    }
  };
  writeRows(sides, cells, make, judge, file);
}

}  // namespace ulp::compat::msprobe
