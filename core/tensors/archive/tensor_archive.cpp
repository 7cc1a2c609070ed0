#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

Result<> checkIntact(const Tensor& tensor) {
  return checkIntact(tensor.file.get());
}

Result<> checkIntact(const MappedFile* file) {
  if (file == nullptr || file->isIntact()) {
    return {};
  }
  return fail(ErrorCode::CorruptData,
              file->path().string() +
                  ": the file became shorter while it was open; put the whole file back and open "
                  "it again, or make it anew");
}

}  // namespace ulp::tensors
