#include "core/compat/msprobe/table_8.h"

#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "core/compat/msprobe/highlight_8.h"
#include "core/compat/msprobe/row_8.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::Record;

/// From here on msprobe colours nothing.
constexpr std::size_t kTooManyRows = 1'048'500;

void append(std::vector<std::string>& titles, std::vector<std::string> more) {
  titles.insert(
      titles.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class RowCells {
 public:
  RowCells(const Sides& sides, std::vector<Cell>& cells) : m_sides(sides), m_cells(cells) {}

  void fill(const Row8& row, const Pair& pair, bool isFirst) {
    m_cells.clear();
    addIdentity(row);
    addValues(row);
    add(row.isGradConsistent ? "True" : "False");
    add(row.result);
    if (m_sides.mode != Mode::Checksum) {
      add(row.message);
    }
    if (m_sides.hasStacks) {
      add(m_sides.stackText(pair.entry, isFirst));
    }
    if (m_sides.mode == Mode::Tensor) {
      add(m_sides.fileNames(pair));
    }
  }

 private:
  void add(std::string text) { m_cells.push_back(textCell(std::move(text))); }

  void addIdentity(const Row8& row) {
    const Record& target = *row.target;
    const Record* golden = row.golden;
    add(target.name);
    add(golden ? golden->name : "N/A");
    add(target.dtype.value_or("None"));
    add(golden ? golden->dtype.value_or("None") : "N/A");
    add(target.shape.value_or("None"));
    add(golden ? golden->shape.value_or("None") : "N/A");
    add(orNotAvailable(target.requiresGrad));
    add(golden ? orNotAvailable(golden->requiresGrad) : "N/A");
  }

  void addValues(const Row8& row) {
    if (m_sides.mode == Mode::Checksum) {
      add(orNotAvailable(row.target->checksum));
      add(row.golden ? orNotAvailable(row.golden->checksum) : "N/A");
      return;
    }
    if (m_sides.mode == Mode::Statistics) {
      m_cells.insert(m_cells.end(), row.difference.begin(), row.difference.end());
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

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view adviceFor(std::string_view name) {
  const bool isForward = has(name, "forward");
  if (has(name, "input")) {
    return isForward ? "Look at where this input comes from; an API that works in place may have "
                       "overwritten it, or memory was corrupted."
                     : "Check whether the result of the forward computation was affected already.";
  }
  for (const std::string_view api :
       {"conv2d", "conv3d", "matmul", "nll_loss", "layer_norm", "lstm"}) {
    if (has(name, api)) {
      return "This API may give other results each time; use seed_all(mode=True).";
    }
  }
  return isForward
             ? "This is a forward API computation error. Check the computation implementation."
             : "This is a backward API computation error. Check the computation implementation.";
}

}  // namespace

std::vector<std::string> titles8(const Sides& sides) {
  std::vector<std::string> titles = identityTitles();
  if (sides.mode == Mode::Checksum) {
    append(titles, {"NPU MD5", "BENCH MD5", "Requires_grad Consistent", "Result"});
  } else {
    const bool isTensor = sides.mode == Mode::Tensor;
    append(titles, isTensor ? metricTitles() : differenceTitles());
    append(titles, statisticsTitles());
    append(titles,
           {"Requires_grad Consistent",
            isTensor ? "Accuracy Reached or Not" : "Result",
            "Err_message"});
  }
  if (sides.hasStacks) {
    titles.emplace_back("NPU_Stack_Info");
  }
  if (sides.mode == Mode::Tensor) {
    titles.emplace_back("Data_name");
  }
  return titles;
}

std::optional<Suspect> writeTable8(const Sides& sides,
                                   const ComparedTensors& tensors,
                                   bool isHighlighted,
                                   TableFile& file) {
  const bool isColoured = isHighlighted && sides.pairs.size() <= kTooManyRows;
  std::optional<Suspect> suspect;
  std::vector<Row8> group;
  std::vector<Cell> cells;
  RowCells row(sides, cells);
  for (std::size_t first = 0; first < sides.pairs.size();) {
    group.clear();
    std::size_t next = first;
    for (; next < sides.pairs.size() && sides.pairs[next].entry == sides.pairs[first].entry;
         ++next) {
      group.push_back(makeRow8(
          sides, sides.pairs[next], tensors.pairs.empty() ? nullptr : &tensors.pairs[next]));
    }
    if (isColoured) {
      highlight8(group, sides.mode);
    }
    for (std::size_t each = first; each < next; ++each) {
      const Row8& made = group[each - first];
      if (!suspect && isSuspect(made, sides.mode)) {
        suspect = Suspect{each, made.target->name};
      }
      row.fill(made, sides.pairs[each], each == first);
      file.addRow(cells, made.fill);
    }
    first = next;
  }
  return suspect;
}

std::string adviceOn(const std::optional<Suspect>& suspect) {
  if (!suspect) {
    return "Line: NA\nSuspect Nodes: NA\nExpert Advice: All data in comparison result meets the "
           "accuracy requirements.\n";
  }
  return fmt::format("Line: {}\nSuspect Nodes: {}\nExpert Advice: {}\n",
                     suspect->row,
                     suspect->name,
                     adviceFor(suspect->name));
}

}  // namespace ulp::compat::msprobe
