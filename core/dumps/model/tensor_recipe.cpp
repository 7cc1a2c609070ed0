#include "core/dumps/model/tensor_recipe.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/base/files/in_pieces.h"
#include "core/numerics/scalar_formats.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::dumps {
namespace {

using numerics::TensorView;
using tensors::Tensor;
using Shape = std::vector<std::int64_t>;

constexpr std::size_t kAddedAtOnce = 2048;  ///< elements that are added at once

/// The first recorded row that is in it; null: there is none.
const TensorRecipe* firstRow(const TensorRecipe& recipe) {
  const TensorRecipe* of = &recipe;
  while (of->kind != TensorRecipe::Kind::Row) {
    if (of->parts.empty()) {
      return nullptr;
    }
    of = &of->parts.front();
  }
  return of;
}

/// "step 0, rank 1", of the first recorded row that is in it.
std::string placeOf(const TensorRecipe& recipe) {
  const TensorRecipe* row = firstRow(recipe);
  return row == nullptr ? "nothing" : describe(row->unit->axes);
}

/// "rank 1: 'Module.norm.forward.0.output.0'", of the same row.
std::string nameOf(const TensorRecipe& recipe) {
  const TensorRecipe* row = firstRow(recipe);
  const std::string place = placeOf(recipe);
  return row == nullptr
             ? place
             : fmt::format(
                   "{}{}'{}'", place, place.empty() ? "" : ": ", row->unit->rows[row->row].name);
}

/// Sizes of a tensor around one of its dimensions.
struct Extent {
  std::size_t outer = 1;
  std::size_t size = 1;
  std::size_t inner = 1;  ///< in bytes
};

Extent extentOf(const TensorView& view, std::size_t dim) {
  const auto product = [&](std::size_t from, std::size_t to) {
    return std::accumulate(
        view.shape.begin() + static_cast<std::ptrdiff_t>(from),
        view.shape.begin() + static_cast<std::ptrdiff_t>(to),
        std::size_t{1},
        [](std::size_t n, std::int64_t d) { return n * static_cast<std::size_t>(d); });
  };
  return {product(0, dim),
          static_cast<std::size_t>(view.shape[dim]),
          product(dim + 1, view.shape.size()) * itemSize(view.dtype)};
}

std::int64_t countOf(const std::vector<Run>& runs) {
  std::int64_t count = 0;
  for (const Run& run : runs) {
    count += run.count;
  }
  return count;
}

tl::unexpected<Error> failOtherShape(const TensorRecipe& recipe, const Shape& shape) {
  return fail(ErrorCode::CorruptData,
              fmt::format("{}: its shape [{}] is not the one that was recorded",
                          nameOf(recipe),
                          fmt::join(shape, ", ")));
}

/// What was copied need not stay in memory as well.
void release(const Tensor& tensor) {
  if (tensor.file) {
    tensor.file->release(tensor.view.bytes());
  }
}

/// What a row of a derived unit is made of stands for it.
const TensorRecipe& seenThrough(const TensorRecipe& recipe) {
  const TensorRecipe* of = &recipe;
  while (of->kind == TensorRecipe::Kind::Row && of->unit->rows[of->row].hasElements) {
    const auto* derived = dynamic_cast<const DerivedUnit*>(of->unit.get());
    if (derived == nullptr) {
      break;
    }
    of = &derived->recipe(of->row);
  }
  return *of;
}

Shape recordedShape(const TensorRecipe& recipe);

/// Empty: it was not recorded, or the parts do not go together.
Shape shapeOfParts(const TensorRecipe& recipe) {
  Shape whole = recordedShape(recipe.parts.front());
  const std::size_t dim = placeOfDimension(recipe.dim, whole.size());
  for (std::size_t each = 1; dim != kNone && each < recipe.parts.size(); ++each) {
    Shape part = recordedShape(recipe.parts[each]);
    if (part.size() != whole.size()) {
      return {};
    }
    const std::int64_t size = part[dim];
    part[dim] = whole[dim];
    if (part != whole) {
      return {};
    }
    whole[dim] += size;
  }
  return dim == kNone ? Shape{} : whole;
}

/// As its rows say, without reading them. Empty: it is not told.
Shape recordedShape(const TensorRecipe& recipe) {
  const TensorRecipe& of = seenThrough(recipe);
  if (of.kind == TensorRecipe::Kind::Row) {
    return of.unit->rows[of.row].shape;
  }
  if (of.parts.empty()) {
    return {};
  }
  if (of.kind == TensorRecipe::Kind::Concat) {
    return shapeOfParts(of);
  }
  if (of.kind == TensorRecipe::Kind::Reshape) {
    return of.shape;
  }
  Shape shape = recordedShape(of.parts.front());
  if (of.kind == TensorRecipe::Kind::Transpose) {
    const std::size_t dim = placeOfDimension(of.dim, shape.size());
    if (dim == kNone || dim + 1 == shape.size()) {
      return {};
    }
    std::swap(shape[dim], shape[dim + 1]);
  }
  if (of.kind == TensorRecipe::Kind::Slice) {
    const std::size_t dim = placeOfDimension(of.dim, shape.size());
    if (dim == kNone) {
      return {};
    }
    shape[dim] = countOf(of.runs);
  }
  return shape;
}

/// The parts of `whole`, put together along `dim`, that `run` lies in.
void addParts(const TensorRecipe& whole, std::size_t dim, Run run, std::vector<TensorRecipe>& to) {
  std::int64_t begin = 0;
  for (const TensorRecipe& part : whole.parts) {
    const std::int64_t size = recordedShape(part)[dim];
    const std::int64_t first = std::max(run.first, begin);
    const std::int64_t end = std::min(run.first + run.count, begin + size);
    if (first < end) {
      to.push_back(sliceOf(part, static_cast<std::int64_t>(dim), {{first - begin, end - first}}));
    }
    begin += size;
  }
}

/// A slice of a tensor that is put together, as what is put together of slices: only what is
/// needed is read, and nothing made of all. Nothing: it is not such a slice, or shapes do not fit,
/// which the usual way says.
std::optional<TensorRecipe> pushedIn(const TensorRecipe& slice) {
  const TensorRecipe& whole = seenThrough(slice.parts.front());
  const bool isConcat = whole.kind == TensorRecipe::Kind::Concat;
  if (!isConcat && whole.kind != TensorRecipe::Kind::Slice) {
    return std::nullopt;
  }
  const Shape shape = recordedShape(whole);
  const std::size_t dim = placeOfDimension(slice.dim, shape.size());
  const std::size_t inner = placeOfDimension(whole.dim, shape.size());
  const bool fits =
      dim != kNone && inner != kNone && std::ranges::all_of(slice.runs, [&](const Run& run) {
        return run.first >= 0 && run.count > 0 && run.first <= shape[dim] - run.count;
      });
  // Of two slices the one along the earlier dimension comes first: it may be a part of a file.
  if (!fits || slice.runs.empty() || (!isConcat && dim >= inner)) {
    return std::nullopt;
  }
  std::vector<TensorRecipe> parts;
  if (isConcat && dim == inner) {
    for (const Run& run : slice.runs) {
      addParts(whole, dim, run, parts);
    }
    return recipeOf(TensorRecipe::Kind::Concat, std::move(parts), whole.dim);
  }
  for (const TensorRecipe& part : whole.parts) {
    parts.push_back(sliceOf(part, static_cast<std::int64_t>(dim), slice.runs));
  }
  if (isConcat) {
    return recipeOf(TensorRecipe::Kind::Concat, std::move(parts), whole.dim);
  }
  return sliceOf(std::move(parts.front()), whole.dim, whole.runs);
}

Result<Tensor> slice(const TensorRecipe& recipe, const Tensor& whole) {
  const Shape& shape = whole.view.shape;
  const std::size_t dim = placeOfDimension(recipe.dim, shape.size());
  const auto fits = [&](const Run& run) {
    return run.first >= 0 && run.count >= 0 && run.first <= shape[dim] - run.count;
  };
  if (dim == kNone || !std::ranges::all_of(recipe.runs, fits)) {
    return failOtherShape(recipe, shape);
  }
  return sliced(whole, dim, recipe.runs);
}

constexpr std::size_t kSquare = 32;
struct Matrix {
  std::size_t rows;
  std::size_t columns;
  std::size_t itemSize;
};

/// Columns `left` and following of rows `top` and following of a matrix become rows and columns.
void exchangeSquare(
    const std::byte* from, std::byte* to, const Matrix& matrix, std::size_t top, std::size_t left) {
  const std::size_t size = matrix.itemSize;
  for (std::size_t i = top; i < std::min(matrix.rows, top + kSquare); ++i) {
    for (std::size_t j = left; j < std::min(matrix.columns, left + kSquare); ++j) {
      std::memcpy(to + (j * matrix.rows + i) * size, from + (i * matrix.columns + j) * size, size);
    }
  }
}

/// Rows and columns of one matrix exchanged; in squares, so that both sides stay in the cache.
Result<> exchange(const std::byte* from, std::byte* to, const Matrix& matrix) {
  StopPace pace(kSquare);  // each square may have as many pages read
  for (std::size_t top = 0; top < matrix.rows; top += kSquare) {
    for (std::size_t left = 0; left < matrix.columns; left += kSquare) {
      if (pace.isStopped()) {
        return stopped();
      }
      exchangeSquare(from, to, matrix, top, left);
    }
  }
  return {};
}

Result<Tensor> transpose(const TensorRecipe& recipe, const Tensor& whole) {
  Shape shape = whole.view.shape;
  const std::size_t dim = placeOfDimension(recipe.dim, shape.size());
  if (dim == kNone || dim + 1 == shape.size()) {
    return failOtherShape(recipe, shape);
  }
  Matrix matrix{static_cast<std::size_t>(shape[dim]),
                static_cast<std::size_t>(shape[dim + 1]),
                itemSize(whole.view.dtype)};
  for (std::size_t behind = dim + 2; behind < shape.size(); ++behind) {
    matrix.itemSize *= static_cast<std::size_t>(shape[behind]);
  }
  std::swap(shape[dim], shape[dim + 1]);
  auto made = ULP_TRY(tensors::newTensor(whole.view.dtype, std::move(shape)));
  const auto* from = static_cast<const std::byte*>(whole.view.data);
  const std::size_t bytes = matrix.rows * matrix.columns * matrix.itemSize;
  const std::size_t all = whole.view.count() * itemSize(whole.view.dtype);
  for (std::size_t first = 0; first < all; first += bytes) {
    ULP_TRY(exchange(from + first, made.bytes + first, matrix));
  }
  return std::move(made.tensor);
}

/// Which part differs from the first one in type or shape, dimension `free` aside.
std::optional<std::size_t> otherKind(const std::vector<Tensor>& parts, std::size_t free) {
  const TensorView& first = parts.front().view;
  for (std::size_t each = 1; each < parts.size(); ++each) {
    const TensorView& view = parts[each].view;
    bool isSame = view.dtype == first.dtype && view.shape.size() == first.shape.size();
    for (std::size_t dim = 0; isSame && dim < first.shape.size(); ++dim) {
      isSame = dim == free || view.shape[dim] == first.shape[dim];
    }
    if (!isSame) {
      return each;
    }
  }
  return std::nullopt;
}

tl::unexpected<Error> failOtherKind(const TensorRecipe& recipe,
                                    const std::vector<Tensor>& parts,
                                    std::size_t other) {
  const auto text = [](const TensorView& view) {
    return fmt::format("{} [{}]", toString(view.dtype), fmt::join(view.shape, ", "));
  };
  return fail(ErrorCode::CorruptData,
              fmt::format("{}: is {} where {} is {}; they cannot be put together",
                          nameOf(recipe.parts[other]),
                          text(parts[other].view),
                          nameOf(recipe.parts.front()),
                          text(parts.front().view)));
}

Result<Tensor> concatenate(const TensorRecipe& recipe, const std::vector<Tensor>& parts) {
  const std::size_t dim = placeOfDimension(recipe.dim, parts.front().view.shape.size());
  if (dim == kNone) {
    return fail(
        ErrorCode::CorruptData,
        fmt::format(
            "{}: has no dimension {} to be put together along", nameOf(recipe), recipe.dim));
  }
  if (const auto other = otherKind(parts, dim)) {
    return failOtherKind(recipe, parts, *other);
  }
  return concatenated(parts, dim);
}

/// Writes `values` as the elements from `first` on; false for types that do not add.
bool store(std::byte* to, DType dtype, std::size_t first, std::span<const double> values) {
  const auto put = [&](const auto& encode) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto element = encode(values[i]);
      std::memcpy(to + (first + i) * sizeof(element), &element, sizeof(element));
    }
    return true;
  };
  switch (dtype) {
    case DType::Float64:
      return put([](double value) { return value; });
    case DType::Float32:
      return put([](double value) { return static_cast<float>(value); });
    case DType::Float16:
      return put([](double value) { return numerics::encodeFloat16(value); });
    case DType::BFloat16:
      return put([](double value) { return numerics::encodeBFloat16(value); });
    default:
      return false;
  }
}

