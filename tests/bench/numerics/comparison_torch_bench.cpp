/// The same metrics as tensor expressions in LibTorch, on the tensors of comparison_bench.

#include <benchmark/benchmark.h>
#include <cstdio>
#include <string>
#include <thread>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/numerics/comparison/comparison.h"
#include "tests/bench/numerics/bench_data.h"

namespace ulp::numerics::bench {
namespace {

constexpr std::size_t kCount = kElements / 8;

at::Tensor borrow(const BenchTensor& tensor) {
  const TensorView view = tensor.view();
  // from_blob takes a mutable pointer; nothing is written.
  return at::from_blob(const_cast<void*>(view.data), view.shape, at::kFloat);
}

/// Everything that compare() finds, in float64.
double expressions(const at::Tensor& reference, const at::Tensor& candidate) {
  const at::Tensor finite = at::logical_and(reference.isfinite(), candidate.isfinite());
  const at::Tensor r = at::where(finite, reference, 0).to(at::kDouble);
  const at::Tensor v = at::where(finite, candidate, 0).to(at::kDouble);
  const at::Tensor d = v - r;
  const at::Tensor a = d.abs();
  const at::Tensor exponent = std::get<1>(at::frexp(r)) - 24;
  const at::Tensor ulps = at::ldexp(a, -exponent.clamp_min(-149));
  const at::Tensor relative = at::where(r == 0, 0, a / r.abs());
  const at::Tensor worst = std::get<0>(a.topk(8));
  const at::Tensor histogram = at::histc(a.log2().clamp(-160, 160), 2560, -160, 160);
  const at::Tensor dot = (r * v).sum();
  return d.square().mean().sqrt().item<double>() + r.square().mean().sqrt().item<double>() +
         a.mean().item<double>() + a.max().item<double>() + relative.max().item<double>() +
         (dot / (r.square().sum() * v.square().sum()).sqrt()).item<double>() +
         (v == r).to(at::kDouble).mean().item<double>() + ulps.mean().item<double>() +
         ulps.max().item<double>() + worst.sum().item<double>() + histogram.sum().item<double>() +
         static_cast<double>(reference.isnan().sum().item<std::int64_t>());
}

void setBytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(2 * kCount * sizeof(float)) *
                          state.iterations());
}

void torchExpressions(benchmark::State& state) {
  const BenchTensor r(DType::Float32, kCount, 0);
  const BenchTensor v(DType::Float32, kCount, 1e-3);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(expressions(borrow(r), borrow(v)));
  }
  setBytes(state);
}

void fused(benchmark::State& state) {
  const BenchTensor r(DType::Float32, kCount, 0);
  const BenchTensor v(DType::Float32, kCount, 1e-3);
  Comparer comparer;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(comparer.compare(r.view(), v.view()));
  }
  setBytes(state);
}

BENCHMARK(fused)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(torchExpressions)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ulp::numerics::bench

BENCHMARK_MAIN();
