#pragma once

#include <string>

#include "core/base/dtype.h"
#include "core/tensors/hdf5/unique_hid.h"

namespace ulp::tensors {

/// How elements of an HDF5 type are read.
struct NumberType {
  std::string storedAs;          ///< "float32", "big-endian float32", "uint64", "text"
  DType dtype = DType::Float32;  ///< of what is shown
  UniqueHid memory{};            ///< type to read into memory as; invalid: not read
  bool isMapped = false;         ///< elements may be shown where they lie
  bool isWidened = false;        ///< widened() turns what was read into `dtype`
  std::size_t itemSize = 0;      ///< of `memory`
};

/// Any type gives something: what is no number is named in `storedAs` and has no `memory`.
[[nodiscard]] NumberType numberTypeOf(hid_t type);

}  // namespace ulp::tensors
