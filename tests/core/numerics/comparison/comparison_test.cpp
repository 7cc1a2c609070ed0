#include "core/numerics/comparison/comparison.h"

#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::numerics {
namespace {

using testing::expectIdenticalMoments;
using testing::expectSameMoments;
using ::testing::HasSubstr;
using testing::OwnedTensor;
using testing::randomPair;
using testing::scalarComparison;

constexpr std::size_t kChunk = Comparer::kChunkElements;

struct TestPair {
  OwnedTensor reference;
  OwnedTensor candidate;

  TestPair(std::size_t count, DType referenceType, DType candidateType)
      : TestPair(
            randomPair(count, referenceType, candidateType, true), referenceType, candidateType) {}
  TestPair(const testing::PairValues& values, DType referenceType, DType candidateType)
      : reference(referenceType, values.reference), candidate(candidateType, values.candidate) {}
};

TEST(Compare, AgreesWithTheScalarDefinitionAtChunkBorders) {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, kChunk - 1, kChunk, kChunk + 1, 1'000'003UL}) {
    SCOPED_TRACE(count);
    const TestPair pair(count, DType::Float32, DType::BFloat16);
    const auto moments = compare(pair.reference.view(), pair.candidate.view());
    ASSERT_TRUE(moments);
    expectSameMoments(*moments, scalarComparison(pair.reference.view(), pair.candidate.view(), 8));
  }
}

