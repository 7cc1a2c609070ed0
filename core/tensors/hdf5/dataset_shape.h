#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/tensors/hdf5/unique_hid.h"

namespace ulp::tensors {

/// Reads the shape of a dataset; nothing where it is no array (H5S_NULL), or HDF5 refuses.
[[nodiscard]] std::optional<std::vector<std::int64_t>> datasetShape(hid_t dataset);

}  // namespace ulp::tensors
