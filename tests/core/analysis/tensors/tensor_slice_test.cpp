#include "core/analysis/tensors/tensor_slice.h"

#include <memory>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/tensors/far_elements.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;

SlicedTensor sliced(std::string_view text, const std::vector<std::int64_t>& shape) {
  numerics::TensorView view{nullptr, DType::Int64, shape};
  std::vector<std::int64_t> elements(view.count());
  std::iota(elements.begin(), elements.end(), 0);
  view.data = elements.data();
  const auto slice = parseSlice(text, shape);
  EXPECT_TRUE(slice.has_value()) << slice.error().message();
  return slice ? takeSlice(view, *slice) : SlicedTensor{};
}

std::string errorOf(std::string_view text, const std::vector<std::int64_t>& shape) {
  const auto slice = parseSlice(text, shape);
  return slice ? "accepted" : slice.error().message();
}

TEST(TensorSlice, TakesPositionsAndRanges) {
  const SlicedTensor part = sliced("0, 1:3, ::2", {2, 4, 5});
  EXPECT_THAT(part.shape, ElementsAre(2, 3));
  EXPECT_THAT(part.values, ElementsAre(5, 7, 9, 10, 12, 14));
}

TEST(TensorSlice, CountsNegativePositionsFromTheEnd) {
  EXPECT_THAT(sliced("-1", {4}).values, ElementsAre(3));
  EXPECT_THAT(sliced("-3:-1", {4}).values, ElementsAre(1, 2));
  EXPECT_THAT(sliced("::-1", {4}).values, ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(sliced("2::-2", {4}).values, ElementsAre(2, 0));
  EXPECT_THAT(sliced("-1:0:-1", {4}).values, ElementsAre(3, 2, 1));
  EXPECT_THAT(sliced("::3", {4}).values, ElementsAre(0, 3));
}

TEST(TensorSlice, ClipsRanges) {
  EXPECT_THAT(sliced("2:100", {4}).values, ElementsAre(2, 3));
  EXPECT_THAT(sliced("-100:2", {4}).values, ElementsAre(0, 1));
  EXPECT_TRUE(sliced("3:1", {4}).values.empty());
  EXPECT_TRUE(sliced(":", {0}).values.empty());
  EXPECT_TRUE(sliced("::-1", {0}).values.empty());
}

TEST(TensorSlice, TakesDimensionsThatAreNotNamedWhole) {
  EXPECT_THAT(sliced("1", {2, 2}).values, ElementsAre(2, 3));
  EXPECT_THAT(sliced("..., 1", {2, 2}).values, ElementsAre(1, 3));
  EXPECT_THAT(sliced("0, ..., 1", {2, 2, 2}).values, ElementsAre(1, 3));
  EXPECT_THAT(sliced("", {2, 2}).values, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(sliced("", {}).values, ElementsAre(0));
}

TEST(TensorSlice, OfATensorElsewhereComesAlone) {
  const std::vector<std::int64_t> shape{6, 5, 4, 3};
  std::vector<float> elements(std::size_t{6} * 5 * 4 * 3);
  std::iota(elements.begin(), elements.end(), 0.0F);
  const numerics::TensorView whole{elements.data(), DType::Float32, shape};
  for (const auto* text : {"",
                           "1:4, ::-2, 1:3, 2",
                           "::2, 1, ::-1, ::-1",
                           "-1, -1, -1, -1",
                           "...,0",
                           "::3, 1::2, ::2, ::2",
                           "5:2"}) {
    const auto far = std::make_shared<test::FarElements>(elements);
    const numerics::TensorView here{far->here().data(), DType::Float32, shape};
    const auto slice = parseSlice(text, shape);
    ASSERT_TRUE(slice) << text;
    const auto taken = readSlice({.view = here, .owner = far, .parts = far}, *slice);
    ASSERT_TRUE(taken) << text;
    const SlicedTensor expected = takeSlice(whole, *slice);
    EXPECT_EQ(taken->shape, expected.shape) << text;
    EXPECT_EQ(taken->values, expected.values) << text;
    EXPECT_EQ(far->picked, countOf(*slice)) << text;
    EXPECT_EQ(far->brought, 0U) << text;
    far->isLost = true;
    EXPECT_EQ(readSlice({.view = here, .owner = far, .parts = far}, *slice).has_value(),
              expected.values.empty())
        << text;
  }
}

TEST(TensorSlice, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf("4", {4}), "slice '4': position 4 lies outside a dimension of 4");
  EXPECT_EQ(errorOf("-5", {4}), "slice '-5': position -5 lies outside a dimension of 4");
  EXPECT_EQ(errorOf("0,0", {4}), "slice '0,0' does not fit a tensor of shape [4]");
  EXPECT_EQ(errorOf("...,...", {4}), "slice '...,...' does not fit a tensor of shape [4]");
  EXPECT_EQ(errorOf("x", {4}), "slice 'x': 'x' is not a position or range");
  EXPECT_EQ(errorOf("0,,1", {4, 4, 4}), "slice '0,,1': '' is not a position or range");
  EXPECT_EQ(errorOf("::0", {4}), "slice '::0': '::0' has no step other than 0");
  EXPECT_EQ(errorOf("a:b", {4}), "slice 'a:b': 'a:b' is not a range; expected start:stop:step");
  EXPECT_EQ(errorOf("1:2:3:4", {4}),
            "slice '1:2:3:4': '1:2:3:4' is not a range; expected start:stop:step");
  EXPECT_EQ(errorOf("9999999999999999999", {4}),
            "slice '9999999999999999999': '9999999999999999999' is not a position or range");
}

using Shape = std::vector<std::int64_t>;

TensorPlane planeOfShape(const Shape& shape, const char* slice, const PlaneAxes& axes = {}) {
  return makePlane(shape, parseSlice(slice, shape).value(), axes).value();
}

TEST(TensorPlane, TakesTheLastTwoDimensionsOfMoreThanOnePosition) {
  const TensorPlane plane = planeOfShape({1, 128, 576}, "");
  EXPECT_EQ(plane.rowDimension, 1);
  EXPECT_EQ(plane.columnDimension, 2);
  EXPECT_EQ(plane.rows, 128);
  EXPECT_EQ(plane.columns, 576);
  EXPECT_EQ(plane.flatAt({3, 7}), 3 * 576 + 7);
  EXPECT_EQ(plane.indexAt({3, 7}), (Shape{0, 3, 7}));
}

TEST(TensorPlane, HoldsTheOtherDimensionsAtTheStartOfTheirRange) {
  const TensorPlane plane = planeOfShape({2, 3, 4, 5}, "1, 2");
  EXPECT_EQ(plane.rows, 4);
  EXPECT_EQ(plane.columns, 5);
  EXPECT_EQ(plane.indexAt({3, 4}), (Shape{1, 2, 3, 4}));
  const TensorPlane transposed =
      planeOfShape({2, 3, 4, 5}, ":, 1:, 3, :", {.rows = 3, .columns = 1});
  EXPECT_EQ(transposed.rows, 5);
  EXPECT_EQ(transposed.columns, 2);
  EXPECT_EQ(transposed.indexAt({4, 1}), (Shape{0, 2, 3, 4}));
}

TEST(TensorPlane, FollowsStepsAlsoBackwards) {
  const TensorPlane plane = planeOfShape({6, 10}, "::-2, 1::3");
  EXPECT_EQ(plane.rows, 3);
  EXPECT_EQ(plane.columns, 3);
  EXPECT_EQ(plane.indexAt({0, 0}), (Shape{5, 1}));
  EXPECT_EQ(plane.indexAt({2, 2}), (Shape{1, 7}));
}

TEST(TensorPlane, FoldsASingleLine) {
  const TensorPlane plane = planeOfShape({1, 100}, "");
  EXPECT_EQ(plane.rowDimension, -1);
  EXPECT_EQ(plane.columns, 32);
  EXPECT_EQ(plane.rows, 4);
  EXPECT_EQ(plane.cells, 100);
  EXPECT_TRUE(plane.contains({3, 3}));
  EXPECT_FALSE(plane.contains({3, 4}));
  EXPECT_EQ(plane.columnsOf(3), 4);
  EXPECT_EQ(plane.indexAt({3, 3}), (Shape{0, 99}));
  EXPECT_EQ(plane.locate(Shape{0, 99}), (PlanePoint{3, 3}));
}

TEST(TensorPlane, FoldedLinesAreAboutTwiceAsWideAsHigh) {
  const auto columns = [](std::int64_t count) { return planeOfShape({1, count}, "").columns; };
  EXPECT_EQ(columns(5), 5);
  EXPECT_EQ(columns(512), 32);
  EXPECT_EQ(columns(513), 64);
  EXPECT_EQ(columns(2048), 64);
  EXPECT_EQ(columns(2049), 128);
}

TEST(TensorPlane, ShowsAScalarAsOneCell) {
  const TensorPlane plane = planeOfShape({}, "");
  EXPECT_EQ(plane.cells, 1);
  EXPECT_TRUE(plane.contains({0, 0}));
  EXPECT_FALSE(plane.contains({0, 1}));
  EXPECT_EQ(plane.flatAt({0, 0}), 0);
  EXPECT_EQ(plane.locate(Shape{}), (PlanePoint{0, 0}));
}

TEST(TensorPlane, LocatesWhatItShowsAndNothingElse) {
  for (const char* slice : {"", "1", ":, ::2, 1:3", "0, ::-1, :", "..., 2"}) {
    const Shape shape{2, 5, 4};
    const TensorPlane plane = planeOfShape(shape, slice);
    std::int64_t found = 0;
    for (std::size_t flat = 0; flat < 40; ++flat) {
      if (const auto at = plane.locate(numerics::unravel(flat, shape))) {
        ++found;
        EXPECT_EQ(plane.flatAt(*at), static_cast<std::int64_t>(flat)) << slice;
      }
    }
    EXPECT_EQ(found, plane.cells) << slice;
  }
  EXPECT_FALSE(planeOfShape({2, 3}, "").locate(Shape{1}).has_value());
}

TEST(TensorPlane, RefusesASliceWithoutElements) {
  const Shape shape{4, 4};
  const auto plane = makePlane(shape, parseSlice("2:2", shape).value());
  ASSERT_FALSE(plane.has_value());
  EXPECT_EQ(plane.error().code(), ErrorCode::InvalidArgument);
  EXPECT_NE(plane.error().message().find("2:2, :"), std::string::npos);
}

TEST(SliceText, ReadsBackToTheSameSlice) {
  const Shape shape{4, 7, 9};
  for (const char* text :
       {"", "0", "::-1", "1:3, ::2, 8", "..., 5:1:-2", "3, 6, 0", "-1, :, ::-3"}) {
    const auto slice = parseSlice(text, shape).value();
    const std::string written = sliceText(slice, shape);
    const auto again = parseSlice(written, shape);
    ASSERT_TRUE(again.has_value()) << written;
    EXPECT_EQ(planeOfShape(shape, text), planeOfShape(shape, written.c_str()))
        << text << " -> " << written;
  }
  EXPECT_EQ(sliceText(parseSlice("0, ..., 5:10", shape).value(), shape), "0, :, 5:9");
}

}  // namespace

}  // namespace ulp::analysis
