/// The comparison on a CUDA device against the device's own copy, measured in one run. A line of
/// JSON a case, the best of several repetitions: `device_us` between two events around many
/// comparisons on a stream, `without_worst_us` the same with one worst element to find instead of
/// eight, `call_us` what one compare() takes on the clock. `of_copy` compares the bytes that are
/// read a second with those that a copy reads and writes.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "core/engine/device_comparer.h"
#include "tests/core/engine/cuda/cuda_memory.h"

namespace ulp::engine {
namespace {

constexpr int kRepetitions = 7;
constexpr int kCallsUnderWay = 20;

/// What is measured last: an error ends the program, which has nothing to clean up.
void require(cudaError_t status, const char* action) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", action, cudaGetErrorString(status));
    std::exit(1);
  }
}

template <class T>
T require(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message().c_str());
    std::exit(1);
  }
  return std::move(*result);
}

__device__ float uniform(std::uint64_t seed) {
  seed ^= seed >> 33;
  seed *= 0xFF51AFD7ED558CCDULL;
  seed ^= seed >> 33;
  seed *= 0xC4CEB9FE1A85EC53ULL;
  seed ^= seed >> 33;
  return (static_cast<float>(seed >> 40) + 0.5F) * 0x1p-24F;
}

__device__ float normal(std::uint64_t seed) {
  return sqrtf(-2 * logf(uniform(2 * seed))) * cosf(6.2831853F * uniform(2 * seed + 1));
}

/// Activations as a model has them, and what `relativeError` makes of them.
template <class T>
__global__ void fill(T* to, std::uint64_t count, float relativeError) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    to[i] = T(normal(i) * (1 + relativeError * normal(i + count)));
  }
}

class Tensor {
 public:
  Tensor(DType dtype, std::uint64_t count, float relativeError)
      : m_dtype(dtype), m_memory(require(testing::onDevice(count * itemSize(dtype)))) {
    void* const to = m_memory.get();
    switch (dtype) {
      case DType::BFloat16:
        fill<<<1024, 256>>>(static_cast<__nv_bfloat16*>(to), count, relativeError);
        break;
      case DType::Float16:
        fill<<<1024, 256>>>(static_cast<__half*>(to), count, relativeError);
        break;
      default:
        fill<<<1024, 256>>>(static_cast<float*>(to), count, relativeError);
    }
    require(cudaDeviceSynchronize(), "filling a tensor");
  }
  [[nodiscard]] void* get() const { return m_memory.get(); }

 private:
  DType m_dtype;
  std::shared_ptr<void> m_memory;
};

/// The shortest time of `repetitions`, in microseconds, between two events around `body`.
template <class Body>
double deviceMicroseconds(const Body& body) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  require(cudaEventCreate(&begin), "creating an event");
  require(cudaEventCreate(&end), "creating an event");
  float best = 1e30F;
  for (int i = 0; i < kRepetitions; ++i) {
    require(cudaEventRecord(begin), "recording an event");
    body();
    require(cudaEventRecord(end), "recording an event");
    require(cudaEventSynchronize(end), "waiting");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end), "reading the time");
    best = std::min(best, milliseconds);
  }
  return 1000.0 * static_cast<double>(best);
}

template <class Body>
double callMicroseconds(const Body& body) {
  double best = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    best =
        std::min(best,
                 std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
                     .count());
  }
  return best;
}

/// Bytes read and written a second, in GB.
double copyBandwidth(std::uint64_t bytes) {
  const auto from = require(testing::onDevice(bytes));
  const auto to = require(testing::onDevice(bytes));
  const double microseconds = deviceMicroseconds([&] {
    for (int i = 0; i < kCallsUnderWay; ++i) {
      require(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice), "copying");
    }
  });
  return 2e-3 * static_cast<double>(bytes) * kCallsUnderWay / microseconds;
}

void measure(DeviceComparer& comparer, DType r, DType v, std::uint64_t count, double copy) {
  const Tensor reference(r, count, 0);
  const Tensor candidate(v, count, 1e-3F);
  const DevicePair pair{reference.get(), r, candidate.get(), v, count};
  // Warms up, and takes the memory that later calls take again.
  const auto moments = require(comparer.compare(pair, {}));
  const auto deviceTime = [&](const numerics::CompareOptions& options) {
    return deviceMicroseconds([&] {
             std::vector<std::unique_ptr<PendingComparison>> pending;
             for (int i = 0; i < kCallsUnderWay; ++i) {
               pending.push_back(require(comparer.start(pair, options)));
             }
           }) /
           kCallsUnderWay;
  };
  const double device = deviceTime({});
  const double withoutWorst = deviceTime({.worstCount = 0});
  const double call = callMicroseconds([&] { require(comparer.compare(pair, {})); });
  const auto bytes = static_cast<double>(count * (itemSize(r) + itemSize(v)));
  std::printf(
      "{\"bench\": \"device_comparer\", \"reference\": \"%s\", \"candidate\": \"%s\", "
      "\"elements\": %llu, \"device_us\": %.1f, \"without_worst_us\": %.1f, \"call_us\": %.1f, "
      "\"gb_per_s\": %.0f, "
      "\"call_gb_per_s\": %.0f, \"copy_gb_per_s\": %.0f, \"of_copy\": %.2f, \"max_ulp\": %g}\n",
      std::string(toString(r)).c_str(),
      std::string(toString(v)).c_str(),
      static_cast<unsigned long long>(count),
      device,
      withoutWorst,
      call,
      1e-3 * bytes / device,
      1e-3 * bytes / call,
      copy,
      1e-3 * bytes / device / copy,
      moments.maxUlp);
}

}  // namespace
}  // namespace ulp::engine

int main() {
  using namespace ulp;
  using enum DType;
  cudaDeviceProp properties{};
  engine::require(cudaGetDeviceProperties(&properties, 0), "asking for the device");
  std::printf("{\"bench\": \"device\", \"name\": \"%s\", \"multiprocessors\": %d}\n",
              properties.name,
              properties.multiProcessorCount);
  const auto comparer =
      engine::require(engine::makeDeviceComparer(engine::testing::pooledMemory()));
  const double copy = engine::copyBandwidth(std::uint64_t{1} << 30);
  for (const std::uint64_t count :
       {std::uint64_t{1} << 26, std::uint64_t{2048} * 2048, std::uint64_t{128} * 576}) {
    for (const auto& [r, v] : {std::pair{Float32, Float32},
                               std::pair{BFloat16, Float32},
                               std::pair{BFloat16, BFloat16},
                               std::pair{Float16, Float16}}) {
      engine::measure(*comparer, r, v, count, copy);
    }
  }
}
