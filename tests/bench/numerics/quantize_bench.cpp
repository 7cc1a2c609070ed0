/// quantize() beside a copy of the same tensor on the same thread.

#include <benchmark/benchmark.h>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/numerics/rounding/quantize.h"
#include "core/numerics/rounding/quantize_kernels.h"
#include "tests/bench/numerics/bench_data.h"

namespace ulp::numerics::bench {
namespace {

/// 64 MiB: larger than the caches of one core.
constexpr std::size_t kCount = std::size_t{1} << 24;

std::span<const float> valuesOf(const BenchTensor& tensor) {
  return {static_cast<const float*>(tensor.view().data), kCount};
}

void setBytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(2 * kCount * sizeof(float)) *
                          state.iterations());
}

void copyOneThread(benchmark::State& state) {
  const BenchTensor in(DType::Float32, kCount, 0);
  std::vector<float> out(kCount);
  for ([[maybe_unused]] auto _ : state) {
    std::memcpy(out.data(), in.view().data, kCount * sizeof(float));
    benchmark::ClobberMemory();
  }
  setBytes(state);
}

void quantizeOneThread(benchmark::State& state,
                       const detail::QuantizeKernels* kernels,
                       NumberFormat format,
                       RoundingMode mode) {
  const BenchTensor in(DType::Float32, kCount, 0);
  std::vector<float> out(kCount);
  const QuantizeOptions options{format, {.mode = mode}};
  for ([[maybe_unused]] auto _ : state) {
    detail::quantizeWith(*kernels, valuesOf(in), out, options);
    benchmark::ClobberMemory();
  }
  setBytes(state);
}

void registerAll() {
  benchmark::RegisterBenchmark("copy", copyOneThread)->Unit(benchmark::kMillisecond);
  for (const detail::QuantizeKernels* kernels : detail::availableQuantizeKernels()) {
    for (const FormatDescription& format : numberFormats()) {
      if (format.mantissaBits >= 23) {
        continue;
      }
      for (const RoundingMode mode : {RoundingMode::NearestEven, RoundingMode::Stochastic}) {
        const std::string name = std::string(kernels->name) + "/" + std::string(format.name) +
                                 (mode == RoundingMode::Stochastic ? "/stochastic" : "/nearest");
        benchmark::RegisterBenchmark(name.c_str(), quantizeOneThread, kernels, format.format, mode)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace
}  // namespace ulp::numerics::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  ulp::numerics::bench::registerAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
