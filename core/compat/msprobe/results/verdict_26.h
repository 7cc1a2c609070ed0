#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/compat/msprobe/pairs/sides.h"
#include "core/compat/msprobe/results/row_cells.h"

namespace ulp::compat::msprobe {

enum class Verdict26 : std::uint8_t { Pass, Warning, Error };
[[nodiscard]] std::string toString(Verdict26 verdict);

/// A row of 26.x's table before it is written.
struct Row26 : ComparedRow {
  Verdict26 verdict = Verdict26::Pass;
  std::vector<std::string> messages{};
};

/// Judges the rows of one entry: what an operation adds between its inputs and its outputs, and
/// what does not fit in itself.
void judge26(std::span<Row26> rows, Mode mode);

}  // namespace ulp::compat::msprobe
