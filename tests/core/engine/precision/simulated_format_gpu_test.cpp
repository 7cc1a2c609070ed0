// Runs on a CUDA device. Skipped without one, unless ULP_REQUIRE_GPU=1 says that there must be one.

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include <ATen/ATen.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <gtest/gtest.h>

#include "core/engine/precision/simulated_format.h"
#include "tests/core/engine/precision/format_cases.h"

namespace ulp::engine {
namespace {

using cases::activations;
using cases::everyQuantization;
using cases::expectSame;
using cases::nameOf;
using cases::randomPatterns;

TEST(SimulatedFormatGpu, RoundsOnTheDeviceAsOnTheHost) {
  const bool loaded = dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != nullptr;
  if (!loaded || at::detail::getCUDAHooks().deviceCount() == 0) {
    const char* required = std::getenv("ULP_REQUIRE_GPU");  // NOLINT(concurrency-mt-unsafe)
    ASSERT_FALSE(required != nullptr && std::string(required) == "1");
    GTEST_SKIP() << "no CUDA device";
  }
  for (const Quantization& q : everyQuantization()) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) {
      for (const at::Tensor& values : {activations(37, 1000), randomPatterns(4000).view({4, -1})}) {
        const at::Tensor x = values.to(type);
        expectSame(quantize(x.to(at::kCUDA), q).cpu(), quantize(x, q), nameOf(q.format));
      }
    }
  }
}

}  // namespace
}  // namespace ulp::engine
