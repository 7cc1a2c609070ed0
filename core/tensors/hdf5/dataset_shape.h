#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/tensors/hdf5/unique_hid.h"

namespace ulp::tensors {

/// Nothing: no array (H5S_NULL), or HDF5 refused.
[[nodiscard]] std::optional<std::vector<std::int64_t>> datasetShape(hid_t dataset);

}  // namespace ulp::tensors
