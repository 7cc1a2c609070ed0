#include "core/compat/msit/tensor_parts.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/dumps/model/tensor_recipe.h"

namespace ulp::compat::msit {
namespace {

using tensors::Tensor;
using Shape = std::vector<std::int64_t>;

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
  const bool fits = std::ranges::all_of(
      parts, [&](const Tensor& part) { return canJoin(parts.front(), part, dimension); });
  if (!fits) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("tensors of {} devices do not fit together along dimension {}",
                            parts.size(),
                            dimension));
  }
  return parts.size() == 1 ? parts.front() : dumps::concatenated(parts, dimension);
}

Result<Tensor> selected(const Tensor& tensor, std::size_t dimension, std::size_t index) {
  auto part = ULP_TRY(dumps::sliced(tensor, dimension, {{static_cast<std::int64_t>(index), 1}}));
  part.view.shape.erase(part.view.shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  return part;
}

Result<Tensor> rotaryRow(const Tensor& table, std::int64_t length, std::size_t half) {
  const Shape& shape = table.view.shape;
  const auto fits = [&](std::size_t dimension) { return length >= 1 && length < shape[dimension]; };
  const auto index = static_cast<std::size_t>(length - 1);
  if (shape.size() == 4 && (fits(2) || fits(1))) {
    Tensor row = ULP_TRY(selected(table, fits(2) ? 2 : 1, index));
    if (row.view.shape.front() == 1) {
      row.view.shape.erase(row.view.shape.begin());
    }
    return row;
  }
  if (shape.size() == 3 && fits(0) && static_cast<std::int64_t>(half) < shape[2]) {
    const Tensor pairs = ULP_TRY(selected(table, 0, index));
    Tensor row = ULP_TRY(selected(pairs, 1, half));
    row.view.shape.insert(row.view.shape.begin(), 1);
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
  Tensor row = ULP_TRY(selected(pairs, 1, 0));
  row.view.shape = {1, shape[1] / 2};
  return row;
}

}  // namespace ulp::compat::msit
