#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tensors/hdf5/unique_hid.h"

namespace ulp::tensors {

/// A dataset of texts: UTF-8 of fixed length, padded with zeros. False or nothing: HDF5 refused, or
/// the dataset holds something else.
[[nodiscard]] bool writeTexts(hid_t group, const char* name, const std::vector<std::string>& texts);
[[nodiscard]] std::optional<std::vector<std::string>> readTexts(hid_t group, const char* name);

}  // namespace ulp::tensors
