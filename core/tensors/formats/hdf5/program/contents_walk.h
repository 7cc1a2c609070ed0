#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/formats/hdf5/hdf5_contents.h"

/// What HDF5 is asked to say of a file, in the process that may crash on it.
namespace ulp::tensors {

/// A file that is read.
struct Hdf5Input {
  std::string name;             ///< for messages
  std::filesystem::path place;  ///< where it is opened
};

/// The contents of a file, with the attributes of these names. Errors: Io, CorruptData
/// (`file: path: what`).
[[nodiscard]] Result<Hdf5Contents> listContents(const Hdf5Input& input,
                                                const std::vector<std::string>& attributes);

/// Elements of the dataset `name` through HDF5, as numberTypeOf() says. Errors: CorruptData, also
/// where the dataset is not of this kind and of `into.size()` bytes any more.
[[nodiscard]] Result<> readDataset(const Hdf5Input& input,
                                   const std::string& name,
                                   const std::string& kind,
                                   std::span<std::byte> into);

}  // namespace ulp::tensors
