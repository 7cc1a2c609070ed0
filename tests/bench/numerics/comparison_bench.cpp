/// The fused comparison against the machine's copy bandwidth and against tensor expressions, all
/// measured in one run. Figures are the best of several repetitions: they are compared with each
/// other, and other processes only ever make a run slower.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <deque>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/numerics/comparison/comparison.h"
#include "tests/bench/numerics/bench_data.h"
#include "tests/bench/numerics/expressions.h"

namespace ulp::numerics::bench {
namespace {

constexpr int kRepetitions = 7;
/// Expressions take long, and their temporaries much memory.
constexpr std::size_t kExpressionElements = kElements / 8;

void setBytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void copy(benchmark::State& state, CopyWith with, int threads) {
  BenchTensor from(DType::Float32, kElements, 0);
  BenchTensor to(DType::Float32, kElements, 0);
  for ([[maybe_unused]] auto _ : state) {
    copyParallel(with, threads, to.data(), from.data(), from.sizeBytes());
  }
  setBytes(state, from.sizeBytes() + to.sizeBytes());
}

void compareLarge(benchmark::State& state, DType reference, DType candidate, int threads) {
  const BenchTensor r(reference, kElements, 0);
  const BenchTensor v(candidate, kElements, 1e-3);
  Comparer comparer({.threads = threads});
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(comparer.compare(r.view(), v.view()));
  }
  setBytes(state, r.sizeBytes() + v.sizeBytes());
}

void compareExpressions(benchmark::State& state, int threads) {
  const BenchTensor r(DType::Float32, kExpressionElements, 0);
  const BenchTensor v(DType::Float32, kExpressionElements, 1e-3);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(compareByExpressions(r.view(), v.view(), threads));
  }
  setBytes(state, r.sizeBytes() + v.sizeBytes());
}

/// As many elements as one activation of a small model has, thousands of times a study.
void compareSmall(benchmark::State& state, std::size_t count, int threads) {
  const BenchTensor r(DType::Float32, count, 0);
  const BenchTensor v(DType::BFloat16, count, 0);
  Comparer comparer({.threads = threads});
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(comparer.compare(r.view(), v.view()));
  }
  setBytes(state, r.sizeBytes() + v.sizeBytes());
}

/// Remembers the best repetition of each benchmark and prints them all at the end, beside the
/// copies by as many threads.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  RatioReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto bandwidth = run.counters.find("bytes_per_second");
      if (run.run_type == Run::RT_Iteration && bandwidth != run.counters.end()) {
        Best& best = bestOf(run.run_name.function_name);
        best.bandwidth = std::max(best.bandwidth, bandwidth->second.value);
        best.microseconds = std::min(best.microseconds, run.GetAdjustedRealTime());
      }
    }
  }

  void Finalize() override {
    std::printf("%-52s %8s %10s %10s %13s\n",
                "best repetition",
                "GB/s",
                "of memcpy",
                "of stream",
                "microseconds");
    for (const Best& best : m_best) {
      const std::string threads = best.name.substr(best.name.rfind('/'));
      std::printf("%-52s %8.1f %10.2f %10.2f %13.1f\n",
                  best.name.c_str(),
                  best.bandwidth / 1e9,
                  best.bandwidth / bestOf("memcpy" + threads).bandwidth,
                  best.bandwidth / bestOf("stream" + threads).bandwidth,
                  best.microseconds);
    }
  }

 private:
  struct Best {
    std::string name;
    double bandwidth = 0;
    double microseconds = std::numeric_limits<double>::infinity();
  };

  Best& bestOf(const std::string& name) {
    const auto found = std::find_if(
        m_best.begin(), m_best.end(), [&](const Best& best) { return best.name == name; });
    return found != m_best.end() ? *found : m_best.emplace_back(Best{name});
  }

  std::deque<Best> m_best;
};

template <class Function>
void add(const std::string& name, int threads, Function function) {
  benchmark::RegisterBenchmark((name + "/" + std::to_string(threads) + " threads").c_str(),
                               function)
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime()
      ->MinTime(0.05)
      ->Repetitions(kRepetitions);
}

void addAll(int threads) {
  using enum DType;
  add("memcpy", threads, [=](benchmark::State& state) { copy(state, CopyWith::Memcpy, threads); });
  add("stream", threads, [=](benchmark::State& state) {
    copy(state, CopyWith::StreamingStores, threads);
  });
  for (const auto& [r, v] : {std::pair{Float32, Float32},
                             std::pair{Float32, BFloat16},
                             std::pair{BFloat16, BFloat16},
                             std::pair{Float32, Float16},
                             std::pair{Float64, Float64}}) {
    add("compare " + std::string(toString(r)) + " " + std::string(toString(v)),
        threads,
        [=, r = r, v = v](benchmark::State& state) { compareLarge(state, r, v, threads); });
  }
  add("expressions float32 float32", threads, [=](benchmark::State& state) {
    compareExpressions(state, threads);
  });
  for (const std::size_t count : {std::size_t{576}, std::size_t{73'728}, std::size_t{589'824}}) {
    add("compare float32 bfloat16, " + std::to_string(count) + " elements",
        threads,
        [=](benchmark::State& state) { compareSmall(state, count, threads); });
  }
}

}  // namespace
}  // namespace ulp::numerics::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  ulp::numerics::bench::addAll(1);
  if (cores > 1) {
    ulp::numerics::bench::addAll(cores);
  }
  ulp::numerics::bench::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