/// Elements from `first` on, added up over all parts.
void addUp(const std::vector<Tensor>& parts, std::size_t first, std::span<double> sums) {
  std::array<double, kAddedAtOnce> block{};
  const std::span<double> values = std::span(block).first(sums.size());
  std::ranges::fill(sums, 0.0);
  for (const Tensor& part : parts) {
    numerics::readElements(part.view, static_cast<std::int64_t>(first), 1, values);
    std::transform(sums.begin(), sums.end(), values.begin(), sums.begin(), std::plus<>());
  }
}

Result<Tensor> add(const TensorRecipe& recipe, const std::vector<Tensor>& parts) {
  if (const auto other = otherKind(parts, kNone)) {
    return failOtherKind(recipe, parts, *other);
  }
  const TensorView& first = parts.front().view;
  auto made = ULP_TRY(tensors::newTensor(first.dtype, first.shape));
  const double divisor =
      recipe.kind == TensorRecipe::Kind::Mean ? static_cast<double>(parts.size()) : recipe.divisor;
  std::array<double, kAddedAtOnce> block{};
  const std::size_t count = first.count();
  StopPace pace;
  for (std::size_t i = 0; i < count; i += kAddedAtOnce) {
    if (pace.isStopped(parts.size())) {
      return stopped();
    }
    const std::span<double> sums = std::span(block).first(std::min(kAddedAtOnce, count - i));
    addUp(parts, i, sums);
    for (double& sum : sums) {
      sum /= divisor;
    }
    if (!store(made.bytes, first.dtype, i, sums)) {
      return fail(
          ErrorCode::Unsupported,
          fmt::format("{}: tensors of {} are not added up", nameOf(recipe), toString(first.dtype)));
    }
  }
  return std::move(made.tensor);
}

