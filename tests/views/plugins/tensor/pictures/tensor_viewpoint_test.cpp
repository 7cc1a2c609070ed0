#include "views/plugins/tensor/pictures/tensor_viewpoint.h"

#include <gtest/gtest.h>

#include "core/analysis/tensors/tensor_slice.h"

namespace ulp::views {
namespace {

using analysis::TensorPlane;
using charts::Range;
using charts::Viewport;
using Shape = std::vector<std::int64_t>;

TensorPlane planeOf(const Shape& shape, const char* slice = "", analysis::PlaneAxes axes = {}) {
  const auto ranges = analysis::parseSlice(slice, shape);
  EXPECT_TRUE(ranges.has_value());
  const auto plane = analysis::makePlane(shape, *ranges, axes);
  EXPECT_TRUE(plane.has_value());
  return *plane;
}

Viewport whole(const TensorPlane& plane) {
  Viewport view;
  view.setFull({0, static_cast<double>(plane.columns)}, {0, static_cast<double>(plane.rows)});
  return view;
}

Viewport part(const TensorPlane& plane, const Range& columns, const Range& rows) {
  Viewport view = whole(plane);
  view.zoomTo(columns, rows);
  return view;
}

/// Where what is seen of one plane lies in another.
Viewport carried(const TensorPlane& from, const Viewport& seen, const TensorPlane& to) {
  return viewOf(to, {.numbers = spansOf(from, seen)}, part(to, {0, 1}, {0, 1}));
}

TEST(TensorViewpoint, ElementsOfAWholeTensorAreFoundInASliceOfIt) {
  const TensorPlane from = planeOf({1, 8, 12});
  const Viewport view =
      carried(from, part(from, {4, 10}, {2, 6}), planeOf({1, 8, 12}, ":, 2:, ::2"));
  EXPECT_EQ(view.x(), (Range{2, 5}));
  EXPECT_EQ(view.y(), (Range{0, 4}));
}

TEST(TensorViewpoint, BackwardsTheSameElementsAreSeen) {
  const TensorPlane from = planeOf({8, 12});
  const Viewport view = carried(from, part(from, {4, 6}, {0, 8}), planeOf({8, 12}, ":, ::-1"));
  // Elements 4 and 5 of 12 are cells 6 and 7 from the end.
  EXPECT_EQ(view.x(), (Range{6, 8}));
}

TEST(TensorViewpoint, DimensionsKeepTheirPlaceWhereAxesAreSwapped) {
  const TensorPlane from = planeOf({8, 12});
  const Viewport view =
      carried(from, part(from, {4, 6}, {1, 3}), planeOf({8, 12}, "", {.rows = 1, .columns = 0}));
  EXPECT_EQ(view.y(), (Range{4, 6}));
  EXPECT_EQ(view.x(), (Range{1, 3}));
}

TEST(TensorViewpoint, DimensionsThatOnlyOneShowsStayAsTheyAre) {
  const TensorPlane from = planeOf({4, 8, 12}, "", {.rows = 0, .columns = 1});
  const Viewport view =
      carried(from, part(from, {2, 4}, {1, 2}), planeOf({4, 8, 12}, "", {.rows = 1, .columns = 2}));
  EXPECT_EQ(view.y(), (Range{2, 4}));
  EXPECT_EQ(view.x(), (Range{0, 1}));
}

TEST(TensorViewpoint, AllOfOneTensorIsAllOfAnother) {
  const TensorPlane from = planeOf({8, 12});
  const Viewport view = carried(from, whole(from), planeOf({20, 30}));
  EXPECT_EQ(view.x(), (Range{0, 30}));
  EXPECT_EQ(view.y(), (Range{0, 20}));
}

TEST(TensorViewpoint, FoldedLinesFollowEachOtherWhereTheyAreFoldedAlike) {
  const TensorPlane line = planeOf({4096});
  ASSERT_LT(line.rowDimension, 0);
  ASSERT_GT(line.rows, 1);
  const Viewport view = carried(line, part(line, {4, 6}, {1, 3}), planeOf({4096}));
  EXPECT_EQ(view.x(), (Range{4, 6}));
  EXPECT_EQ(view.y(), (Range{1, 3}));
  const Viewport other = carried(line, part(line, {4, 6}, {1, 3}), planeOf({64, 64}));
  EXPECT_EQ(other.x(), (Range{0, 1})) << "columns of a folded line are no channels";
}

}  // namespace
}  // namespace ulp::views
