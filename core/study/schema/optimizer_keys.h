#pragma once

#include <vector>

#include "core/study/schema/schema.h"

namespace ulp::study {

/// The schema's keys of the section `optimizer`.
[[nodiscard]] std::vector<Key> optimizerKeys();

}  // namespace ulp::study