/// Of two tensors of one type and shape.
Result<std::size_t> differingElements(const TensorView& left, const TensorView& right) {
  std::size_t differing = 0;
  const std::size_t size = itemSize(left.dtype);
  const auto* other = static_cast<const std::byte*>(right.data);
  ULP_TRY(inPieces(left.bytes(), nullptr, [&](std::span<const std::byte> piece) {
    if (std::memcmp(piece.data(), other, piece.size()) != 0) {
      for (std::size_t i = 0; i < piece.size(); i += size) {
        differing += std::memcmp(piece.data() + i, other + i, size) == 0 ? 0 : 1;
      }
    }
    other += piece.size();
  }));
  return differing;
}

Result<Tensor> onlyOne(const TensorRecipe& recipe, const std::vector<Tensor>& parts) {
  if (const auto other = otherKind(parts, kNone)) {
    return failOtherKind(recipe, parts, *other);
  }
  const TensorView& first = parts.front().view;
  for (std::size_t each = 1; each < parts.size(); ++each) {
    const std::size_t differing = ULP_TRY(differingElements(first, parts[each].view));
    if (differing == 0) {
      continue;
    }
    if (recipe.check) {
      recipe.check->differs({ULP_TR_NOOP("%1: %2 of %3 elements differ from those of %4"),
                             {placeOf(recipe.parts[each]),
                              std::to_string(differing),
                              std::to_string(first.count()),
                              placeOf(recipe.parts.front())}});
      if (recipe.check->mayDiffer()) {
        continue;
      }
    }
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: {} of {} elements differ from those of {}, though all ranks "
                            "should hold the same; a rule of 'shards' says if they hold parts",
                            nameOf(recipe.parts[each]),
                            differing,
                            first.count(),
                            nameOf(recipe.parts.front())));
  }
  return parts.front();
}

