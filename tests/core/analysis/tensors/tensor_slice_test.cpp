#include "core/analysis/tensors/tensor_slice.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ulp::analysis
