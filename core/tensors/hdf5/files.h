#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/tensors/hdf5/unique_hid.h"
#include "core/tensors/hdf5/write_driver.h"

namespace ulp::tensors {

/// Creates an HDF5 file in this project's way: format of HDF5 1.8 (read by every version since),
/// tensors aligned so that they can be mapped, no file locks (shared file systems refuse them; a
/// file is written by one process under a name of its own). Invalid when HDF5 refused; `health`
/// tells of writes that failed, also those of closing the file, and must outlive it.
[[nodiscard]] UniqueHid createHdf5(const std::filesystem::path& path, WriteHealth& health);
[[nodiscard]] UniqueHid openHdf5(const std::filesystem::path& path);

/// A group that keeps the order in which its links were made.
[[nodiscard]] UniqueHid createGroup(hid_t parent, const std::string& name);
[[nodiscard]] UniqueHid openGroup(hid_t parent, const std::string& name);
/// Names of the links of a group, in the order of their making where the group kept it, else
/// sorted. Nothing when HDF5 refused.
[[nodiscard]] std::optional<std::vector<std::string>> linkNames(hid_t group);

}  // namespace ulp::tensors
