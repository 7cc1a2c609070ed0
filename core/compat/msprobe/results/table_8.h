#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/pairs/sides.h"
#include "core/compat/msprobe/results/row_cells.h"

namespace ulp::compat::msprobe {

/// Compares and judges one row of 8.x's table; `tensors` is of its pair, null outside tensor dumps.
[[nodiscard]] ComparedRow makeRow8(const Sides& sides,
                                   const Pair& pair,
                                   const TensorComparison* tensors);

[[nodiscard]] std::vector<std::string> titles8(const Sides& sides);

/// Above 1,048,500 rows msprobe writes the sheet as if no colours were asked for.
[[nodiscard]] bool isColoured8(const Sides& sides, bool isHighlighted);

/// The first row whose verdict is bad.
struct Suspect {
  std::size_t row = 0;
  std::string name;
};
/// Compares, judges, colours (where asked for; nothing of debug.json) and writes the rows.
[[nodiscard]] std::optional<Suspect> writeTable8(const Sides& sides,
                                                 const ComparedTensors& tensors,
                                                 bool isColoured,
                                                 TableFile& file);
/// Content of advisor_*.txt.
[[nodiscard]] std::string adviceOn(const std::optional<Suspect>& suspect);

}  // namespace ulp::compat::msprobe
