#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::dumps {

/// Consecutive places along a dimension.
struct Run {
  std::int64_t first = 0;
  std::int64_t count = 0;

  friend bool operator==(const Run&, const Run&) = default;
};

/// How a tensor that was not recorded itself comes from tensors that were.
struct TensorRecipe {
  enum class Kind : std::uint8_t {
    Row,        ///< as it was recorded
    Slice,      ///< these runs along `dim` of the only part, one behind the other
    Concat,     ///< the parts, one behind the other along `dim`
    Sum,        ///< of the parts, in double, divided by `divisor`, rounded once to their format
    Mean,       ///< the same, divided by their number
    Same,       ///< the first part, which every other one must equal, bit for bit
    Transpose,  ///< the only part with dimension `dim` and the one behind it exchanged
    Reshape     ///< the elements of the only part, in their order, as `shape`
  };
  Kind kind = Kind::Row;
  DumpUnitPtr unit{};                 ///< of a Row
  std::size_t row = 0;                ///< of a Row: in unit->rows
  std::int64_t dim = 0;               ///< of Slice, Concat and Transpose; negative: from the end
  double divisor = 1;                 ///< of a Sum
  std::vector<Run> runs{};            ///< of a Slice
  std::vector<std::int64_t> shape{};  ///< of a Reshape
  std::vector<TensorRecipe> parts{};
  std::shared_ptr<ReplicaCheck> check{};  ///< of Same: is told what differs
};

[[nodiscard]] TensorRecipe rowRecipe(DumpUnitPtr unit, std::size_t row);
/// With one part: the part itself, but for a Slice.
[[nodiscard]] TensorRecipe recipeOf(TensorRecipe::Kind kind,
                                    std::vector<TensorRecipe> parts,
                                    std::int64_t dim = 0);
/// The first of `parts`, which the others must equal; `check` is told when they do not.
[[nodiscard]] TensorRecipe sameOf(std::vector<TensorRecipe> parts,
                                  std::shared_ptr<ReplicaCheck> check);
[[nodiscard]] TensorRecipe sliceOf(TensorRecipe whole, std::int64_t dim, std::vector<Run> runs);
/// Their sum by `divisor`, also of one.
[[nodiscard]] TensorRecipe sumOf(std::vector<TensorRecipe> parts, double divisor);
[[nodiscard]] TensorRecipe reshapeOf(TensorRecipe whole, std::vector<std::int64_t> shape);

/// Exchanges dimension `dim` and the one behind it, which the tensor has; without `dim` the last
/// two.
[[nodiscard]] TensorRecipe transposeOf(TensorRecipe whole, std::int64_t dim = -2);

/// Every row that it needs can be read.
[[nodiscard]] bool hasElements(const TensorRecipe& recipe);

/// Makes the tensor: a part of the mapped file where that is all that it takes, else a copy. Of a
/// slice of what is put together (also where a DerivedUnit stands between) only the parts that it
/// lies in are read.
/// Errors: those of DumpUnit::read(); CorruptData, naming unit and row, where shapes, types or
/// (Same) elements do not agree; OutOfMemory.
[[nodiscard]] Result<tensors::Tensor> makeTensor(const TensorRecipe& recipe);

/// Tensors of one type whose other dimensions agree, one behind the other along `dim`. There is at
/// least one. Error: OutOfMemory.
[[nodiscard]] Result<tensors::Tensor> concatenated(const std::vector<tensors::Tensor>& parts,
                                                   std::size_t dim);
/// Runs along `dim`, which lie in the tensor, one behind the other: a part of it where that is all
/// that it takes, else a copy. Error: OutOfMemory.
[[nodiscard]] Result<tensors::Tensor> sliced(const tensors::Tensor& whole,
                                             std::size_t dim,
                                             const std::vector<Run>& runs);

/// `dim` as a place in a shape of that many dimensions; kNone where there is none.
[[nodiscard]] std::size_t placeOfDimension(std::int64_t dim, std::size_t dimensions);

/// Of a shape; 0 where a dimension is negative or the product does not fit.
[[nodiscard]] std::uint64_t elementCount(std::span<const std::int64_t> shape);

/// A unit whose tensors are made of those of other units: parts of what one call put out together,
/// or what several ranks hold of one tensor.
class DerivedUnit final : public DumpUnit {
 public:
  explicit DerivedUnit(UnitAxes of) { axes = std::move(of); }
  /// A version of `unit`: its axes, stacks, notes and structure, no entry yet.
  [[nodiscard]] static std::shared_ptr<DerivedUnit> versionOf(const DumpUnit& unit);

  /// A row of the last entry. It has elements where the recipe can be made.
  void addRow(DumpRow row, TensorRecipe recipe);
  /// The same row as it stands in `unit`.
  void addRowOf(const DumpUnitPtr& unit, std::size_t row);

  /// What the row is made of.
  [[nodiscard]] const TensorRecipe& recipe(std::size_t row) const { return m_recipes[row]; }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override;
  [[nodiscard]] Result<tensors::Tensor> look(std::size_t row) const override;

 private:
  std::vector<TensorRecipe> m_recipes;  ///< parallel to the rows
};

}  // namespace ulp::dumps
