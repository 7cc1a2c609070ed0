#include "core/analysis/tensors/tensor_pair.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/tensors/tensor_pair_fixture.h"

namespace ulp::analysis {
namespace {

using Index = std::vector<std::int64_t>;

/// Every third element of a tensor of 2 x 6.
TensorPairPtr sampledPair() {
  return makeTensorPair({"x", "", -1, Level::Layer, {}},
                        test::floatTensor({4}, {0, 3, 6, 9}),
                        test::floatTensor({4}, {0, 3, 6, 9}),
                        3,
                        {2, 6})
      .value();
}

TEST(TensorPair, FindsElementsByTheirIndexInTheWhole) {
  const auto pair = test::floatPair({2, 3}, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5});
  EXPECT_FALSE(pair->isSample());
  EXPECT_EQ(pair->fullShape, Index({2, 3}));
  for (std::int64_t flat = 0; flat < 6; ++flat) {
    EXPECT_EQ(pair->fullIndex(flat), Index({flat / 3, flat % 3}));
    EXPECT_EQ(pair->find(pair->fullIndex(flat)), flat);
  }
  for (const Index& beyond : {Index{2, 0}, {0, 3}, {-1, 0}, {0, -1}, {0}, {0, 0, 0}}) {
    EXPECT_EQ(pair->find(beyond), std::nullopt);
  }
}

TEST(TensorPair, OfASampleKnowsWhereItsElementsWere) {
  const auto pair = sampledPair();
  EXPECT_TRUE(pair->isSample());
  EXPECT_EQ(pair->fullIndex(1), Index({0, 3}));
  EXPECT_EQ(pair->fullIndex(3), Index({1, 3}));
  EXPECT_EQ(pair->find(Index{1, 3}), 3);
  EXPECT_EQ(pair->find(Index{0, 0}), 0);
  EXPECT_EQ(pair->find(Index{1, 2}), std::nullopt) << "was not taken";
}

TEST(TensorPair, IsOfTwoTensorsOfOneShape) {
  const auto pair = makeTensorPair({"decoder.0", "", 0, Level::Layer, {}},
                                   test::floatTensor({2, 1}, {1, 2}),
                                   test::floatTensor({1, 2}, {1, 2}));
  ASSERT_FALSE(pair);
  EXPECT_EQ(pair.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(pair.error().message(),
            "decoder.0: the reference has the shape [2, 1], the variant [1, 2]");
}

TEST(TensorPair, EveryQuantityOfOnePairIsThatOfABlock) {
  const auto pair = test::floatPair({4}, {2, -2, 0, 0}, {2.5F, -2.5F, 0, 1});
  for (const Quantity quantity : kQuantities) {
    const QuantityReader reader(*pair, quantity);
    std::array<double, 4> values{};
    std::array<std::uint8_t, 4> nonFinite{};
    reader.read(0, 1, values, nonFinite);
    const std::array<std::pair<double, double>, 4> elements{{{2, 2.5}, {-2, -2.5}, {0, 0}, {0, 1}}};
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const double alone = reader.valueOf(elements[i].first, elements[i].second);
      EXPECT_TRUE(alone == values[i] || (std::isnan(alone) && std::isnan(values[i])))
          << static_cast<int>(quantity) << " of " << i;
      EXPECT_EQ(nonFinite[i], 0);
    }
  }
  EXPECT_EQ(QuantityReader(*pair, Quantity::Difference).valueOf(-2, -2.5), -0.5);
  EXPECT_EQ(QuantityReader(*pair, Quantity::AbsoluteDifference).valueOf(-2, -2.5), 0.5);
  EXPECT_EQ(QuantityReader(*pair, Quantity::RelativeDifference).valueOf(-2, -2.5), 0.25);
  EXPECT_TRUE(std::isnan(QuantityReader(*pair, Quantity::RelativeDifference).valueOf(0, 1)));
  EXPECT_EQ(QuantityReader(*pair, Quantity::RelativeDifference).valueOf(0, 0), 0);
}

}  // namespace
}  // namespace ulp::analysis
