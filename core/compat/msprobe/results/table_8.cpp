#include "core/compat/msprobe/results/table_8.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/base/text/contains_text.h"
#include "core/compat/msprobe/pairs/process_pairs.h"
#include "core/compat/msprobe/results/highlight_8.h"
#include "core/compat/msprobe/results/row_8.h"
#include "core/compat/msprobe/results/row_cells.h"

namespace ulp::compat::msprobe {
namespace {

void fill(const Row8& row, const Sides& sides, RowCells& cells) {
  cells.begin(*row.target, row.golden, "None");
  if (sides.mode == Mode::Checksum) {
    cells.addChecksums(*row.target, row.golden);
  } else {
    if (sides.mode == Mode::Statistics) {
      cells.add(row.difference);
      cells.add(row.relative);
    } else {
      cells.add(row.metrics);
    }
    cells.addStatistics(*row.target, row.golden);
  }
  cells.addFlag(row.isGradConsistent);
  cells.add(row.result);
  if (sides.mode != Mode::Checksum) {
    cells.add(row.message);
  }
}

std::string_view adviceFor(std::string_view name) {
  const bool isForward = containsText(name, "forward");
  if (containsText(name, "input")) {
    return isForward ? "Look at where this input comes from; an API that works in place may have "
                       "overwritten it, or memory was corrupted."
                     : "Check whether the result of the forward computation was affected already.";
  }
  for (const std::string_view api :
       {"conv2d", "conv3d", "matmul", "nll_loss", "layer_norm", "lstm"}) {
    if (containsText(name, api)) {
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
    append(titles, {"NPU MD5", "BENCH MD5", kGradTitle, "Result"});
  } else {
    const bool isTensor = sides.mode == Mode::Tensor;
    append(titles, isTensor ? metricTitles() : differenceTitles());
    append(titles, statisticsTitles());
    append(titles, {kGradTitle, isTensor ? "Accuracy Reached or Not" : "Result", "Err_message"});
  }
  addOriginTitles(titles, sides);
  return titles;
}

bool isColoured8(const Sides& sides, bool isHighlighted) {
  return isHighlighted && sides.pairs.size() <= kTooManyRows;
}

std::optional<Suspect> writeTable8(const Sides& sides,
                                   const ComparedTensors& tensors,
                                   bool isColoured,
                                   TableFile& file) {
  std::optional<Suspect> suspect;
  std::vector<Row8> group;
  RowCells cells(sides);
  eachEntry(sides, [&](std::size_t first, std::size_t next) {
    group.clear();
    for (std::size_t each = first; each < next; ++each) {
      group.push_back(makeRow8(
          sides, sides.pairs[each], tensors.pairs.empty() ? nullptr : &tensors.pairs[each]));
    }
    if (isColoured && !isDebugFile(sides.target.path)) {
      highlight8(group, sides.mode);
    }
    for (std::size_t each = first; each < next; ++each) {
      const Row8& made = group[each - first];
      if (!suspect && isSuspect(made, sides.mode)) {
        suspect = Suspect{each, made.target->name};
      }
      fill(made, sides, cells);
      cells.addOrigin(sides.pairs[each], each == first);
      file.addRow(cells.cells(), made.fill);
    }
  });
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