Result<Tensor> reshape(const TensorRecipe& recipe, const Tensor& whole) {
  if (elementCount(recipe.shape) != whole.view.count()) {
    return failOtherShape(recipe, whole.view.shape);
  }
  Tensor made = whole;
  made.view.shape = recipe.shape;
  return made;
}

Result<Tensor> makeOf(const TensorRecipe& recipe, const std::vector<Tensor>& parts) {
  switch (recipe.kind) {
    case TensorRecipe::Kind::Slice:
      return slice(recipe, parts.front());
    case TensorRecipe::Kind::Transpose:
      return transpose(recipe, parts.front());
    case TensorRecipe::Kind::Concat:
      return concatenate(recipe, parts);
    case TensorRecipe::Kind::Same:
      return onlyOne(recipe, parts);
    case TensorRecipe::Kind::Reshape:
      return reshape(recipe, parts.front());
    default:
      return add(recipe, parts);
  }
}

}  // namespace

TensorRecipe rowRecipe(DumpUnitPtr unit, std::size_t row) {
  return {.kind = TensorRecipe::Kind::Row, .unit = std::move(unit), .row = row};
}

TensorRecipe recipeOf(TensorRecipe::Kind kind, std::vector<TensorRecipe> parts, std::int64_t dim) {
  if (parts.size() == 1) {
    return std::move(parts.front());
  }
  return {.kind = kind, .dim = dim, .parts = std::move(parts)};
}

