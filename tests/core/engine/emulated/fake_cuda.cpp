#include "tests/core/engine/emulated/fake_cuda.h"

#include <algorithm>
#include <cstring>
#include <utility>

/// Behind what it was recorded.
struct CUevent_st {
  std::size_t works = 0;
};

namespace ulp::engine::cuda::testing {

FakeCuda& FakeCuda::get() {
  static FakeCuda cuda;
  return cuda;
}

void FakeCuda::reset() {
  auto live = std::move(m_live);
  *this = FakeCuda();
  m_live = std::move(live);
}

Result<std::shared_ptr<void>> FakeCuda::allocate(std::size_t bytes) {
  constexpr std::align_val_t kAlignment{256};
  constexpr int kAnything = 0xA5;
  auto* const block = static_cast<std::byte*>(::operator new(bytes, kAlignment));
  std::memset(block, kAnything, bytes);
  m_live.emplace(block, bytes);
  return std::shared_ptr<void>(block, [this](void* memory) {
    letGo(static_cast<std::byte*>(memory));
    ::operator delete(memory, kAlignment);
  });
}

ComparerMemory FakeCuda::memory() {
  return {.onDevice = [this](std::size_t bytes, int, void*) { return allocate(bytes); },
          .pinned = [this](std::size_t bytes) { return allocate(bytes); }};
}

void FakeCuda::letGo(const std::byte* block) {
  const auto own = m_live.extract(block);
  const std::byte* const end = block + own.mapped();
  for (std::size_t i = m_finished; i < m_works.size(); ++i) {
    for (const void* place : m_works[i].places) {
      if (!std::less<>()(place, block) && std::less<>()(place, end)) {
        m_faults.push_back("memory went that work " + std::to_string(i) + " is on");
        m_works[i].run = [] {};
      }
    }
  }
}

void FakeCuda::fail(const std::string& call, cudaError_t error, int after) {
  m_plans[call] = {error, after};
}

cudaError_t FakeCuda::called(const std::string& call) {
  ++m_calls[call];
  cudaError_t error = m_broken;
  if (const auto plan = m_plans.find(call); plan != m_plans.end() && plan->second.after-- == 0) {
    error = plan->second.error;
    m_plans.erase(plan);
  }
  m_last = error == cudaSuccess ? m_last : error;
  return error;
}

int FakeCuda::callsOf(const std::string& call) const {
  const auto found = m_calls.find(call);
  return found == m_calls.end() ? 0 : found->second;
}

cudaError_t FakeCuda::takeLastError() {
  return std::exchange(m_last, m_broken);
}

cudaError_t FakeCuda::enqueue(const std::string& call,
                              std::vector<const void*> places,
                              std::function<void()> work) {
  const cudaError_t error = called(call);
  if (error == cudaSuccess) {
    m_works.push_back({std::move(places), std::move(work)});
  }
  return error;
}

cudaError_t FakeCuda::finish(std::size_t count) {
  while (m_finished < count && m_broken == cudaSuccess) {
    m_broken = std::exchange(m_failure, cudaSuccess);
    if (m_broken == cudaSuccess) {
      m_works[m_finished++].run();
    } else {
      m_finished = m_works.size();  // nothing of it will be done any more
      m_last = m_broken;
    }
  }
  return m_broken;
}

}  // namespace ulp::engine::cuda::testing

using ulp::engine::cuda::testing::FakeCuda;

extern "C" {

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "another error";
}
cudaError_t cudaGetLastError() {
  return FakeCuda::get().takeLastError();
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return FakeCuda::get().called("cudaGetDevice");
}
cudaError_t cudaSetDevice(int /*device*/) {
  return FakeCuda::get().called("cudaSetDevice");
}
cudaError_t cudaFuncSetAttribute(const void* /*kernel*/, cudaFuncAttribute name, int /*value*/) {
  return FakeCuda::get().called(name == cudaFuncAttributeMaxDynamicSharedMemorySize
                                    ? "cudaFuncSetAttribute, size"
                                    : "cudaFuncSetAttribute, carveout");
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr /*name*/, int /*device*/) {
  *value = static_cast<int>(FakeCuda::get().residentBlocks);
  return FakeCuda::get().called("cudaDeviceGetAttribute");
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                          const void* /*kernel*/,
                                                          int /*threads*/,
                                                          std::size_t /*shared*/) {
  *blocks = 1;
  return FakeCuda::get().called("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int /*flags*/) {
  const cudaError_t error = FakeCuda::get().called("cudaEventCreateWithFlags");
  *event = error == cudaSuccess ? new CUevent_st() : nullptr;
  return error;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return FakeCuda::get().called("cudaEventDestroy");
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t /*stream*/) {
  event->works = FakeCuda::get().enqueued();
  return FakeCuda::get().called("cudaEventRecord");
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const cudaError_t error = FakeCuda::get().called("cudaEventSynchronize");
  return error == cudaSuccess ? FakeCuda::get().finish(event->works) : error;
}
cudaError_t cudaStreamSynchronize(cudaStream_t /*stream*/) {
  const cudaError_t error = FakeCuda::get().called("cudaStreamSynchronize");
  return error == cudaSuccess ? FakeCuda::get().finish(FakeCuda::get().enqueued()) : error;
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t /*stream*/) {
  return FakeCuda::get().enqueue("cudaMemsetAsync", {to}, [=] { std::memset(to, value, bytes); });
}
cudaError_t cudaMemcpyAsync(void* to,
                            const void* from,
                            std::size_t bytes,
                            cudaMemcpyKind /*kind*/,
                            cudaStream_t /*stream*/) {
  return FakeCuda::get().enqueue(
      "cudaMemcpyAsync", {to, from}, [=] { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/) {
  const cudaError_t error = FakeCuda::get().called("cudaMemcpy");
  if (error == cudaSuccess) {
    std::memcpy(to, from, bytes);
  }
  return error;
}

}  // extern "C"
