#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>

#include "core/engine/device_comparer.h"
#include "core/numerics/tensor_view.h"

namespace ulp::engine::testing {

[[nodiscard]] inline Result<std::shared_ptr<void>> owned(cudaError_t status,
                                                         void* memory,
                                                         cudaError_t (*release)(void*)) {
  if (status != cudaSuccess) {
    return fail(ErrorCode::OutOfMemory, std::string("CUDA: ") + cudaGetErrorString(status));
  }
  return std::shared_ptr<void>(memory, release);
}

/// `bytes` on the current device.
[[nodiscard]] inline Result<std::shared_ptr<void>> onDevice(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  return owned(status, memory, cudaFree);
}

/// Of the CUDA runtime itself, as programs without LibTorch have it.
[[nodiscard]] inline ComparerMemory runtimeMemory() {
  return {.onDevice = [](std::size_t bytes, int, void*) { return onDevice(bytes); },
          .pinned = [](std::size_t bytes) -> Result<std::shared_ptr<void>> {
            void* memory = nullptr;
            const cudaError_t status = cudaMallocHost(&memory, bytes);
            return owned(status, memory, cudaFreeHost);
          }};
}

/// Of the CUDA runtime, kept for the next that asks for as much, as LibTorch keeps it.
[[nodiscard]] inline ComparerMemory pooledMemory() {
  struct Pool {
    ComparerMemory source = runtimeMemory();
    std::multimap<std::pair<bool, std::size_t>, std::shared_ptr<void>> free;

    Result<std::shared_ptr<void>> take(bool pinned, std::size_t bytes) {
      const auto found = free.find({pinned, bytes});
      if (found == free.end()) {
        return pinned ? source.pinned(bytes) : source.onDevice(bytes, 0, nullptr);
      }
      auto memory = found->second;
      free.erase(found);
      return memory;
    }
  };
  const auto pool = std::make_shared<Pool>();
  const auto take = [pool](bool pinned, std::size_t bytes) -> Result<std::shared_ptr<void>> {
    auto memory = ULP_TRY(pool->take(pinned, bytes));
    void* const address = memory.get();
    return std::shared_ptr<void>(address, [pool, pinned, bytes, memory](void*) {
      pool->free.emplace(std::pair{pinned, bytes}, memory);
    });
  };
  return {.onDevice = [take](std::size_t bytes, int, void*) { return take(false, bytes); },
          .pinned = [take](std::size_t bytes) { return take(true, bytes); }};
}

/// A copy of a tensor on the current device, `misalignment` bytes off its alignment.
class OnDevice {
 public:
  explicit OnDevice(const numerics::TensorView& tensor, std::size_t misalignment = 0)
      : m_memory(onDevice(tensor.sizeBytes() + misalignment)), m_misalignment(misalignment) {
    m_isCopied =
        m_memory.has_value() &&
        cudaMemcpy(get(), tensor.data, tensor.sizeBytes(), cudaMemcpyHostToDevice) == cudaSuccess;
  }
  [[nodiscard]] bool isCopied() const { return m_isCopied; }
  [[nodiscard]] void* get() const {
    return static_cast<std::byte*>(m_memory->get()) + m_misalignment;
  }

 private:
  Result<std::shared_ptr<void>> m_memory;
  std::size_t m_misalignment;
  bool m_isCopied = false;
};

}  // namespace ulp::engine::testing
