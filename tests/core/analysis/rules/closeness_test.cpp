#include "core/analysis/rules/closeness.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/analysis/tensors/far_elements.h"
#include "tests/core/analysis/tensors/tensor_pair_fixture.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using test::kInfinity;
using test::kNan;

/// A row of 8 elements without a worst one.
report::Comparison closenessRow() {
  report::Comparison row = test::comparisonOf(test::layerSite("norm", -1, Pass::Forward), {});
  row.count = 8;
  row.compared = 8;
  row.worst.clear();
  return row;
}

// As torch.allclose(v, r, rtol, atol) of PyTorch 2.11 says of float64 tensors.
TEST(ClosenessTest, AnElementIsCloseAsInTorch) {
  EXPECT_TRUE((Tolerances{0.5, 0}.allow(2, 3)));
  EXPECT_FALSE((Tolerances{0.5, 0}.allow(2, 3.001)));
  EXPECT_FALSE((Tolerances{0.5, 0}.allow(0, 1e-30)));
  EXPECT_TRUE((Tolerances{0, 1}.allow(0, -1)));
  EXPECT_TRUE((Tolerances{}.allow(kInfinity, kInfinity)));
  EXPECT_FALSE((Tolerances{1, kInfinity}.allow(kInfinity, -kInfinity)));
  EXPECT_FALSE((Tolerances{1, 1}.allow(kInfinity, 1)));
  EXPECT_FALSE((Tolerances{1, 1}.allow(kNan, kNan)));
}

TEST(ClosenessTest, ARowIsCloseWhereItsLargestDifferenceIs) {
  const report::Comparison row = closenessRow();
  EXPECT_TRUE(closenessOf(row, 0.5, {0, 0.5})->isClose);
  EXPECT_FALSE(closenessOf(row, 0.6, {0, 0.5}).has_value());
  EXPECT_FALSE(closenessOf(row, kNan, {0, 0.5}).has_value());
}

TEST(ClosenessTest, ElementsBehindTheWorstAreNoWorse) {
  report::Comparison row = closenessRow();
  row.worst = {{{0}, 100, 101}, {{1}, 1, 1.25}};
  const auto close = closenessOf(row, 1, {0.01, 0.25});
  ASSERT_TRUE(close.has_value());
  EXPECT_TRUE(close->isClose);
  EXPECT_FALSE(closenessOf(row, 1, {0.01, 0.2}).value().isClose);
  EXPECT_FALSE(closenessOf(row, 1, {0.3, 0.1}).has_value());
}

TEST(ClosenessTest, CountsTellWhatIsNotFiniteOnOneSideAlone) {
  report::Comparison row = closenessRow();
  row.variantNonFinite.nan = 1;
  EXPECT_FALSE(closenessOf(row, 0, {}).value().isClose);
  row.variantNonFinite = {0, 2, 0};
  EXPECT_FALSE(closenessOf(row, 0, {}).value().isClose);
  row.referenceNonFinite = {0, 2, 0};
  row.compared = 6;
  EXPECT_TRUE(closenessOf(row, 0, {}).value().isClose);
  row.compared = 5;  // They lie at different places.
  EXPECT_FALSE(closenessOf(row, 0, {}).value().isClose);
  row.referenceNonFinite = row.variantNonFinite = {0, 1, 1};
  row.compared = 6;  // At the same places, of whichever sign.
  EXPECT_FALSE(closenessOf(row, 0, {}).has_value());
}

TEST(ClosenessTest, AllElementsOfAPairCount) {
  EXPECT_TRUE(closenessOf(*test::floatPair({2}, {1, -4}, {1.5, -4}), {0.5, 0}).value().isClose);
  const auto off = closenessOf(*test::floatPair({2}, {1, -4}, {1, -7}), {0.5, 0});
  ASSERT_TRUE(off.has_value());
  EXPECT_FALSE(off->isClose);
  EXPECT_DOUBLE_EQ(off->excess, 1);
  EXPECT_FALSE(closenessOf(*test::floatPair({2}, {1, -4}, {2, -4}), {0.5, 0}).value().isClose)
      << "the first";
}

TEST(ClosenessTest, ElementsOnAnotherMachineAreBroughtBeforeTheyAreAsked) {
  const auto near = test::floatPair({2}, {1, -4}, {1, -7});
  const auto elements = std::make_shared<test::FarElements>(std::vector<float>{1, -7});
  TensorPair pair = *near;
  pair.variant = {{elements->here().data(), DType::Float32, {2}}, elements};
  pair.variant.parts = elements;
  EXPECT_DOUBLE_EQ(closenessOf(pair, {0.5, 0}).value().excess, 1);
  const auto lost = std::make_shared<test::FarElements>(std::vector<float>{1, -7});
  lost->isLost = true;
  pair.variant.parts = lost;
  EXPECT_FALSE(closenessOf(pair, {0.5, 0}).has_value());
  EXPECT_FALSE(checkIntact(pair));
}

}  // namespace
}  // namespace ulp::analysis
