#include "core/engine/weights/cast_weights.h"

#include <utility>

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/GradMode.h>

#include "core/engine/captures/pinned_copy.h"
#include "core/engine/precision/pass_formats.h"

namespace ulp::engine {
namespace {

std::uint64_t memoryBytes(const at::Device& device) {
  return at::getDeviceAllocator(device.type())->getMemoryInfo(device.index()).second;
}

}  // namespace

CastWeights::CastWeights(const std::vector<at::Tensor>& stored)
    : CastWeights(stored, {.copy = broughtTo, .memoryBytes = memoryBytes}) {}

CastWeights::CastWeights(const std::vector<at::Tensor>& stored, Uploads uploads)
    : m_stored(&stored), m_uploads(std::move(uploads)), m_entries(stored.size()) {
  for (const at::Tensor& tensor : stored) {
    m_storedBytes += tensor.nbytes();
  }
}

bool CastWeights::areSmallBeside(const at::Device& device) const {
  constexpr std::uint64_t kShare = 8;
  return !device.is_cpu() && m_storedBytes <= m_uploads.memoryBytes(device) / kShare;
}

at::Tensor CastWeights::storedOn(const at::Device& device, std::size_t index) {
  Entry& entry = m_entries.at(index);
  if (entry.isStored && entry.device == device) {
    return entry.elements;
  }
  at::Tensor& uploaded = entry.uploaded;
  if (uploaded.defined() && uploaded.device() == device) {
    return uploaded;
  }
  uploaded.reset();
  at::Tensor there = m_uploads.copy(m_stored->at(index), device);
  if (m_mayStay && areSmallBeside(device)) {
    uploaded = there;
  }
  return there;
}

void CastWeights::keepOnly(std::size_t index,
                           const ParameterFormat& format,
                           const at::Device& device) {
  Entry& entry = m_entries.at(index);
  if (entry.device != device || entry.format != format) {
    entry.elements.reset();
    entry.isStored = false;
  }
  if (entry.uploaded.defined() && entry.uploaded.device() != device) {
    entry.uploaded.reset();
  }
}

void CastWeights::clear() {
  m_entries.assign(m_entries.size(), {});
  m_mayStay = false;
}

std::uint64_t CastWeights::spareBytes() const {
  std::uint64_t bytes = 0;
  for (const Entry& entry : m_entries) {
    const bool isSpare = entry.uploaded.defined() &&
                         !(entry.elements.defined() && entry.elements.is_alias_of(entry.uploaded));
    bytes += isSpare ? entry.uploaded.nbytes() : 0;
  }
  return bytes;
}

at::Tensor CastWeights::cast(std::size_t index,
                             const ParameterFormat& format,
                             const at::Device& device) {
  keepOnly(index, format, device);
  Entry& entry = m_entries.at(index);
  if (entry.elements.defined()) {
    return entry.elements;
  }
  entry.format = format;
  entry.device = device;
  const c10::NoGradGuard noGrad;
  const numerics::Rounding rounding{.mode = format.rounding,
                                    .overflow = format.overflow,
                                    .seed = format.seed,
                                    .stream = static_cast<std::uint64_t>(index)};
  const at::Tensor stored = storedOn(device, index);
  entry.elements = castTo(stored, format.format, rounding).to(format.type);
  entry.isStored = entry.elements.is_alias_of(stored);
  return entry.elements;
}

}  // namespace ulp::engine
