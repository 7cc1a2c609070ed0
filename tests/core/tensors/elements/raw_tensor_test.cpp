#include "core/tensors/elements/raw_tensor.h"

#include <gmock/gmock.h>

#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kSix =
    Bytes().number(1).number(2).number(3).number(4).number(5).number(6).content();

TEST(RawTensorTest, TheCallerSaysTypeShapeAndOffset) {
  const auto whole = parseRawTensor(sourceOf(kSix), {"int32", {2, 3}});
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_THAT(elementsOf<std::int32_t>(*whole), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(whole->view.shape, ElementsAre(2, 3));
  const auto rest = parseRawTensor(sourceOf(kSix), {"i32", {2}, 16});
  ASSERT_TRUE(rest) << rest.error().message();
  EXPECT_THAT(elementsOf<std::int32_t>(*rest), ElementsAre(5, 6));
  const auto wide = parseRawTensor(sourceOf(kSix), {"uint16", {12}});
  ASSERT_TRUE(wide) << wide.error().message();
  EXPECT_EQ(wide->view.dtype, DType::Int32);
  EXPECT_EQ(elementsOf<std::int32_t>(*wide)[10], 6);
}

TEST(RawTensorTest, WhatDoesNotFitTheFileIsRefused) {
  const auto message = [](const RawLayout& layout) {
    return messageOf(parseRawTensor(sourceOf(kSix), layout));
  };
  EXPECT_THAT(
      message({"int32", {5}}),
      HasSubstr(
          "file: its 24 bytes from byte 0 on hold 6 elements of int32, and the shape asks for 5"));
  EXPECT_THAT(message({"int32", {7}}), HasSubstr("asks for 7"));
  EXPECT_THAT(message({"int32", {6}, 100}), HasSubstr("its 24 bytes end before byte 100"));
  EXPECT_THAT(message({"uint16", {0}, 100}), HasSubstr("file: its 24 bytes end before byte 100"));
  EXPECT_TRUE(parseRawTensor(sourceOf(kSix), {"uint16", {0}, 24}));
  EXPECT_THAT(message({"int32", {-6}}), HasSubstr("an impossible number"));
  EXPECT_THAT(message({"int33", {6}}), HasSubstr("no element type is called 'int33'"));
  EXPECT_THAT(message({"complex64", {3}}), HasSubstr("torch.view_as_real"));
}

TEST(RawTensorTest, OneExtentMayBeLeftToTheFile) {
  const auto shapeOf = [](std::vector<std::int64_t> shape, std::uint64_t offset = 0) {
    return parseRawTensor(sourceOf(kSix), {"int32", std::move(shape), offset});
  };
  EXPECT_THAT(shapeOf({-1})->view.shape, ElementsAre(6));
  EXPECT_THAT(shapeOf({2, -1})->view.shape, ElementsAre(2, 3));
  EXPECT_THAT(elementsOf<std::int32_t>(*shapeOf({-1, 2}, 8)), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(shapeOf({-1}, 24)->view.shape, ElementsAre(0));
  EXPECT_THAT(messageOf(shapeOf({4, -1})), HasSubstr("asks for a multiple of 4"));
  EXPECT_THAT(messageOf(shapeOf({0, -1})), HasSubstr("asks for a multiple of 0"));
  EXPECT_THAT(messageOf(shapeOf({-1, -1})), HasSubstr("an impossible number"));
  EXPECT_THAT(messageOf(shapeOf({-1}, 2)),
              HasSubstr("its 22 bytes from byte 2 on hold no whole number of elements of int32"));
}

}  // namespace
}  // namespace ulp::tensors
