#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/dtype.h"
#include "core/base/memory/device_memory.h"

namespace ulp::analysis {

using MemoryPart = std::uint64_t MemoryParts::*;

/// Counts bytes as tensors come and go, by what they are, and remembers when they were most.
class MemoryMeter {
 public:
  /// Memory that lives as long as somebody holds it.
  class Storage {
   public:
    /// `counted`: with what the allocator adds to `bytes`.
    Storage(MemoryMeter& meter, std::uint64_t bytes, std::uint64_t counted, MemoryPart part);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] std::uint64_t counted() const { return m_counted; }
    void become(MemoryPart part);

   private:
    MemoryMeter* m_meter;
    std::uint64_t m_bytes;
    std::uint64_t m_counted;
    MemoryPart m_part;
  };
  using Held = std::shared_ptr<Storage>;

  [[nodiscard]] std::uint64_t peak() const { return m_peak.total(); }
  /// What there was at the peak.
  [[nodiscard]] const MemoryParts& parts() const { return m_peak; }

 private:
  void add(std::uint64_t bytes, MemoryPart part);
  void remove(std::uint64_t bytes, MemoryPart part) { m_now.*part -= bytes; }

  MemoryParts m_now;
  MemoryParts m_peak;
};

/// A tensor as a run holds it, perhaps several times. Once the run lets go, what still holds its
/// memory is a capture.
class MemoryTensor {
 public:
  MemoryTensor() = default;
  MemoryTensor(MemoryMeter::Held storage, std::uint64_t count, DType type);

  [[nodiscard]] explicit operator bool() const { return m_holder != nullptr; }
  [[nodiscard]] const MemoryMeter::Held& storage() const { return m_holder->storage; }
  /// How many elements it has: all of its memory, unless it is a part of another tensor.
  [[nodiscard]] std::uint64_t count() const { return m_count; }
  [[nodiscard]] DType type() const { return m_type; }
  [[nodiscard]] std::uint64_t bytes() const { return m_count * itemSize(m_type); }
  /// So many of its elements, where they lie.
  [[nodiscard]] MemoryTensor part(std::uint64_t count) const;
  void reset() { m_holder.reset(); }

 private:
  struct Holder {
    explicit Holder(MemoryMeter::Held held) : storage(std::move(held)) {}
    ~Holder();
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

    MemoryMeter::Held storage;
  };

  std::shared_ptr<Holder> m_holder;
  std::uint64_t m_count = 0;
  DType m_type = DType::Float32;
};

/// What LibTorch's allocator counts for a tensor of so many bytes: pieces of 512 bytes, and of a
/// large one the rest of its segment where that is too small to be given to another.
[[nodiscard]] std::uint64_t allocatedBytes(std::uint64_t bytes);

}  // namespace ulp::analysis
