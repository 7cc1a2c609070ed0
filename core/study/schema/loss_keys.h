#pragma once

#include <vector>

#include "core/study/schema/schema.h"

namespace ulp::study {

/// The schema's keys of the section `loss`.
[[nodiscard]] std::vector<Key> lossKeys();

}  // namespace ulp::study
