#include "core/tensors/formats/gguf/llama_permutation.h"

#include <cstring>
#include <string>
#include <utility>

#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {

Result<Tensor> undoLlamaPermutation(const numerics::TensorView& permuted, std::int64_t heads) {
  const std::int64_t rows = permuted.shape.empty() ? 0 : permuted.shape.front();
  if (heads <= 0 || rows <= 0 || rows % heads != 0 || rows / heads % 2 != 0) {
    return fail(ErrorCode::InvalidArgument,
                std::to_string(rows) + " rows cannot be divided into two halves of " +
                    std::to_string(heads) + " heads");
  }
  const std::size_t size = permuted.sizeBytes();
  auto memory = ULP_TRY(allocateBytes(size));
  const auto half = static_cast<std::size_t>(rows / heads / 2);
  const std::size_t rowBytes = size / static_cast<std::size_t>(rows);
  const auto* source = static_cast<const std::byte*>(permuted.data);
  std::byte* target = memory.get();
  for (std::size_t head = 0; head < static_cast<std::size_t>(heads); ++head) {
    for (std::size_t row = 0; row < 2 * half; ++row, target += rowBytes) {
      const std::size_t from = head * 2 * half + row % half * 2 + row / half;
      std::memcpy(target, source + from * rowBytes, rowBytes);
    }
  }
  Tensor result;
  result.view = {memory.get(), permuted.dtype, permuted.shape};
  result.owner = std::move(memory);
  return result;
}

}  // namespace ulp::tensors
