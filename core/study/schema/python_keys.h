#pragma once

#include <vector>

#include "core/study/schema/schema.h"

namespace ulp::study {

/// Keys of runs that the Python engine alone knows; part of schemaKeys().
[[nodiscard]] std::vector<Key> pythonKeys();

}  // namespace ulp::study
