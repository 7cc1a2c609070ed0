#include "core/dumps/msprobe/tensor_file.h"

#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/torch/torch_file.h"

namespace ulp::dumps::msprobe {

Result<tensors::Tensor> readTensorFile(const std::filesystem::path& path) {
  if (path.extension() == ".npy") {
    return tensors::readNpy(path);
  }
  return tensors::readTorchTensor(path);
}

}  // namespace ulp::dumps::msprobe