TensorRecipe sameOf(std::vector<TensorRecipe> parts, std::shared_ptr<ReplicaCheck> check) {
  TensorRecipe recipe = recipeOf(TensorRecipe::Kind::Same, std::move(parts));
  if (recipe.kind == TensorRecipe::Kind::Same) {
    recipe.check = std::move(check);
  }
  return recipe;
}

TensorRecipe sliceOf(TensorRecipe whole, std::int64_t dim, std::vector<Run> runs) {
  TensorRecipe recipe{.kind = TensorRecipe::Kind::Slice, .dim = dim, .runs = std::move(runs)};
  recipe.parts.push_back(std::move(whole));
  return recipe;
}

TensorRecipe sumOf(std::vector<TensorRecipe> parts, double divisor) {
  return {.kind = TensorRecipe::Kind::Sum, .divisor = divisor, .parts = std::move(parts)};
}

TensorRecipe reshapeOf(TensorRecipe whole, std::vector<std::int64_t> shape) {
  TensorRecipe recipe{.kind = TensorRecipe::Kind::Reshape, .shape = std::move(shape)};
  recipe.parts.push_back(std::move(whole));
  return recipe;
}

TensorRecipe transposeOf(TensorRecipe whole, std::int64_t dim) {
  TensorRecipe recipe{.kind = TensorRecipe::Kind::Transpose, .dim = dim};
  recipe.parts.push_back(std::move(whole));
  return recipe;
}

