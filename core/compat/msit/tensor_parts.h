#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

/// What msit does with the tensors of several devices, and with tables of rotary embeddings.
namespace ulp::compat::msit {

/// The dimension along which `own` must be joined to be as large as `other`: the first where both
/// sides have the same size in all while one tensor of each differs, or where that of `own` in all
/// is one of `other`. Nothing: none.
[[nodiscard]] std::optional<std::size_t> joinDimension(const std::vector<tensors::Tensor>& own,
                                                       const std::vector<tensors::Tensor>& other);

/// Error: InvalidArgument where types, or other dimensions, differ; OutOfMemory.
[[nodiscard]] Result<tensors::Tensor> joined(const std::vector<tensors::Tensor>& parts,
                                             std::size_t dimension);

/// `tensor[…, index, …]`: without `dimension`, of which `index` is an element. It may share the
/// tensor's memory. Error: OutOfMemory.
[[nodiscard]] Result<tensors::Tensor> selected(const tensors::Tensor& tensor,
                                               std::size_t dimension,
                                               std::size_t index);

/// The row of a table of cosines (`half` 0) or sines (1) that token `length` is given.
[[nodiscard]] Result<tensors::Tensor> rotaryRow(const tensors::Tensor& table,
                                                std::int64_t length,
                                                std::size_t half);

/// Takes every other column of a single row whose neighbours are equal in pairs; else the tensor
/// itself.
[[nodiscard]] Result<tensors::Tensor> withoutRepeatedColumns(const tensors::Tensor& tensor);

}  // namespace ulp::compat::msit
