#include "core/comparing/measure/row_difference.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using dumps::DumpRow;
using dumps::Role;

using test::kFloatInfinity;
using test::kFloatNan;
using test::kInfinity;
using test::kNan;

DumpRow recordedRow(const std::vector<double>& values, const std::string& dtype = "torch.float32") {
  test::BuiltUnit unit;
  unit.module("m");
  unit.recorded(Role::Output, "0", values);
  unit.rows[0].dtype = dtype;
  return unit.rows[0];
}

TEST(RowDifferenceTest, StatisticsGiveTheLeastThatTheErrorCanBe) {
  const RowDifference difference =
      differenceOf(recordedRow({3, 4}), recordedRow({3.3, 4.4}), false);
  EXPECT_EQ(difference.basis, Basis::Statistics);
  EXPECT_FALSE(difference.isEqual);
  EXPECT_NEAR(difference.error, 0.1, 1e-12) << "a factor of 1.1";
  EXPECT_EQ(difference.roundOff, 0x1p-24);
}

TEST(RowDifferenceTest, AMinimumNearZeroMakesNoErrorLarge) {
  const RowDifference difference =
      differenceOf(recordedRow({1e-10, 4}), recordedRow({3e-10, 4}), false);
  EXPECT_LT(difference.error, 1e-9) << "three times as large, and nothing beside 4";
}

TEST(RowDifferenceTest, BesideZerosEveryNumberIsInfinitelyFarOff) {
  const RowDifference difference = differenceOf(recordedRow({0, 0}), recordedRow({3, 4}), false);
  EXPECT_TRUE(std::isinf(difference.error));
  EXPECT_EQ(difference.baselineRms, 0);
  EXPECT_DOUBLE_EQ(difference.candidateRms, std::sqrt(12.5));
  EXPECT_EQ(differenceOf(recordedRow({0, 0}), recordedRow({0, 0}), false).error, 0);
}

TEST(RowDifferenceTest, NanWhereTheBaselineHasNumbersIsBroken) {
  EXPECT_EQ(differenceOf(recordedRow({1, 2}), recordedRow({1, kNan}), false).nonFinite,
            NonFiniteChange::Lost);
  EXPECT_FALSE(differenceOf(recordedRow({1, kNan}), recordedRow({1, kNan}), false).isBroken());
  const RowDifference same = differenceOf(recordedRow({1, kNan}), recordedRow({1, kNan}), false);
  EXPECT_TRUE(same.isEqual);
}

TEST(RowDifferenceTest, ANormThatOverflowsIsNoBrokenTensor) {
  DumpRow half = recordedRow({300, -300}, "torch.float16");
  half.statistics.norm = std::numeric_limits<double>::infinity();
  const RowDifference difference = differenceOf(recordedRow({300, -300}), half, false);
  EXPECT_FALSE(difference.isBroken());
  EXPECT_EQ(difference.error, 0) << "by what else was recorded";
}

TEST(RowDifferenceTest, ExtremesThatAreNotFiniteInAnotherWayAreBroken) {
  const auto changeOf = [](const std::vector<double>& left, const std::vector<double>& right) {
    return differenceOf(recordedRow(left), recordedRow(right), false).nonFinite;
  };
  EXPECT_EQ(changeOf({1, kNan}, {1, 2}), NonFiniteChange::Regained);
  EXPECT_EQ(changeOf({0, -kInfinity}, {0, -3.4e38}), NonFiniteChange::None) << "two masks";
  EXPECT_EQ(changeOf({1, kInfinity}, {1, -kInfinity}), NonFiniteChange::OtherKind);
  EXPECT_EQ(changeOf({1, kInfinity}, {2, kInfinity}), NonFiniteChange::None) << "a finite minimum";
}

NonFiniteChange changeOf(const std::vector<float>& left, const std::vector<float>& right) {
  const auto viewOf = [](const std::vector<float>& values) {
    return numerics::TensorView{
        values.data(), DType::Float32, {static_cast<std::int64_t>(values.size())}};
  };
  return nonFiniteChangeOf(*numerics::compare(viewOf(left), viewOf(right)));
}

TEST(RowDifferenceTest, ElementsThatAreNotFiniteAreComparedPlaceByPlace) {
  EXPECT_EQ(changeOf({1, kFloatInfinity, kFloatNan}, {2, kFloatInfinity, kFloatNan}),
            NonFiniteChange::None);
  EXPECT_EQ(changeOf({1, 0}, {1, -0.0F}), NonFiniteChange::None);
  EXPECT_EQ(changeOf({1, 2}, {1, kFloatNan}), NonFiniteChange::Lost);
  EXPECT_EQ(changeOf({kFloatNan, 2, 3}, {1, kFloatNan, 3}), NonFiniteChange::Lost)
      << "as many of them, elsewhere";
  EXPECT_EQ(changeOf({kFloatNan, 2, 3}, {7, 2, 3}), NonFiniteChange::Regained);
  EXPECT_EQ(changeOf({-kFloatInfinity, 2}, {-3.4e38F, 2}), NonFiniteChange::None) << "two masks";
  EXPECT_EQ(changeOf({kFloatInfinity, 2, 3}, {-kFloatInfinity, 2, 3}), NonFiniteChange::OtherKind);
  EXPECT_EQ(changeOf({kFloatInfinity, 2, 3}, {kFloatNan, 5, 3}), NonFiniteChange::OtherKind);
  EXPECT_EQ(changeOf({kFloatInfinity, -kFloatInfinity}, {-kFloatInfinity, kFloatInfinity}),
            NonFiniteChange::OtherKind)
      << "as many of each kind";
}

