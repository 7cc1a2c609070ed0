#include "core/tensors/hdf5/dataset_shape.h"

#include <H5Dpublic.h>
#include <H5Spublic.h>

namespace ulp::tensors {

std::optional<std::vector<std::int64_t>> datasetShape(hid_t dataset) {
  const UniqueHid space(H5Dget_space(dataset));
  const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (rank < 0 || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    return std::nullopt;
  }
  std::vector<hsize_t> dimensions(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr) < 0) {
    return std::nullopt;
  }
  return std::vector<std::int64_t>(dimensions.begin(), dimensions.end());
}

}  // namespace ulp::tensors
