#pragma once

#include "core/base/dtype.h"
#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {

/// The HDF5 type that stores elements of `dtype` as they are in memory: IEEE and integer types,
/// bfloat16 and float8 as floating-point types of that layout, bool as h5py's enumeration of FALSE
/// and TRUE. Invalid only when the library is out of memory.
[[nodiscard]] UniqueHid makeElementType(DType dtype);

}  // namespace ulp::tensors
