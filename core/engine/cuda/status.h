#pragma once

#include <string>

#include <cuda_runtime_api.h>

#include "core/base/result.h"

namespace ulp::engine::cuda {

/// `action` is what was being done, for the message.
[[nodiscard]] inline Result<> check(cudaError_t status, const std::string& action) {
  if (status == cudaSuccess) {
    return {};
  }
  // Who asks behind a kernel of their own, as LibTorch does, would take it for that kernel's.
  static_cast<void>(cudaGetLastError());
  const ErrorCode code =
      status == cudaErrorMemoryAllocation ? ErrorCode::OutOfMemory : ErrorCode::Device;
  return fail(code, "CUDA: " + action + ": " + cudaGetErrorString(status));
}

/// Makes a device current while in scope.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    m_status = cudaGetDevice(&m_previous);
    if (m_status == cudaSuccess) {
      m_status = cudaSetDevice(device);
      m_isSet = m_status == cudaSuccess;
    }
  }
  ~CurrentDevice() {
    if (m_isSet) {
      cudaSetDevice(m_previous);
    }
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  [[nodiscard]] cudaError_t status() const { return m_status; }

 private:
  int m_previous = 0;
  bool m_isSet = false;
  cudaError_t m_status = cudaSuccess;
};

}  // namespace ulp::engine::cuda
