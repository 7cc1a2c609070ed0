#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/numerics/tensor_view.h"

namespace ulp::numerics::bench {

/// 256 MiB of float32: far beyond every cache.
inline constexpr std::size_t kElements = std::size_t{1} << 26;

/// A tensor on pages that have been touched.
class BenchTensor {
 public:
  /// Normally distributed numbers; candidates carry a relative error of about `noise` and the
  /// rounding of their format.
  BenchTensor(DType dtype, std::size_t count, double noise);

  [[nodiscard]] TensorView view() const;
  [[nodiscard]] std::byte* data() { return m_data.get(); }
  [[nodiscard]] std::size_t sizeBytes() const { return view().sizeBytes(); }

 private:
  DType m_dtype;
  std::size_t m_count;
  std::unique_ptr<std::byte[]> m_data;
};

/// Runs body(first, last) over equal parts of [0, count) on `threads` threads.
void forParts(int threads,
              std::size_t count,
              const std::function<void(std::size_t first, std::size_t last)>& body);

enum class CopyWith { Memcpy, StreamingStores };

/// A copy by all threads. Streaming stores go past the caches where the target can: they need not
/// read what they overwrite.
void copyParallel(
    CopyWith with, int threads, std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace ulp::numerics::bench
