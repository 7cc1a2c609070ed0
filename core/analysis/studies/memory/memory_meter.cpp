#include "core/analysis/studies/memory/memory_meter.h"

#include <utility>

namespace ulp::analysis {
namespace {

// Of c10/cuda/CUDACachingAllocator.cpp.
constexpr std::uint64_t kPiece = 512;
constexpr std::uint64_t kOwnSegment = std::uint64_t{10} << 20;  ///< from here a tensor has its own
constexpr std::uint64_t kSegmentStep = std::uint64_t{2} << 20;
constexpr std::uint64_t kSmallestRest = std::uint64_t{1} << 20;

std::uint64_t wholePieces(std::uint64_t bytes, std::uint64_t step) {
  return (bytes + step - 1) / step * step;
}

}  // namespace

std::uint64_t allocatedBytes(std::uint64_t bytes) {
  const std::uint64_t pieces = wholePieces(bytes, kPiece);
  const std::uint64_t segment = wholePieces(pieces, kSegmentStep);
  return pieces >= kOwnSegment && segment - pieces <= kSmallestRest ? segment : pieces;
}

MemoryMeter::Storage::Storage(MemoryMeter& meter,
                              std::uint64_t bytes,
                              std::uint64_t counted,
                              MemoryPart part)
    : m_meter(&meter), m_bytes(bytes), m_counted(counted), m_part(part) {
  m_meter->add(m_counted, m_part);
}

MemoryMeter::Storage::~Storage() {
  m_meter->remove(m_counted, m_part);
}

void MemoryMeter::Storage::become(MemoryPart part) {
  m_meter->remove(m_counted, std::exchange(m_part, part));
  m_meter->add(m_counted, m_part);
}

void MemoryMeter::add(std::uint64_t bytes, MemoryPart part) {
  m_now.*part += bytes;
  if (m_now.total() > m_peak.total()) {
    m_peak = m_now;
  }
}

MemoryTensor::MemoryTensor(MemoryMeter::Held storage, std::uint64_t count, DType type)
    : m_holder(std::make_shared<Holder>(std::move(storage))), m_count(count), m_type(type) {}

MemoryTensor MemoryTensor::part(std::uint64_t count) const {
  MemoryTensor own = *this;
  own.m_count = count;
  return own;
}

MemoryTensor::Holder::~Holder() {
  if (storage.use_count() > 1) {
    storage->become(&MemoryParts::captures);
  }
}

}  // namespace ulp::analysis