bool hasElements(const TensorRecipe& recipe) {
  if (recipe.kind == TensorRecipe::Kind::Row) {
    return recipe.unit && recipe.unit->rows[recipe.row].hasElements;
  }
  return std::ranges::all_of(recipe.parts,
                             [](const TensorRecipe& part) { return hasElements(part); });
}

Result<Tensor> makeTensor(const TensorRecipe& recipe) {
  if (recipe.kind == TensorRecipe::Kind::Row) {
    return recipe.unit->read(recipe.row);
  }
  if (recipe.kind == TensorRecipe::Kind::Slice) {
    if (const auto narrow = pushedIn(recipe)) {
      return makeTensor(*narrow);
    }
  }
  std::vector<Tensor> parts;
  for (const TensorRecipe& each : recipe.parts) {
    auto part = ULP_TRY(makeTensor(each));
    parts.push_back(std::move(part));
  }
  auto made = ULP_TRY(makeOf(recipe, parts));
  for (const Tensor& part : parts) {
    ULP_TRY(tensors::checkIntact(part));
    if (made.file != part.file) {
      release(part);
    }
  }
  return made;
}

Result<Tensor> concatenated(const std::vector<Tensor>& parts, std::size_t dim) {
  Shape shape = parts.front().view.shape;
  for (std::size_t each = 1; each < parts.size(); ++each) {
    shape[dim] += parts[each].view.shape[dim];
  }
  auto made = ULP_TRY(tensors::newTensor(parts.front().view.dtype, std::move(shape)));
  ByteCopier copier(made.bytes);
  const std::size_t outerCount = extentOf(parts.front().view, dim).outer;
  for (std::size_t outer = 0; outer < outerCount; ++outer) {
    for (const Tensor& part : parts) {
      const Extent extent = extentOf(part.view, dim);
      const std::size_t size = extent.size * extent.inner;
      ULP_TRY(copier.add(part.view.bytes().subspan(outer * size, size)));
    }
  }
  return std::move(made.tensor);
}

Result<Tensor> sliced(const Tensor& whole, std::size_t dim, const std::vector<Run>& runs) {
  const Extent extent = extentOf(whole.view, dim);
  Shape shape = whole.view.shape;
  shape[dim] = countOf(runs);
  const auto* from = static_cast<const std::byte*>(whole.view.data);
  if (extent.outer == 1 && runs.size() == 1) {
    Tensor part = whole;
    part.view.data = from + static_cast<std::size_t>(runs.front().first) * extent.inner;
    part.view.shape = std::move(shape);
    return part;
  }
  auto made = ULP_TRY(tensors::newTensor(whole.view.dtype, std::move(shape)));
  ByteCopier copier(made.bytes);
  for (std::size_t outer = 0; outer < extent.outer; ++outer) {
    for (const Run& run : runs) {
      const std::size_t place = outer * extent.size + static_cast<std::size_t>(run.first);
      ULP_TRY(copier.add(
          {from + place * extent.inner, static_cast<std::size_t>(run.count) * extent.inner}));
    }
  }
  return std::move(made.tensor);
}

std::size_t placeOfDimension(std::int64_t dim, std::size_t dimensions) {
  const auto count = static_cast<std::int64_t>(dimensions);
  const std::int64_t place = dim < 0 ? dim + count : dim;
  return place >= 0 && place < count ? static_cast<std::size_t>(place) : kNone;
}

std::uint64_t elementCount(std::span<const std::int64_t> shape) {
  return tensors::checkedCount(shape).value_or(0);
}

}  // namespace ulp::dumps
