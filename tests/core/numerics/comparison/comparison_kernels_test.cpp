#include "core/numerics/comparison/comparison_kernels.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "core/numerics/comparison/comparison_engine.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"
#include "tests/support/data/every_dtype.h"

namespace ulp::numerics {
namespace {

using detail::availableKernels;
using detail::KernelSet;
using testing::expectIdenticalMoments;
using testing::expectSameMoments;
using testing::OwnedTensor;
using testing::PairValues;
using testing::randomPair;
using testing::scalarComparison;

Moments compareWith(const KernelSet& kernels, const TensorView& r, const TensorView& v) {
  Moments total;
  detail::ComparisonEngine(kernels, {.worstCount = 8, .threads = 1}).accumulate(total, r, v);
  return total;
}

/// Every set of kernels that this CPU runs with every dtype of the reference.
class EveryKernel : public ::testing::TestWithParam<std::tuple<std::size_t, DType>> {
 protected:
  /// Against every dtype of the candidate.
  template <class Check>
  static void forEachCandidate(std::size_t count, Check check) {
    const KernelSet& kernels = *availableKernels()[std::get<0>(GetParam())];
    const DType reference = std::get<1>(GetParam());
    for (const DType candidate : test::kEveryDType) {
      SCOPED_TRACE(toString(candidate));
      check(kernels, randomPair(count, reference, candidate, true), reference, candidate);
    }
  }
};

TEST_P(EveryKernel, AgreesWithTheScalarDefinition) {
  forEachCandidate(
      20'000,
      [](const KernelSet& kernels, const PairValues& values, DType reference, DType candidate) {
        const OwnedTensor r(reference, values.reference);
        const OwnedTensor v(candidate, values.candidate);
        expectSameMoments(compareWith(kernels, r.view(), v.view()),
                          scalarComparison(r.view(), v.view(), 8));
      });
}

TEST_P(EveryKernel, AgreesBitForBitWithThePortableOne) {
  forEachCandidate(
      66'001,
      [](const KernelSet& kernels, const PairValues& values, DType reference, DType candidate) {
        const OwnedTensor r(reference, values.reference);
        const OwnedTensor v(candidate, values.candidate);
        expectIdenticalMoments(compareWith(kernels, r.view(), v.view()),
                               compareWith(detail::portableKernels(), r.view(), v.view()));
      });
}

TEST_P(EveryKernel, TakesAnySizeAtAnyAddress) {
  forEachCandidate(
      2'065,
      [](const KernelSet& kernels, const PairValues& values, DType reference, DType candidate) {
        for (const std::size_t count :
             {0, 1, 7, 8, 15, 16, 17, 63, 64, 65, 127, 2047, 2048, 2049, 2065}) {
          SCOPED_TRACE(count);
          const std::size_t misalignment = count % 4;
          const OwnedTensor r(reference, std::span(values.reference).first(count), misalignment);
          const OwnedTensor v(candidate, std::span(values.candidate).first(count), 3);
          expectSameMoments(compareWith(kernels, r.view(), v.view()),
                            scalarComparison(r.view(), v.view(), 8));
        }
      });
}

std::string setName(std::size_t set) {
  std::string name(availableKernels()[set]->name);
  std::erase(name, '-');
  return name;
}

std::string nameOf(const ::testing::TestParamInfo<EveryKernel::ParamType>& info) {
  return setName(std::get<0>(info.param)) + "_" + std::string(toString(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(
    AllPairs,
    EveryKernel,
    ::testing::Combine(::testing::Range<std::size_t>(0, availableKernels().size()),
                       ::testing::ValuesIn(test::kEveryDType)),
    nameOf);

/// Cases of one kind on every set of kernels.
class EveryKernelSet : public ::testing::TestWithParam<std::size_t> {
 protected:
  static Moments compare(std::span<const double> reference,
                         std::span<const double> candidate,
                         DType dtype) {
    const OwnedTensor r(dtype, reference);
    const OwnedTensor v(dtype, candidate);
    const Moments m = compareWith(*availableKernels()[GetParam()], r.view(), v.view());
    expectSameMoments(m, scalarComparison(r.view(), v.view(), 8));
    return m;
  }
};

TEST_P(EveryKernelSet, CountsEveryBinOfTheHistogram) {
  std::vector<double> zeros;
  std::vector<double> edges;
  for (std::size_t bin = 0; bin < kHistogramBins; ++bin) {
    for (const double value : {binLowerEdge(bin), std::nextafter(binLowerEdge(bin + 1), 0)}) {
      zeros.push_back(0);
      edges.push_back(value);
    }
  }
  const Moments m = compare(zeros, edges, DType::Float64);
  EXPECT_EQ(m.differenceHistogram[0], 1);
  // The largest number below bin 1 is in it too.
  EXPECT_EQ(m.differenceHistogram[1], 3);
  EXPECT_EQ(m.differenceHistogram[2], 2);
  EXPECT_EQ(m.differenceHistogram[kHistogramBins - 1], 2);
}

TEST_P(EveryKernelSet, KeepsFloat64OutsideTheHistogramInItsOpenEnds) {
  const std::vector<double> zeros(4, 0.0);
  const std::vector<double> values{0x1p-1074, 0x1p-500, 0x1p200, 0x1p1023};
  const Moments m = compare(zeros, values, DType::Float64);
  EXPECT_EQ(m.differenceHistogram[1], 2);
  EXPECT_EQ(m.differenceHistogram[kHistogramBins - 1], 2);
}

TEST_P(EveryKernelSet, FindsTheLargestRelativeDifferenceAmongSubnormalProducts) {
  // relativeBound * |r| underflows here: only an exact test sees that the second is larger.
  const std::vector<double> r{0x1p-1060, 0x1p-1060 + 0x1p-1074, 3 * 0x1p-1074};
  const std::vector<double> v{1.25 * 0x1p-1060, 1.2500001 * (0x1p-1060 + 0x1p-1074), 4 * 0x1p-1074};
  std::vector<double> reference;
  std::vector<double> candidate;
  for (std::size_t i = 0; i < r.size(); ++i) {
    reference.insert(reference.end(), detail::kStep, r[i]);
    candidate.insert(candidate.end(), detail::kStep, v[i]);
  }
  EXPECT_EQ(compare(reference, candidate, DType::Float64).maxRelativeDifference, 1.0 / 3.0);
}

TEST_P(EveryKernelSet, SeesInfinitiesAfterAnInfiniteDifference) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> reference(64, -kMax);
  std::vector<double> candidate(64, kMax);
  candidate[40] = kInfinity;
  candidate[50] = std::nan("");
  const Moments m = compare(reference, candidate, DType::Float64);
  EXPECT_EQ(m.compared, 62);
  EXPECT_EQ(m.candidate.positiveInfinity, 1);
  EXPECT_EQ(m.candidate.nan, 1);
  EXPECT_EQ(m.maxAbsoluteDifference, kInfinity);
  EXPECT_EQ(m.sumAbsoluteDifference, kInfinity);
}

TEST_P(EveryKernelSet, ExcludesTensorsWithoutAnyNumber) {
  const std::vector<double> nan(100, std::nan(""));
  const std::vector<double> numbers(100, 1.0);
  const Moments m = compare(nan, numbers, DType::BFloat16);
  EXPECT_EQ(m.count, 100);
  EXPECT_EQ(m.compared, 0);
  EXPECT_EQ(m.equal, 0);
  EXPECT_EQ(m.reference.nan, 100);
  EXPECT_EQ(compare(nan, nan, DType::BFloat16).equal, 100);
}

TEST_P(EveryKernelSet, BreaksTiesByPosition) {
  const std::vector<double> reference(100, 1.0);
  std::vector<double> candidate(100, 1.5);
  candidate[70] = 2;
  const Moments m = compare(reference, candidate, DType::Float16);
  EXPECT_EQ(m.worst[0].flat, 70);
  for (std::size_t i = 1; i < m.worst.size(); ++i) {
    EXPECT_EQ(m.worst[i].flat, i - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets,
                         EveryKernelSet,
                         ::testing::Range<std::size_t>(0, availableKernels().size()),
                         [](const auto& one) { return setName(one.param); });

TEST(AvailableKernels, EndWithThePortableOnes) {
  ASSERT_FALSE(availableKernels().empty());
  EXPECT_EQ(availableKernels().back(), &detail::portableKernels());
}

TEST(AvailableKernels, AreThoseThatTheProcessorRuns) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags")) {
  }
  std::istringstream words(line);
  const std::set<std::string> flags{std::istream_iterator<std::string>(words), {}};
  if (!flags.contains("avx2") || !flags.contains("fma") || !flags.contains("f16c")) {
    GTEST_SKIP() << "no processor of x86 with AVX2";
  }
  const auto isThere = [](std::string_view name) {
    return std::ranges::any_of(availableKernels(),
                               [&](const KernelSet* set) { return set->name == name; });
  };
  EXPECT_TRUE(isThere("AVX2"));
  EXPECT_EQ(isThere("AVX-512"),
            flags.contains("avx512f") && flags.contains("avx512bw") && flags.contains("avx512dq") &&
                flags.contains("avx512vl"));
}

}  // namespace
}  // namespace ulp::numerics
