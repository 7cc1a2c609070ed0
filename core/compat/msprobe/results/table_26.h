#pragma once

#include <string>
#include <vector>

#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/pairs/sides.h"

namespace ulp::compat::msprobe {

[[nodiscard]] std::vector<std::string> titles26(const Sides& sides);
/// Compares, judges and writes the rows; `tensors` is empty where there are none.
void writeTable26(const Sides& sides, const ComparedTensors& tensors, TableFile& file);

}  // namespace ulp::compat::msprobe
