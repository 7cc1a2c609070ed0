#include "views/plugins/tensor/pictures/tensor_viewpoint.h"

#include <gtest/gtest.h>

#include "core/analysis/tensors/tensor_slice.h"

namespace ulp::views {
namespace {

using analysis::TensorPlane;
using charts::Range;
using Shape = std::vector<std::int64_t>;

TensorPlane planeOf(const Shape& shape, const char* slice = "", analysis::PlaneAxes axes = {}) {
  const auto ranges = analysis::parseSlice(slice, shape);
  EXPECT_TRUE(ranges.has_value());
  const auto plane = analysis::makePlane(shape, *ranges, axes);
  EXPECT_TRUE(plane.has_value());
  return *plane;
}

/// Where what is seen of one plane lies in another.
PlaneView carried(const TensorPlane& from, const PlaneView& seen, const TensorPlane& to) {
  return viewOf(to, {.numbers = spansOf(from, seen)}, {.columns = {0, 1}, .rows = {0, 1}});
}

PlaneView part(const Range& columns, const Range& rows) {
  return {.columns = columns, .rows = rows, .allColumns = false, .allRows = false};
}

TEST(TensorViewpoint, ElementsOfAWholeTensorAreFoundInASliceOfIt) {
  const PlaneView view =
      carried(planeOf({1, 8, 12}), part({4, 10}, {2, 6}), planeOf({1, 8, 12}, ":, 2:, ::2"));
  EXPECT_EQ(view.columns, (Range{2, 5}));
  EXPECT_EQ(view.rows, (Range{0, 4}));
}

TEST(TensorViewpoint, BackwardsTheSameElementsAreSeen) {
  const PlaneView view =
      carried(planeOf({8, 12}), part({4, 6}, {0, 8}), planeOf({8, 12}, ":, ::-1"));
  // Elements 4 and 5 of 12 are cells 6 and 7 from the end.
  EXPECT_EQ(view.columns, (Range{6, 8}));
}

TEST(TensorViewpoint, DimensionsKeepTheirPlaceWhereAxesAreSwapped) {
  const PlaneView view = carried(
      planeOf({8, 12}), part({4, 6}, {1, 3}), planeOf({8, 12}, "", {.rows = 1, .columns = 0}));
  EXPECT_EQ(view.rows, (Range{4, 6}));
  EXPECT_EQ(view.columns, (Range{1, 3}));
}

TEST(TensorViewpoint, DimensionsThatOnlyOneShowsStayAsTheyAre) {
  const PlaneView view = carried(planeOf({4, 8, 12}, "", {.rows = 0, .columns = 1}),
                                 part({2, 4}, {1, 2}),
                                 planeOf({4, 8, 12}, "", {.rows = 1, .columns = 2}));
  EXPECT_EQ(view.rows, (Range{2, 4}));
  EXPECT_EQ(view.columns, (Range{0, 1}));
}

TEST(TensorViewpoint, AllOfOneTensorIsAllOfAnother) {
  const PlaneView whole{.columns = {0, 12}, .rows = {0, 8}, .allColumns = true, .allRows = true};
  const PlaneView view = carried(planeOf({8, 12}), whole, planeOf({20, 30}));
  EXPECT_EQ(view.columns, (Range{0, 30}));
  EXPECT_EQ(view.rows, (Range{0, 20}));
}

TEST(TensorViewpoint, FoldedLinesFollowEachOtherWhereTheyAreFoldedAlike) {
  const TensorPlane line = planeOf({4096});
  ASSERT_LT(line.rowDimension, 0);
  ASSERT_GT(line.rows, 1);
  const PlaneView view = carried(line, part({4, 6}, {1, 3}), planeOf({4096}));
  EXPECT_EQ(view.columns, (Range{4, 6}));
  EXPECT_EQ(view.rows, (Range{1, 3}));
  const PlaneView other = carried(line, part({4, 6}, {1, 3}), planeOf({64, 64}));
  EXPECT_EQ(other.columns, (Range{0, 1})) << "columns of a folded line are no channels";
}

}  // namespace
}  // namespace ulp::views
