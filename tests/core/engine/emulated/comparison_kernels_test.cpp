// First, so that kernels are C++ below.
#include "core/engine/cuda/comparison_kernels.cuh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/worst_kernel.cuh"
#include "tests/core/engine/emulated/device_threads.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::engine::cuda {
namespace {

using numerics::Moments;
using numerics::TensorView;
using numerics::testing::expectIdenticalMoments;
using numerics::testing::OwnedTensor;
using numerics::testing::randomPair;
using testing::runBlocks;
using testing::Turns;

constexpr Turns kTurns[] = {Turns::Ascending, Turns::Descending, Turns::Shuffled};

struct Options {
  unsigned int blocks = 2;
  int wanted = 2;
  Turns turns = Turns::Ascending;
};

/// What the device's comparer does with both kernels.
template <class Reference, class Candidate>
Moments compareByKernels(const TensorView& reference,
                         const TensorView& candidate,
                         Options options) {
  const PairOnDevice<Reference, Candidate> pair{static_cast<const Reference*>(reference.data),
                                                static_cast<const Candidate*>(candidate.data),
                                                reference.count()};
  const auto chunks = static_cast<std::uint32_t>(chunksOf(pair.count));
  Totals totals{};
  std::vector<Sums> sums(chunks);
  std::vector<double> largest(chunks);
  const auto scale =
      numerics::detail::ulpScaleOf(numerics::ulpFormat(reference.dtype, candidate.dtype));
  runBlocks(std::min(options.blocks, chunks), kThreads, options.turns, [&] {
    compareChunks(pair, scale, chunks, sums.data(), largest.data(), &totals);
  });
  const auto searched = std::min<unsigned int>(static_cast<unsigned int>(options.wanted), chunks);
  std::vector<numerics::WorstElement> found(searched * static_cast<std::size_t>(options.wanted));
  runBlocks(searched, kSearchThreads, options.turns, [&] {
    worstOfChunks(
        pair, static_cast<std::int32_t>(chunks), largest.data(), options.wanted, found.data());
  });
  std::erase_if(found, [&](const auto& element) { return element.flat >= pair.count; });
  Moments moments;
  addResult(
      moments, {pair.count, &totals, sums.data(), found}, static_cast<std::size_t>(options.wanted));
  return moments;
}

template <class Body>
Moments withType(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::Float64:
      return body(double());
    case DType::Float32:
      return body(float());
    case DType::Float16:
      return body(__half());
    default:
      return body(__nv_bfloat16());
  }
}

void expectSameAsOnTheCpu(const TensorView& reference,
                          const TensorView& candidate,
                          Options options = {}) {
  const auto expected = numerics::compare(
      reference, candidate, {.worstCount = static_cast<std::size_t>(options.wanted)});
  ASSERT_TRUE(expected.has_value());
  for (const Turns turns : kTurns) {
    options.turns = turns;
    const Moments actual = withType(reference.dtype, [&](auto r) {
      return withType(candidate.dtype, [&](auto v) {
        return compareByKernels<decltype(r), decltype(v)>(reference, candidate, options);
      });
    });
    expectIdenticalMoments(actual, *expected);
  }
}

constexpr DType kFormats[] = {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16};

class ComparisonKernels : public ::testing::TestWithParam<std::tuple<DType, DType>> {
 protected:
  static void check(std::size_t count, Options options = {}, std::size_t skipped = 0) {
    SCOPED_TRACE(count);
    const auto [reference, candidate] = GetParam();
    const auto values = randomPair(count + skipped, reference, candidate, true);
    const OwnedTensor r(reference, values.reference);
    const OwnedTensor v(candidate, values.candidate);
    expectSameAsOnTheCpu(r.slice(skipped, count), v.slice(skipped, count), options);
  }
};

TEST_P(ComparisonKernels, GiveTheMomentsOfTheCpuBitForBit) {
  check(3 * kChunk + 777);
}

TEST_P(ComparisonKernels, TakeTensorsOfAnySizeAtAnyAddress) {
  check(1);
  check(kRun + 1, {.blocks = 1});
  check(kChunk + 3, {.blocks = 2}, 1);
}

INSTANTIATE_TEST_SUITE_P(AllPairs,
                         ComparisonKernels,
                         ::testing::Combine(::testing::ValuesIn(kFormats),
                                            ::testing::ValuesIn(kFormats)),
                         [](const auto& one) {
                           return std::string(toString(std::get<0>(one.param))) + "_" +
                                  std::string(toString(std::get<1>(one.param)));
                         });

TEST(ComparisonKernelsWindow, FollowsDifferencesThatGrowAndShrink) {
  constexpr std::size_t kCount = 7 * kChunk;
  std::vector<double> reference(kCount);
  std::vector<double> candidate(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    // Thirty octaves up and down again, a tenth of the pairs equal.
    const auto chunk = static_cast<int>(i / kChunk);
    const int octave = chunk < 4 ? -10 * chunk : -10 * (6 - chunk);
    reference[i] = 1 + 0.001 * static_cast<double>(i % 97);
    candidate[i] = i % 10 == 0 ? reference[i]
                               : reference[i] + std::ldexp(static_cast<double>(i % 1013), octave);
  }
  const OwnedTensor r(DType::Float64, reference);
  const OwnedTensor v(DType::Float64, candidate);
  expectSameAsOnTheCpu(r.view(), v.view(), {.blocks = 1});
  expectSameAsOnTheCpu(r.view(), v.view(), {.blocks = 2, .wanted = 1});
}

TEST(ComparisonKernelsWorst, FindsMoreThanThereAreChunks) {
  std::vector<double> reference(2 * kChunk, 1.0);
  std::vector<double> candidate = reference;
  for (std::size_t i = 0; i < 40; ++i) {
    candidate[i * 700] = 1 + static_cast<double>(i % 7) / 8;
  }
  const OwnedTensor r(DType::BFloat16, reference);
  const OwnedTensor v(DType::Float32, candidate);
  expectSameAsOnTheCpu(r.view(), v.view(), {.wanted = 30});
}

TEST(ComparisonKernelsWorst, FindsNoneWhereNothingDiffersOrIsANumber) {
  const std::vector<double> nan(kChunk + 5, std::numeric_limits<double>::quiet_NaN());
  const OwnedTensor r(DType::Float16, nan);
  expectSameAsOnTheCpu(r.view(), r.view());
  const std::vector<double> ones(kChunk + 5, 1.0);
  const OwnedTensor one(DType::Float32, ones);
  expectSameAsOnTheCpu(one.view(), one.view());
}

}  // namespace
}  // namespace ulp::engine::cuda
