#include "core/compat/msprobe/results/table_26.h"

#include <utility>

#include "core/compat/msprobe/pairs/statistic_difference.h"
#include "core/compat/msprobe/results/row_cells.h"
#include "core/compat/msprobe/results/verdict_26.h"

namespace ulp::compat::msprobe {
namespace {

Row26 comparedRow(const Sides& sides, const ComparedTensors& tensors, std::size_t pair) {
  Row26 row{.target = &sides.target.records[sides.pairs[pair].target],
            .golden = goldenOf(sides, sides.pairs[pair])};
  if (sides.mode == Mode::Tensor) {
    row.metrics = tensors.pairs[pair].metrics;
  }
  if (sides.mode == Mode::Statistics) {
    for (std::size_t each = 0; each < row.difference.size(); ++each) {
      DifferenceText text =
          statisticDifference26(row.target->statistics[each],
                                row.golden ? row.golden->statistics[each] : textCell("N/A"));
      row.difference[each] = std::move(text.difference);
      row.relative[each] = std::move(text.relative);
    }
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

void addValues(const Row26& row, Mode mode, RowCells& cells) {
  if (mode == Mode::Checksum) {
    cells.addChecksums(*row.target, row.golden);
    return;
  }
  if (mode == Mode::Statistics) {
    cells.add(row.difference);
    cells.add(row.relative);
  } else {
    cells.add(row.metrics);
  }
  cells.addStatistics(*row.target, row.golden);
}

}  // namespace

std::vector<std::string> titles26(const Sides& sides) {
  std::vector<std::string> titles = identityTitles();
  if (sides.mode == Mode::Checksum) {
    append(titles, {"NPU MD5", "BENCH MD5"});
  } else {
    append(titles, sides.mode == Mode::Statistics ? differenceTitles() : metricTitles());
    append(titles, statisticsTitles());
  }
  append(titles, {kGradTitle, "Result", "Err_message"});
  addOriginTitles(titles, sides);
  return titles;
}

void writeTable26(const Sides& sides, const ComparedTensors& tensors, TableFile& file) {
  std::vector<Row26> group;
  RowCells cells(sides);
  eachEntry(sides, [&](std::size_t first, std::size_t next) {
    group.clear();
    for (std::size_t each = first; each < next; ++each) {
      group.push_back(comparedRow(sides, tensors, each));
    }
    judge26(group, sides.mode);
    for (std::size_t each = first; each < next; ++each) {
      const Row26& row = group[each - first];
      cells.begin(*row.target, row.golden, "N/A");
      addValues(row, sides.mode, cells);
      cells.addFlag(gradOf(row.target) == gradOf(row.golden));
      cells.add(toString(row.verdict));
      cells.add(messagesText(row.messages));
      cells.addOrigin(sides.pairs[each], each == first);
      file.addRow(cells.cells(), Fill::None);
    }
  });
}

}  // namespace ulp::compat::msprobe