TEST(RowDifferenceTest, EqualStatisticsMayHideADifference) {
  const RowDifference difference = differenceOf(recordedRow({3, 4}), recordedRow({4, 3}), false);
  EXPECT_TRUE(difference.isEqual);
  EXPECT_TRUE(difference.mayHide());
}

TEST(RowDifferenceTest, ChecksumsProveEqualityAndDenyIt) {
  DumpRow left = recordedRow({3, 4});
  DumpRow right = recordedRow({4, 3});
  left.checksum = "00000001";
  right.checksum = "00000002";
  EXPECT_FALSE(differenceOf(left, right, true).isEqual) << "statistics alone would say equal";
  EXPECT_TRUE(differenceOf(left, right, false).isEqual) << "checksums of different kinds";
  right.checksum = left.checksum;
  EXPECT_EQ(differenceOf(left, right, true).basis, Basis::Checksums);
  right.dtype = "torch.bfloat16";
  EXPECT_EQ(differenceOf(left, right, true).basis, Basis::Statistics)
      << "checksums of different formats never agree";
}

TEST(RowDifferenceTest, TheCoarserFormatRounds) {
  const RowDifference difference =
      differenceOf(recordedRow({1, 2}), recordedRow({1, 2}, "BFloat16"), false);
  EXPECT_EQ(difference.roundOff, 0x1p-8);
  EXPECT_TRUE(difference.isDTypeDifferent);
}

TEST(RowDifferenceTest, ATypeThatASideDoesNotSayIsNoOther) {
  EXPECT_FALSE(differenceOf(recordedRow({1, 2}), recordedRow({1, 2}, ""), false).isDTypeDifferent);
}

TEST(RowDifferenceTest, NanWhereTheBaselineHasANumberInWordsIsBroken) {
  const DumpRow said{.name = "a", .value = "L1 norm 3.0e+01"};
  const RowDifference difference =
      differenceOf(said, recordedRow({std::numeric_limits<double>::quiet_NaN()}, ""), false);
  EXPECT_TRUE(difference.isBroken());
  EXPECT_FALSE(difference.isEqual);
  EXPECT_EQ(difference.basis, Basis::Statistics);
  EXPECT_EQ(differenceOf(said, recordedRow({1}, ""), false).basis, Basis::Values);
}

TEST(RowDifferenceTest, OtherShapesAreNotCompared) {
  const RowDifference difference = differenceOf(recordedRow({1, 2}), recordedRow({1, 2, 3}), false);
  EXPECT_TRUE(difference.isShapeDifferent);
  EXPECT_EQ(difference.basis, Basis::Nothing);
}

TEST(RowDifferenceTest, NothingOnBothSidesIsEqual) {
  EXPECT_TRUE(differenceOf({.name = "a"}, {.name = "a"}, true).isEqual);
  DumpRow tensor{.name = "a", .dtype = "torch.float32"};
  EXPECT_FALSE(differenceOf(tensor, tensor, true).isEqual) << "a tensor of which nothing is known";
  DumpRow lost{.name = "a", .hasElements = true};
  EXPECT_FALSE(differenceOf(lost, lost, true).isEqual) << "files that nobody can read";
}

TEST(RowDifferenceTest, WhatCannotBeComparedIsNotEqualForLackOfAFormat) {
  const RowDifference shapes =
      differenceOf(recordedRow({1, 2}, ""), recordedRow({1, 2, 3}, ""), false);
  EXPECT_TRUE(shapes.isShapeDifferent);
  EXPECT_FALSE(shapes.isEqual);
  const DumpRow left{.name = "a", .checksum = "1"};
  const DumpRow right{.name = "a", .checksum = "2"};
  EXPECT_FALSE(differenceOf(left, right, false).isEqual) << "checksums of different kinds";
}

TEST(RowDifferenceTest, DimensionsOfSizeOneDoNotMatter) {
  DumpRow left = recordedRow({3, 4});
  DumpRow right = recordedRow({3, 5});
  left.shape = {1, 2};
  const RowDifference statistics = differenceOf(left, right, false);
  EXPECT_FALSE(statistics.isShapeDifferent);
  EXPECT_EQ(statistics.basis, Basis::Statistics);
  right = recordedRow({3, 4});
  left.checksum = right.checksum = "00000001";
  const RowDifference sums = differenceOf(left, right, true);
  EXPECT_EQ(sums.basis, Basis::Checksums);
  EXPECT_TRUE(sums.isEqual);
}

}  // namespace
}  // namespace ulp::analysis
