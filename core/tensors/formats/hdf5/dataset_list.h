#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

/// What HDF5 itself says of a file of another tool. Called in a process of its own
/// (core/tensors/formats/hdf5/program), because the library does not survive every damaged file.
namespace ulp::tensors {

/// A dataset as its file describes it: nothing is compared with the size of the file.
struct Hdf5Dataset {
  static constexpr std::uint64_t kInPieces = std::numeric_limits<std::uint64_t>::max();

  TensorInfo info;                   ///< named by its path without the first slash
  std::uint64_t offset = kInPieces;  ///< of elements that lie in one piece as in memory
  bool isWidened = false;            ///< shownTensor() decodes what is read
  std::string refused;               ///< why it is not read; empty: it is
};

/// The datasets that hard links lead to, groups in the order of the file. Errors: Io, CorruptData
/// (`file: path: what`).
[[nodiscard]] Result<std::vector<Hdf5Dataset>> listDatasets(const std::filesystem::path& path);

/// Type and shape in one text: "float32 [2, 3]".
[[nodiscard]] std::string kindOf(const TensorInfo& info);

/// Elements of the dataset `name` through HDF5, as numberTypeOf() says. Errors: CorruptData, also
/// where the dataset is not of this kind and of `into.size()` bytes any more.
[[nodiscard]] Result<> readDataset(const std::filesystem::path& path,
                                   const std::string& name,
                                   const std::string& kind,
                                   std::span<std::byte> into);

/// The list as bytes, for the way from one process to another.
[[nodiscard]] std::string encoded(const std::vector<Hdf5Dataset>& datasets);
/// Believes nothing: CorruptData where the bytes are no list, Unsupported where another version of
/// Ulpscope wrote them.
[[nodiscard]] Result<std::vector<Hdf5Dataset>> decodedDatasets(const ByteSource& source);

}  // namespace ulp::tensors
