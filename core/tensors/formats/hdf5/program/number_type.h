#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {

/// How elements of an HDF5 type are read.
struct NumberType {
  std::string storedAs;          ///< "float32", "big-endian float32", "uint64", "text"
  DType dtype = DType::Float32;  ///< of what is shown
  UniqueHid memory{};            ///< type to read into memory as; invalid: not read
  bool isMapped = false;         ///< elements may be shown where they lie
  bool isWidened = false;        ///< what was read is decoded into `dtype`
  std::size_t itemSize = 0;      ///< of `memory`
  bool isText = false;           ///< texts of fixed length: no number, yet it has `memory`
};

/// Any type gives something: what is no number is named in `storedAs` and has no `memory`.
[[nodiscard]] NumberType numberTypeOf(hid_t type);

/// Reads the shape of a dataset; nothing where it is no array (H5S_NULL), or HDF5 refuses.
[[nodiscard]] std::optional<std::vector<std::int64_t>> datasetShape(hid_t dataset);

}  // namespace ulp::tensors
