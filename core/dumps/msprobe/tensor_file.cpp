#include "core/dumps/msprobe/tensor_file.h"

#include <fmt/format.h>

#include "core/tensors/npy.h"

namespace ulp::dumps::msprobe {

Result<tensors::Tensor> readTensorFile(const std::filesystem::path& path) {
  if (path.extension() == ".npy") {
    return tensors::readNpy(path);
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("{}: files of PyTorch cannot be read yet", path.string()));
}

}  // namespace ulp::dumps::msprobe
