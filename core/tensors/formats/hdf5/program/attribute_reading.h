#pragma once

#include <string>
#include <vector>

#include "core/tensors/formats/hdf5/hdf5_contents.h"
#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {

/// Attributes of these names of a group or dataset, as far as it has them and they are texts of
/// fixed length or whole numbers.
[[nodiscard]] Hdf5Attributes readAttributes(hid_t object, const std::vector<std::string>& names);

}  // namespace ulp::tensors
