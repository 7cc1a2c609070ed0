#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/pairs/sides.h"

namespace ulp::compat::msprobe {

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
