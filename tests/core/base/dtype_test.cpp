#include "core/base/dtype.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/data/every_dtype.h"

namespace ulp {
namespace {

TEST(DType, ReadsBackItsOwnNames) {
  for (const DType dtype : test::kEveryDType) {
    EXPECT_EQ(parseDType(toString(dtype)), dtype) << toString(dtype);
    EXPECT_EQ(parseDType("torch." + std::string(toString(dtype))), dtype) << toString(dtype);
  }
}

TEST(DType, IsNamedAsTorchNamesIt) {
  EXPECT_EQ(toString(DType::BFloat16), "bfloat16");
  EXPECT_EQ(toString(DType::Float8E4M3FN), "float8_e4m3fn");
  EXPECT_EQ(toString(DType::Float8E5M2), "float8_e5m2");
  EXPECT_EQ(toString(DType::Bool), "bool");
}

TEST(DType, UnderstandsShortNames) {
  EXPECT_EQ(parseDType("fp32"), DType::Float32);
  EXPECT_EQ(parseDType("float"), DType::Float32);
  EXPECT_EQ(parseDType("double"), DType::Float64);
  EXPECT_EQ(parseDType("half"), DType::Float16);
  EXPECT_EQ(parseDType("torch.half"), DType::Float16);
  EXPECT_EQ(parseDType("bf16"), DType::BFloat16);
  EXPECT_EQ(parseDType("fp8_e4m3"), DType::Float8E4M3FN);
  EXPECT_EQ(parseDType("i64"), DType::Int64);
}

TEST(DType, RefusesOtherNames) {
  for (const char* name : {"", "float31", "bfloat16 ", "BFLOAT16", "torch.", "complex64"}) {
    EXPECT_EQ(parseDType(name), std::nullopt) << name;
  }
}

TEST(DType, KnowsSizesAndKinds) {
  EXPECT_EQ(itemSize(DType::Float64), 8);
  EXPECT_EQ(itemSize(DType::Float32), 4);
  EXPECT_EQ(itemSize(DType::BFloat16), 2);
  EXPECT_EQ(itemSize(DType::Float8E5M2), 1);
  EXPECT_EQ(itemSize(DType::Int64), 8);
  EXPECT_EQ(itemSize(DType::Bool), 1);
  EXPECT_TRUE(isFloatingPoint(DType::Float8E4M3FN));
  EXPECT_FALSE(isFloatingPoint(DType::Int32));
  EXPECT_FALSE(isFloatingPoint(DType::Bool));
}

TEST(DType, IsAsLargeAsItsName) {
  for (const DType dtype : test::kEveryDType) {
    const std::string name(toString(dtype));
    const std::size_t digit = name.find_first_of("0123456789");
    const std::size_t bits = name == "bool" ? 8 : std::stoul(name.substr(digit));
    EXPECT_EQ(itemSize(dtype), bits / 8) << name;
    EXPECT_EQ(isFloatingPoint(dtype), name.find("float") != std::string::npos) << name;
  }
}

}  // namespace
}  // namespace ulp
