#include "core/compat/msprobe/table_26.h"

#include <iterator>
#include <utility>

#include "core/compat/msprobe/statistic_difference.h"
#include "core/compat/msprobe/verdict_26.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::Record;

void append(std::vector<std::string>& titles, std::vector<std::string> more) {
  titles.insert(
      titles.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Row26 compare(const Sides& sides, const ComparedTensors& tensors, std::size_t pair) {
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

class RowCells {
 public:
  RowCells(const Sides& sides, std::vector<Cell>& cells) : m_sides(sides), m_cells(cells) {}

  void fill(const Row26& row, const Pair& pair, bool isFirst) {
    m_cells.clear();
    addIdentity(row);
    addValues(row);
    add(grad(row.target) == grad(row.golden) ? "True" : "False");
    add(toString(row.verdict));
    add(messagesText(row.messages));
    if (m_sides.hasStacks) {
      add(m_sides.stackText(pair.entry, isFirst));
    }
    if (m_sides.mode == Mode::Tensor) {
      add(m_sides.fileNames(pair));
    }
  }

 private:
  void add(std::string text) { m_cells.push_back(textCell(std::move(text))); }
  static std::string grad(const Record* record) {
    return record == nullptr ? "N/A" : orNotAvailable(record->requiresGrad);
  }

  void addIdentity(const Row26& row) {
    const Record& target = *row.target;
    const Record* golden = row.golden;
    add(target.name);
    add(golden ? golden->name : "N/A");
    add(target.dtype.value_or("N/A"));
    add(golden ? golden->dtype.value_or("N/A") : "N/A");
    add(target.shape.value_or("N/A"));
    add(golden ? golden->shape.value_or("N/A") : "N/A");
    add(grad(row.target));
    add(grad(row.golden));
  }

  void addValues(const Row26& row) {
    if (m_sides.mode == Mode::Checksum) {
      add(orNotAvailable(row.target->checksum));
      add(row.golden ? orNotAvailable(row.golden->checksum) : "N/A");
      return;
    }
    if (m_sides.mode == Mode::Statistics) {
      for (const std::string& text : row.difference) {
        add(text);
      }
      for (const std::string& text : row.relative) {
        add(text);
      }
    } else {
      for (const Metric& metric : row.metrics) {
        m_cells.push_back(toCell(metric));
      }
    }
    addStatistics(m_cells, *row.target, row.golden);
  }

  const Sides& m_sides;
  std::vector<Cell>& m_cells;
};

}  // namespace

std::vector<std::string> titles26(const Sides& sides) {
  std::vector<std::string> titles = identityTitles();
  if (sides.mode == Mode::Checksum) {
    append(titles, {"NPU MD5", "BENCH MD5"});
  } else {
    append(titles, sides.mode == Mode::Statistics ? differenceTitles() : metricTitles());
    append(titles, statisticsTitles());
  }
  append(titles, {"Requires_grad Consistent", "Result", "Err_message"});
  if (sides.hasStacks) {
    titles.emplace_back("NPU_Stack_Info");
  }
  if (sides.mode == Mode::Tensor) {
    titles.emplace_back("Data_name");
  }
  return titles;
}

void writeTable26(const Sides& sides, const ComparedTensors& tensors, TableFile& file) {
  std::vector<Row26> group;
  std::vector<Cell> cells;
  RowCells row(sides, cells);
  for (std::size_t first = 0; first < sides.pairs.size();) {
    group.clear();
    std::size_t next = first;
    for (; next < sides.pairs.size() && sides.pairs[next].entry == sides.pairs[first].entry;
         ++next) {
      group.push_back(compare(sides, tensors, next));
    }
    judge26(group, sides.mode);
    for (std::size_t each = first; each < next; ++each) {
      row.fill(group[each - first], sides.pairs[each], each == first);
      file.addRow(cells, Fill::None);
    }
    first = next;
  }
}

}  // namespace ulp::compat::msprobe
