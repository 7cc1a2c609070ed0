#include "core/compat/msprobe/results/table_8.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "core/base/text/contains_text.h"
#include "core/compat/msprobe/pairs/process_pairs.h"

namespace ulp::compat::msprobe {
namespace {

/// The words that the advisor looks for, each of one mode.
bool isSuspect(const ComparedRow& row) {
  return row.result == "Different" || row.result == "Warning" || row.result == "No";
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
  switch (sides.mode) {
    case Mode::Checksum:
      return tableTitles(sides, "Result");
    case Mode::Tensor:
      return tableTitles(sides, "Accuracy Reached or Not,Err_message");
    case Mode::Statistics:
      break;
  }
  return tableTitles(sides, "Result,Err_message");
}

bool isColoured8(const Sides& sides, bool isHighlighted) {
  return isHighlighted && sides.pairs.size() <= kTooManyRows;
}

std::optional<Suspect> writeTable8(const Sides& sides,
                                   const ComparedTensors& tensors,
                                   bool isColoured,
                                   TableFile& file) {
  std::optional<Suspect> suspect;
  RowCells cells(sides, Generation::V8);
  const auto make = [&](std::size_t pair) {
    return makeRow8(
        sides, sides.pairs[pair], tensors.pairs.empty() ? nullptr : &tensors.pairs[pair]);
  };
  const auto judge = [&](std::span<ComparedRow> rows, std::size_t first) {
    if (isColoured && !isDebugFile(sides.target.path)) {
      highlight8(rows, sides.mode);
    }
    if (const auto found = std::ranges::find_if(rows, isSuspect); !suspect && found != rows.end()) {
      suspect =
          Suspect{first + static_cast<std::size_t>(found - rows.begin()), found->target->name};
    }
  };
  writeRows(sides, cells, make, judge, file);
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
