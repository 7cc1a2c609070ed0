#include "core/engine/cuda/proof.h"

#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "core/engine/cuda/status.h"

namespace ulp::engine::cuda {
namespace {

/// More than one chunk, and part of another.
constexpr std::size_t kElements = numerics::Comparer::kChunkElements + 100;

/// Numbers whose sums depend on the order in which they are added.
std::vector<float> numbers(float factor) {
  std::vector<float> values(kElements);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = factor / static_cast<float>(i % 977 + 1);
  }
  return values;
}

numerics::TensorView viewOf(const std::vector<float>& values) {
  return {values.data(), DType::Float32, {static_cast<std::int64_t>(values.size())}};
}

Result<std::shared_ptr<void>> onDevice(const std::vector<float>& values,
                                       const ComparerMemory& memory,
                                       int device) {
  const std::size_t bytes = values.size() * sizeof(float);
  auto to = ULP_TRY(memory.onDevice(bytes, device, nullptr));
  ULP_TRY(check(cudaMemcpy(to.get(), values.data(), bytes, cudaMemcpyHostToDevice),
                "copying a few numbers to the device"));
  return to;
}

bool areSame(const numerics::Moments& a, const numerics::Moments& b) {
  return a.sumSquaredReference == b.sumSquaredReference && a.sumProduct == b.sumProduct &&
         a.sumSquaredDifference == b.sumSquaredDifference && a.sumUlp == b.sumUlp &&
         a.maxRelativeDifference == b.maxRelativeDifference &&
         a.differenceHistogram == b.differenceHistogram && a.worst.size() == b.worst.size() &&
         a.worst.front().flat == b.worst.front().flat;
}

}  // namespace

Result<> proveComparer(DeviceComparer& comparer, const ComparerMemory& memory, int device) {
  const CurrentDevice current(device);
  ULP_TRY(check(current.status(), "choosing the device " + std::to_string(device)));
  const std::vector<float> left = numbers(1);
  const std::vector<float> right = numbers(1.0001F);
  const auto expected = ULP_TRY(numerics::compare(viewOf(left), viewOf(right), {.threads = 1}));
  const auto reference = ULP_TRY(onDevice(left, memory, device));
  const auto candidate = ULP_TRY(onDevice(right, memory, device));
  const auto moments = ULP_TRY(comparer.compare({.reference = reference.get(),
                                                 .candidate = candidate.get(),
                                                 .count = kElements,
                                                 .device = device},
                                                {}));
  if (!areSame(moments, expected)) {
    return fail(ErrorCode::Device,
                "CUDA: a comparison on device " + std::to_string(device) +
                    " gives other numbers than on the CPU; please report it");
  }
  return {};
}

}  // namespace ulp::engine::cuda
