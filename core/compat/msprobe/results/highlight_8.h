#pragma once

#include <span>

#include "core/compat/msprobe/results/row_8.h"

namespace ulp::compat::msprobe {

/// Colours the rows of one entry (-hl) and appends why: red for what is wrong by itself or from
/// input to output, yellow for what is worth a look. Only statistics and tensors.
void highlight8(std::span<Row8> rows, Mode mode);

}  // namespace ulp::compat::msprobe
