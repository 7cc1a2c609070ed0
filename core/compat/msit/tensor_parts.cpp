#include "core/compat/msit/tensor_parts.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "core/tensors/archive/byte_source.h"

namespace ulp::compat::msit {
namespace {

using tensors::Tensor;
using Shape = std::vector<std::int64_t>;

/// A tensor seen as [outer, size of a dimension, bytes of what lies behind].
struct Blocks {
  std::size_t outer = 1;
  std::size_t size = 1;
  std::size_t innerBytes = 1;
};

Blocks blocksOf(const Tensor& tensor, std::size_t dimension) {
  const Shape& shape = tensor.view.shape;
  Blocks blocks{.innerBytes = itemSize(tensor.view.dtype)};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto size = static_cast<std::size_t>(shape[i]);
    (i < dimension ? blocks.outer : i == dimension ? blocks.size : blocks.innerBytes) *= size;
  }
  return blocks;
}

const std::byte* bytesOf(const Tensor& tensor) {
  return static_cast<const std::byte*>(tensor.view.data);
}

Tensor owning(const std::shared_ptr<std::byte[]>& bytes, DType dtype, Shape shape) {
  return {.view = {bytes.get(), dtype, std::move(shape)}, .owner = bytes};
}

bool canJoin(const Tensor& one, const Tensor& other, std::size_t dimension) {
  Shape shape = other.view.shape;
  if (one.view.dtype != other.view.dtype || shape.size() != one.view.shape.size()) {
    return false;
  }
  shape[dimension] = one.view.shape[dimension];
  return shape == one.view.shape;
}

}  // namespace

std::optional<std::size_t> joinDimension(const std::vector<Tensor>& own,
                                         const std::vector<Tensor>& other) {
  const Shape& ownShape = own.front().view.shape;
  const Shape& otherShape = other.front().view.shape;
  const auto parts = [](std::int64_t size, const std::vector<Tensor>& tensors) {
    return static_cast<double>(size) * static_cast<double>(tensors.size());
  };
  for (std::size_t i = 0; i < std::min(ownShape.size(), otherShape.size()); ++i) {
    const double ownSize = parts(ownShape[i], own);
    const bool isSplitOtherwise =
        ownSize == parts(otherShape[i], other) && ownShape[i] != otherShape[i];
    if (isSplitOtherwise || ownSize == static_cast<double>(otherShape[i])) {
      return i;
    }
  }
  return std::nullopt;
}

Result<Tensor> joined(const std::vector<Tensor>& parts, std::size_t dimension) {
  Shape shape = parts.front().view.shape;
  std::size_t total = 0;
  std::int64_t size = 0;
  for (const Tensor& part : parts) {
    if (!canJoin(parts.front(), part, dimension)) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("tensors of {} devices do not fit together along dimension {}",
                              parts.size(),
                              dimension));
    }
    total += part.view.sizeBytes();
    size += part.view.shape[dimension];
  }
  if (parts.size() == 1) {
    return parts.front();
  }
  auto bytes = ULP_TRY(tensors::allocateBytes(total));
  std::byte* into = bytes.get();
  const std::size_t outer = blocksOf(parts.front(), dimension).outer;
  for (std::size_t i = 0; i < outer; ++i) {
    for (const Tensor& part : parts) {
      const Blocks blocks = blocksOf(part, dimension);
      const std::size_t length = blocks.size * blocks.innerBytes;
      if (length > 0) {
        std::memcpy(into, bytesOf(part) + i * length, length);
        into += length;
      }
    }
  }
  shape[dimension] = size;
  return owning(bytes, parts.front().view.dtype, std::move(shape));
}

Result<Tensor> selected(const Tensor& tensor, std::size_t dimension, std::size_t index) {
  const Blocks blocks = blocksOf(tensor, dimension);
  auto bytes = ULP_TRY(tensors::allocateBytes(blocks.outer * blocks.innerBytes));
  for (std::size_t i = 0; i < blocks.outer && blocks.innerBytes > 0; ++i) {
    std::memcpy(bytes.get() + i * blocks.innerBytes,
                bytesOf(tensor) + (i * blocks.size + index) * blocks.innerBytes,
                blocks.innerBytes);
  }
  Shape shape = tensor.view.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  return owning(bytes, tensor.view.dtype, std::move(shape));
}

Result<Tensor> rotaryRow(const Tensor& table, std::int64_t length, std::size_t half) {
  const Shape& shape = table.view.shape;
  const auto fits = [&](std::size_t dimension) { return length >= 1 && length < shape[dimension]; };
  const auto index = static_cast<std::size_t>(length - 1);
  if (shape.size() == 4 && (fits(2) || fits(1))) {
    Result<Tensor> row = selected(table, fits(2) ? 2 : 1, index);
    if (row && row->view.shape.front() == 1) {
      row->view.shape.erase(row->view.shape.begin());
    }
    return row;
  }
  if (shape.size() == 3 && fits(0) && static_cast<std::int64_t>(half) < shape[2]) {
    Result<Tensor> pairs = selected(table, 0, index);
    if (!pairs) {
      return pairs;
    }
    Result<Tensor> row = selected(*pairs, 1, half);
    if (row) {
      row->view.shape.insert(row->view.shape.begin(), 1);
    }
    return row;
  }
  return table;
}

Result<Tensor> withoutRepeatedColumns(const Tensor& tensor) {
  const Shape& shape = tensor.view.shape;
  if (shape.size() != 2 || shape[0] != 1 || shape[1] < 2 || shape[1] % 2 != 0) {
    return tensor;
  }
  const auto columns = static_cast<std::size_t>(shape[1]);
  for (std::size_t i = 0; i < columns; i += 2) {
    if (numerics::elementAt(tensor.view, i) != numerics::elementAt(tensor.view, i + 1)) {
      return tensor;
    }
  }
  Tensor pairs = tensor;
  pairs.view.shape = {shape[1] / 2, 2};
  Result<Tensor> row = selected(pairs, 1, 0);
  if (row) {
    row->view.shape = {1, shape[1] / 2};
  }
  return row;
}

}  // namespace ulp::compat::msit
