#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/engine/cuda/comparison_result.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::engine::cuda {

/// What a comparison writes, in one piece of memory: first what is copied to the host.
class ResultLayout {
 public:
  ResultLayout(std::uint64_t count, std::size_t wanted)
      : m_chunks(chunksOf(count)), m_wanted(wanted) {}

  [[nodiscard]] std::uint64_t chunks() const { return m_chunks; }
  /// Worst elements that are looked for, at least one: it is the largest |d|.
  [[nodiscard]] std::size_t wanted() const { return m_wanted; }
  /// Chunks that are looked through for them.
  [[nodiscard]] std::size_t searched() const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(m_wanted, m_chunks));
  }
  [[nodiscard]] std::size_t found() const { return searched() * m_wanted; }

  [[nodiscard]] Totals* totals(void* memory) const { return at<Totals>(memory, 0); }
  [[nodiscard]] numerics::WorstElement* worst(void* memory) const {
    return at<numerics::WorstElement>(memory, sizeof(Totals));
  }
  [[nodiscard]] Sums* sums(void* memory) const { return at<Sums>(memory, sumsBegin()); }
  [[nodiscard]] double* largest(void* memory) const { return at<double>(memory, copiedBytes()); }
  /// Totals, which are added to, and worst elements, of which some may stay as they are.
  [[nodiscard]] std::size_t clearedBytes() const { return sumsBegin(); }
  [[nodiscard]] std::size_t copiedBytes() const { return sumsBegin() + m_chunks * sizeof(Sums); }
  [[nodiscard]] std::size_t bytes() const { return copiedBytes() + m_chunks * sizeof(double); }

 private:
  [[nodiscard]] std::size_t sumsBegin() const {
    return sizeof(Totals) + found() * sizeof(numerics::WorstElement);
  }
  template <class T>
  static T* at(void* memory, std::size_t offset) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(memory) + offset);
  }
  static_assert(sizeof(Totals) % sizeof(double) == 0);

  std::uint64_t m_chunks;
  std::size_t m_wanted;
};

}  // namespace ulp::engine::cuda
