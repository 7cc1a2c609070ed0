#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

#include <c10/core/CPUAllocator.h>

#include "core/analysis/studies/memory/memory_meter.h"

namespace ulp::test {

/// Counts what LibTorch has of main memory, as its allocator on a GPU counts.
class CountingAllocator final : public c10::Allocator {
 public:
  /// The one of this process, which outlives every tensor.
  static CountingAllocator& get() {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory)
    static auto* const kAllocator = new CountingAllocator;
    return *kAllocator;
  }

  c10::DataPtr allocate(std::size_t bytes) override {
    // What asks for plain memory frees it by its address.
    void* const data = std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment);
    const std::lock_guard lock(m_mutex);
    m_sizes.emplace(data, analysis::allocatedBytes(bytes));
    m_live += analysis::allocatedBytes(bytes);
    m_peak = std::max(m_peak, m_live);
    return {data, data, &CountingAllocator::free, c10::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &CountingAllocator::free; }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    default_copy_data(to, from, count);
  }

  void begin() {
    const std::lock_guard lock(m_mutex);
    m_before = m_live;
    m_peak = m_live;
  }
  /// Since begin(), beside what there was then.
  [[nodiscard]] std::uint64_t peak() const { return static_cast<std::uint64_t>(m_peak - m_before); }

 private:
  static constexpr std::size_t kAlignment = 64;

  CountingAllocator() {
    constexpr std::uint8_t kAboveOthers = 100;
    c10::SetCPUAllocator(this, kAboveOthers);
  }
  static void free(void* data) {
    get().forget(data);
    std::free(data);
  }
  void forget(void* data) {
    const std::lock_guard lock(m_mutex);
    const auto size = m_sizes.find(data);
    m_live -= size->second;
    m_sizes.erase(size);
  }

  std::mutex m_mutex;
  std::unordered_map<void*, std::uint64_t> m_sizes;
  std::uint64_t m_live = 0;
  std::uint64_t m_peak = 0;
  std::uint64_t m_before = 0;
};

}  // namespace ulp::test
