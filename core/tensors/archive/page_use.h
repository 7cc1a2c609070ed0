#pragma once

#include <cstddef>

#include "core/tensors/archive/tensor_archive.h"

/// What whoever walks through tensors of mapped files tells the system, so that reading overlaps
/// with computing and memory stays small. Tensors that are in memory are left alone, and elements
/// beyond the last one do not count.
namespace ulp::tensors {

/// Elements from `first` on will be read soon: starts to bring them from the disk, and returns.
void readAhead(const Tensor& tensor, std::size_t first, std::size_t count);

/// Elements from `first` on have been read: their pages leave the memory of this process. Reading
/// them again brings them back.
void giveBack(const Tensor& tensor, std::size_t first, std::size_t count);

}  // namespace ulp::tensors
