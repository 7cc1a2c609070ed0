#include "core/tensors/raw_tensor.h"

#include <gmock/gmock.h>

#include "tests/core/tensors/test_bytes.h"

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
  EXPECT_THAT(message({"int32", {6}, 100}), HasSubstr("its 0 bytes from byte 100 on"));
  EXPECT_THAT(message({"uint16", {0}, 100}), HasSubstr("file: it ends before byte 100"));
  EXPECT_TRUE(parseRawTensor(sourceOf(kSix), {"uint16", {0}, 24}));
  EXPECT_THAT(message({"int32", {-6}}), HasSubstr("an impossible number"));
  EXPECT_THAT(message({"int33", {6}}), HasSubstr("no element type is called 'int33'"));
  EXPECT_THAT(message({"complex64", {3}}), HasSubstr("torch.view_as_real"));
}

}  // namespace
}  // namespace ulp::tensors
