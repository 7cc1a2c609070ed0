#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {

/// Objects of a file that is read; invalid where HDF5 refused.
[[nodiscard]] UniqueHid openHdf5(const std::filesystem::path& path);
[[nodiscard]] UniqueHid openGroup(hid_t parent, const std::string& name);
[[nodiscard]] UniqueHid openDataset(hid_t parent, const std::string& name);
/// Names of the links of a group, in the order of their making where the group kept it, else
/// sorted. Nothing when HDF5 refused.
[[nodiscard]] std::optional<std::vector<std::string>> linkNames(hid_t group);

}  // namespace ulp::tensors
