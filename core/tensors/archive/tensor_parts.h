#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// Elements of a tensor by their places among all: row r and column c at
/// `first + r * rowStep + c * columnStep`. Steps may be negative. What lies beyond the tensor is
/// left out.
struct ElementGrid {
  std::int64_t first = 0;
  std::int64_t columns = 1;
  std::int64_t columnStep = 1;
  std::int64_t rows = 1;
  std::int64_t rowStep = 0;

  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  }
  friend bool operator==(const ElementGrid&, const ElementGrid&) = default;
};

/// Brings the elements of a tensor that lies elsewhere, on another machine, as they are asked for.
/// Until then the view's memory there holds no numbers: whoever reads it asks first. Thread-safe.
class TensorParts : public Interface {
 public:
  /// Whether all of these are where the view shows them. Never waits.
  [[nodiscard]] virtual bool has(const ElementGrid& wanted) const = 0;
  /// Brings what is missing of these. Errors: of the way to where they lie; Cancelled
  /// (currentStop()).
  [[nodiscard]] virtual Result<> bring(const ElementGrid& wanted) const = 0;
  /// Bytes that bring() would have to fetch: more than those of the elements, since whole blocks
  /// are kept.
  [[nodiscard]] virtual std::uint64_t missingBytes(const ElementGrid& wanted) const = 0;
  /// The elements alone, row by row, as they are stored; zeros for what lies beyond the tensor.
  /// The view does not get them. Errors: those of bring().
  [[nodiscard]] virtual Result<std::vector<std::byte>> pick(const ElementGrid& wanted) const = 0;
  /// Why elements that were asked for did not come; nothing: none is missing.
  [[nodiscard]] virtual std::optional<Error> problem() const = 0;
};

/// TensorParts::bring(), of tensors that have parts.
[[nodiscard]] Result<> bring(const Tensor& tensor, const ElementGrid& wanted);
/// Brings all elements that are missing.
[[nodiscard]] Result<> bringAll(const Tensor& tensor);
/// Whether these can be read without waiting for another machine.
[[nodiscard]] bool isHere(const Tensor& tensor, const ElementGrid& wanted);
[[nodiscard]] bool isAllHere(const Tensor& tensor);

}  // namespace ulp::tensors
