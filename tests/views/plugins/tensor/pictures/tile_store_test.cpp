#include "views/plugins/tensor/pictures/tile_store.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/analysis/tensors/far_elements.h"
#include "tests/core/analysis/tensors/tensor_pair_fixture.h"
#include "tests/support/window/wait_for.h"

namespace ulp::views {
namespace {

using analysis::Quantity;

/// A variant of 20 MB on another machine.
struct FarContent {
  static constexpr std::int64_t kRows = 1250;
  static constexpr std::int64_t kColumns = 4000;

  std::shared_ptr<test::FarElements> elements;
  analysis::TensorPairPtr pair;
  analysis::TensorPlane plane;

  FarContent() {
    std::vector<float> values(kRows * kColumns, 1.0F);
    values[5] = 3.0F;
    auto made =
        std::make_shared<analysis::TensorPair>(*test::floatPair({kRows, kColumns}, values, values));
    elements = std::make_shared<test::FarElements>(std::move(values));
    made->variant = {{elements->here().data(), DType::Float32, {kRows, kColumns}}, elements};
    made->variant.parts = elements;
    pair = std::move(made);
    plane =
        analysis::makePlane(pair->shape(), analysis::parseSlice("", pair->shape()).value()).value();
  }
};

TEST(TileStore, OfALargeTensorElsewhereOnlyWhatIsSeenComesUntilAllIsAskedFor) {
  Background background;
  const FarContent far;
  TileStore store(background);
  store.setPlane(far.pair, far.plane);
  EXPECT_TRUE(store.waitsForWhole());
  store.look({0, 0, FarContent::kRows, FarContent::kColumns}, {200, 100});
  store.want({Quantity::Variant});
  ASSERT_TRUE(test::waitFor([&] { return store.image(Quantity::Variant) != nullptr; }));
  EXPECT_TRUE(store.image(Quantity::Variant)->isPreview);
  EXPECT_FALSE(store.isBusy());
  EXPECT_LE(far.elements->picked, 240U * 400U);
  EXPECT_EQ(far.elements->brought, 0U);
  // A part: its elements.
  store.look({0, 0, 40, 60}, {200, 100});
  ASSERT_TRUE(test::waitFor([&] {
    return store.image(Quantity::Variant)->rowsPerCell == 1 &&
           store.image(Quantity::Variant)->columnsPerCell == 1;
  }));
  EXPECT_EQ(store.image(Quantity::Variant)->extreme->value(0, 5), 3);
  EXPECT_LT(far.elements->picked + far.elements->brought, 300'000U);
  // Another plane of the same pair waits as well; then all comes.
  store.readWhole();
  EXPECT_FALSE(store.waitsForWhole());
  ASSERT_TRUE(test::waitFor([&] { return !store.isBusy() && background.isIdle(); }));
  EXPECT_EQ(far.elements->brought,
            static_cast<std::size_t>(FarContent::kRows) * FarContent::kColumns);
  store.setPlane(far.pair, far.plane);
  EXPECT_FALSE(store.waitsForWhole());
}

}  // namespace
}  // namespace ulp::views