TEST(Compare, DoesNotDependOnTheNumberOfThreads) {
  for (const auto& [reference, candidate] : {std::pair{DType::Float32, DType::Float32},
                                             std::pair{DType::Float64, DType::Float16},
                                             std::pair{DType::Float8E4M3FN, DType::BFloat16}}) {
    const TestPair pair(20 * kChunk + 12'345, reference, candidate);
    const auto one = compare(pair.reference.view(), pair.candidate.view(), {.threads = 1});
    ASSERT_TRUE(one);
    for (const int threads : {0, 2, 3, 8, 100}) {
      SCOPED_TRACE(threads);
      const auto several =
          compare(pair.reference.view(), pair.candidate.view(), {.threads = threads});
      ASSERT_TRUE(several);
      expectIdenticalMoments(*several, *one);
    }
  }
}

/// Three threads that another library could own.
class ThreeThreads final : public Team {
 public:
  void run(const std::function<void()>& job) override {
    ++jobs;
    std::vector<std::jthread> others;
    for (int i = 0; i < 2; ++i) {
      others.emplace_back(job);
    }
    job();
  }
  [[nodiscard]] std::size_t worthwhilePairs() const override { return 2 * kChunk; }

  int jobs = 0;
};

TEST(Compare, WorksOnTheTeamThatItIsGiven) {
  const TestPair pair(9 * kChunk + 77, DType::Float32, DType::BFloat16);
  const auto own = compare(pair.reference.view(), pair.candidate.view());
  ThreeThreads team;
  const auto given =
      compare(pair.reference.view(), pair.candidate.view(), {.threads = 3, .team = &team});
  ASSERT_TRUE(own && given);
  expectIdenticalMoments(*given, *own);
  EXPECT_EQ(team.jobs, 1);
}

TEST(Compare, LeavesATeamAloneForSmallPairs) {
  const TestPair pair(2 * kChunk - 1, DType::Float32, DType::Float32);
  ThreeThreads team;
  ASSERT_TRUE(compare(pair.reference.view(), pair.candidate.view(), {.threads = 3, .team = &team}));
  EXPECT_EQ(team.jobs, 0);
}

TEST(Compare, TakesNoMoreThreadsOfATeamThanItMay) {
  const TestPair pair(9 * kChunk, DType::Float32, DType::Float32);
  ThreeThreads team;
  const auto two =
      compare(pair.reference.view(), pair.candidate.view(), {.threads = 2, .team = &team});
  const auto one = compare(pair.reference.view(), pair.candidate.view(), {.threads = 1});
  ASSERT_TRUE(one && two);
  expectIdenticalMoments(*two, *one);
}

TEST(Compare, GivesTheSameResultEveryTime) {
  const TestPair pair(10 * kChunk, DType::BFloat16, DType::BFloat16);
  Comparer comparer({.threads = 4});
  const auto first = comparer.compare(pair.reference.view(), pair.candidate.view());
  ASSERT_TRUE(first);
  for (int i = 0; i < 50; ++i) {
    const auto again = comparer.compare(pair.reference.view(), pair.candidate.view());
    ASSERT_TRUE(again);
    expectIdenticalMoments(*again, *first);
  }
}

TEST(Compare, KeepsAsManyWorstElementsAsAskedFor) {
  const TestPair pair(4 * kChunk, DType::Float32, DType::Float32);
  for (const std::size_t worst : {0, 1, 3, 100, 1000}) {
    SCOPED_TRACE(worst);
    const auto moments =
        compare(pair.reference.view(), pair.candidate.view(), {.worstCount = worst, .threads = 3});
    ASSERT_TRUE(moments);
    expectSameMoments(*moments,
                      scalarComparison(pair.reference.view(), pair.candidate.view(), worst));
  }
}

TEST(Compare, KeepsNoWorstElementsOfEqualTensors) {
  const std::vector<double> values{1, 2, std::nan(""), 0};
  const OwnedTensor tensor(DType::Float32, values);
  const auto moments = compare(tensor.view(), tensor.view());
  ASSERT_TRUE(moments);
  EXPECT_TRUE(moments->worst.empty());
  EXPECT_EQ(moments->equal, 4);
  EXPECT_EQ(moments->compared, 3);
  EXPECT_EQ(moments->sumSquaredDifference, 0);
}

TEST(Compare, TakesScalars) {
  const float reference = 2;
  const float candidate = 3;
  const auto moments = compare({&reference, DType::Float32, {}}, {&candidate, DType::Float32, {}});
  ASSERT_TRUE(moments);
  EXPECT_EQ(moments->count, 1);
  EXPECT_EQ(moments->sumProduct, 6);
  EXPECT_EQ(moments->maxRelativeDifference, 0.5);
}

TEST(Compare, TakesEmptyTensorsWithoutData) {
  const TensorView empty{nullptr, DType::Float32, {4, 0}};
  const auto moments = compare(empty, empty);
  ASSERT_TRUE(moments);
  EXPECT_EQ(moments->count, 0);
  EXPECT_EQ(moments->differenceHistogram.size(), kHistogramBins);
}

TEST(Compare, KeepsSubnormalNumbersWhateverTheRoundingOfTheCaller) {
  const std::vector<double> reference{0x1p-149, 1, 3};
  const std::vector<double> candidate{0x1p-148, 1 + 0x1p-23, 3};
  const OwnedTensor r(DType::Float32, reference);
  const OwnedTensor v(DType::Float32, candidate);
  const auto expected = compare(r.view(), v.view());
  std::fesetround(FE_UPWARD);
  const auto actual = compare(r.view(), v.view());
  const int rounding = std::fegetround();
  std::fesetround(FE_TONEAREST);
  ASSERT_TRUE(expected && actual);
  expectIdenticalMoments(*actual, *expected);
  EXPECT_EQ(rounding, FE_UPWARD) << "the caller's rounding is left alone";
}

TEST(Compare, RefusesDifferentShapesAndNamesThem) {
  const std::vector<float> data(12);
  const auto moments =
      compare({data.data(), DType::Float32, {3, 4}}, {data.data(), DType::Float32, {4, 3}});
  ASSERT_FALSE(moments);
  EXPECT_EQ(moments.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(moments.error().message(), HasSubstr("[3, 4]"));
  EXPECT_THAT(moments.error().message(), HasSubstr("[4, 3]"));
}

TEST(Compare, RefusesNegativeSizes) {
  const float value = 0;
  const TensorView tensor{&value, DType::Float32, {-1, -1}};
  const auto moments = compare(tensor, tensor);
  ASSERT_FALSE(moments);
  EXPECT_EQ(moments.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(moments.error().message(), HasSubstr("negative"));
}

TEST(Compare, RefusesElementsWithoutData) {
  const TensorView tensor{nullptr, DType::Float32, {2}};
  const auto moments = compare(tensor, tensor);
  ASSERT_FALSE(moments);
  EXPECT_EQ(moments.error().code(), ErrorCode::InvalidArgument);
}

TEST(Comparer, OfPiecesThatAreCutAtChunksEqualsOneCall) {
  const std::size_t count = 11 * kChunk + 77;
  const TestPair pair(count, DType::Float16, DType::Float32);
  const auto whole = compare(pair.reference.view(), pair.candidate.view());
  ASSERT_TRUE(whole);
  for (const std::size_t piece : {kChunk, 4 * kChunk}) {
    SCOPED_TRACE(piece);
    Comparer comparer({.threads = 2});
    Moments total;
    for (std::size_t first = 0; first < count; first += piece) {
      const std::size_t size = std::min(piece, count - first);
      ASSERT_TRUE(comparer.accumulate(
          total, pair.reference.slice(first, size), pair.candidate.slice(first, size)));
    }
    expectIdenticalMoments(total, *whole);
  }
}

TEST(Comparer, AddsPiecesOfAnySizeToRounding) {
  const std::size_t count = 3 * kChunk + 5;
  const TestPair pair(count, DType::Float32, DType::Float32);
  Comparer comparer({.worstCount = 5});
  Moments total;
  for (std::size_t first = 0; first < count; first += 10'007) {
    const std::size_t size = std::min<std::size_t>(10'007, count - first);
    ASSERT_TRUE(comparer.accumulate(
        total, pair.reference.slice(first, size), pair.candidate.slice(first, size)));
  }
  expectSameMoments(total, scalarComparison(pair.reference.view(), pair.candidate.view(), 5));
}

}  // namespace
}  // namespace ulp::numerics
