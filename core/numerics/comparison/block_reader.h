#pragma once

#include <array>
#include <cstddef>

#include "core/numerics/comparison/comparison_kernels.h"
#include "core/numerics/tensor_view.h"

namespace ulp::numerics::detail {

/// Gives a tensor to the kernels in a type that they load: in place, or widened block by block.
class BlockReader {
 public:
  using Buffer = std::array<double, kBlock>;

  /// Keeps no copy of `tensor`, only of its pointer and type.
  explicit BlockReader(const TensorView& tensor);

  [[nodiscard]] Native native() const { return m_native; }
  [[nodiscard]] bool inPlace() const { return m_widen == nullptr; }
  /// Elements from `first` on: all of them where inPlace(), else the next `count` <= kBlock in
  /// `buffer`.
  [[nodiscard]] const std::byte* read(std::size_t first, std::size_t count, Buffer& buffer) const;

 private:
  const std::byte* m_data;
  std::size_t m_itemSize;
  Native m_native;
  void (*m_widen)(const std::byte* from, std::size_t count, Buffer& buffer);
};

}  // namespace ulp::numerics::detail
