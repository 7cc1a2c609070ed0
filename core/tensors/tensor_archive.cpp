#include "core/tensors/tensor_archive.h"

namespace ulp::tensors {

Result<> checkIntact(const Tensor& tensor) {
  if (tensor.file == nullptr || tensor.file->isIntact()) {
    return {};
  }
  return fail(ErrorCode::CorruptData,
              tensor.file->path().string() +
                  ": the file became shorter while it was open; put the whole file back and open "
                  "the report again, or run the study again");
}

}  // namespace ulp::tensors
