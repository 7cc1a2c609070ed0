#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "core/engine/device_comparer.h"
#include "tests/core/engine/emulated/device_threads.h"

/// The part of the CUDA runtime that the comparer calls, for a device that is played by the host
/// and finishes nothing before it is waited for. Calls fail when a test says so.
namespace ulp::engine::cuda::testing {

class FakeCuda {
 public:
  /// What all calls of the runtime refer to.
  static FakeCuda& get();
  /// Forgets all but memory that somebody holds.
  void reset();

  /// Memory that holds anything, as a device's and pinned memory of the host do. It counts as a
  /// fault to let it go while the device has work on it.
  [[nodiscard]] Result<std::shared_ptr<void>> allocate(std::size_t bytes);
  [[nodiscard]] ComparerMemory memory();

  /// The call of this name behind the next `after` ones gives `error` and does nothing else.
  void fail(const std::string& call, cudaError_t error, int after = 0);
  /// The work that is next, when the device gets to it, ends with `error`, and the device with it.
  void breakDown(cudaError_t error) { m_failure = error; }

  /// Work on `places`; done when the device is waited for.
  cudaError_t enqueue(const std::string& call,
                      std::vector<const void*> places,
                      std::function<void()> work);
  /// Does the first works until `count` were done since reset().
  cudaError_t finish(std::size_t count);
  [[nodiscard]] std::size_t enqueued() const { return m_works.size(); }
  [[nodiscard]] std::size_t finished() const { return m_finished; }

  /// The result of a call that does nothing by itself.
  cudaError_t called(const std::string& call);
  [[nodiscard]] int callsOf(const std::string& call) const;
  /// What LibTorch would be given behind a kernel of its own.
  [[nodiscard]] cudaError_t takeLastError();
  [[nodiscard]] std::size_t liveBlocks() const { return m_live.size(); }
  [[nodiscard]] const std::vector<std::string>& faults() const { return m_faults; }

  unsigned int residentBlocks = 2;
  unsigned int blocksAskedFor = 0;  ///< by the last comparison
  Turns turns = Turns::Ascending;   ///< of the threads of kernels

 private:
  struct Work {
    std::vector<const void*> places;
    std::function<void()> run;
  };
  struct Plan {
    cudaError_t error = cudaSuccess;
    int after = 0;
  };

  void letGo(const std::byte* block);

  std::vector<Work> m_works;
  std::size_t m_finished = 0;
  std::map<const std::byte*, std::size_t> m_live;  ///< sizes
  std::map<std::string, Plan> m_plans;
  std::map<std::string, int> m_calls;
  std::vector<std::string> m_faults;
  cudaError_t m_failure = cudaSuccess;  ///< of the work that is next
  cudaError_t m_broken = cudaSuccess;   ///< of the device, for good
  cudaError_t m_last = cudaSuccess;
};

}  // namespace ulp::engine::cuda::testing
