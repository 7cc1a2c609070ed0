#include "core/tensors/formats/atb/atb_type.h"

#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>

#include "core/tensors/formats/atb/atb_file.h"
#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

/// "00 3E" as two bytes.
std::string bytesOf(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    while (digits[i] == ' ') {
      ++i;
    }
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::string atbFile(int code, const std::string& dims, const std::string& payload) {
  const std::string length = std::to_string(payload.size());
  return "$Version=1.0\n$Object.Count=1\n$Object.Length=" + length +
         "\nformat=2\ndtype=" + std::to_string(code) + "\ndims=" + dims + "\n$Object.data=0," +
         length + "\n$End=1\n" + payload;
}

Result<Tensor> readOf(int code, const std::string& dims, const std::string& payload) {
  const auto file = AtbFile::parse(sourceOf(atbFile(code, dims, payload)));
  return file ? (*file)->read("") : tl::unexpected(file.error());
}

struct TypeCase {
  int code;
  std::string name;
  std::string payload;  ///< hexadecimal
  DType dtype;
  std::vector<double> values;
  std::vector<std::int64_t> shape{};  ///< empty: that of the values
};

class AtbTypeValuesTest : public testing::TestWithParam<TypeCase> {};

TEST_P(AtbTypeValuesTest, AreThoseOfTheBytes) {
  const TypeCase& expected = GetParam();
  const bool isComplex = expected.shape.size() > 1;
  const auto count =
      isComplex ? expected.shape.front() : static_cast<std::int64_t>(expected.values.size());
  const auto file = AtbFile::parse(
      sourceOf(atbFile(expected.code, std::to_string(count), bytesOf(expected.payload))));
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ((*file)->header().typeName(), expected.name);
  EXPECT_THAT((*file)->header().shape, ElementsAre(count));
  const auto tensor = (*file)->read("");
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(tensor->view.dtype, expected.dtype);
  EXPECT_EQ((*file)->tensors()[0].dtype, expected.dtype);
  EXPECT_EQ(tensor->view.shape, isComplex ? expected.shape : std::vector<std::int64_t>{count});
  EXPECT_EQ((*file)->tensors()[0].shape, tensor->view.shape);
  std::vector<double> values;
  for (std::size_t i = 0; i < tensor->view.count(); ++i) {
    values.push_back(numerics::elementAt(tensor->view, i));
  }
  EXPECT_THAT(values, ElementsAreArray(expected.values));
}

INSTANTIATE_TEST_SUITE_P(
    AllThatAreRead,
    AtbTypeValuesTest,
    testing::Values(
        TypeCase{0, "float32", "0000C03F 000000C0", DType::Float32, {1.5, -2}},
        TypeCase{1, "float16", "003E FFFB 0100", DType::Float16, {1.5, -65504, 0x1p-24}},
        TypeCase{2, "int8", "7F80FF", DType::Int8, {127, -128, -1}},
        TypeCase{3, "int32", "FFFFFF7F 00000080", DType::Int32, {2'147'483'647, -2'147'483'648.0}},
        TypeCase{4, "uint8", "7F80FF", DType::UInt8, {127, 128, 255}},
        TypeCase{6, "int16", "FF7F 0080", DType::Int16, {32'767, -32'768}},
        TypeCase{7, "uint16", "FF7F 0080 FFFF", DType::Int32, {32'767, 32'768, 65'535}},
        TypeCase{8, "uint32", "FFFFFFFF 01000000", DType::Int64, {4'294'967'295.0, 1}},
        TypeCase{9, "int64", "FEFFFFFFFFFFFFFF 0000000001000000", DType::Int64, {-2, 0x1p32}},
        TypeCase{10, "uint64", "0000000001000000", DType::Int64, {0x1p32}},
        TypeCase{11, "float64", "000000000000F83F", DType::Float64, {1.5}},
        TypeCase{12, "bool", "0001", DType::Bool, {0, 1}},
        TypeCase{16, "complex64", "0000803F 000000C0", DType::Float32, {1, -2}, {1, 2}},
        TypeCase{
            17, "complex128", "000000000000F03F 00000000000000C0", DType::Float64, {1, -2}, {1, 2}},
        TypeCase{27, "bfloat16", "C03F 00C0", DType::BFloat16, {1.5, -2}},
        TypeCase{29, "int4", "10789F", DType::Int8, {0, 1, -8, 7, -1, -7}},
        TypeCase{30, "uint1", "A501", DType::UInt8, {1, 0, 1, 0, 0, 1, 0, 1, 1}},
        TypeCase{33, "complex32", "003C00C0 003E0000", DType::Float16, {1, -2, 1.5, 0}, {2, 2}},
        TypeCase{34,
                 "hifloat8",
                 "00 01 07 08 0F 10 17 18 20 28 30 38 40 60 6E 7E 7F 88",
                 DType::Float32,
                 {0,
                  0x1p-22,
                  0x1p-16,
                  1,
                  1.875,
                  2,
                  3.75,
                  0.5,
                  4,
                  8,
                  0.25,
                  0.125,
                  16,
                  256,
                  32'768,
                  0x1p-15,
                  0x1.8p-15,
                  -1}},
        TypeCase{35, "float8_e5m2", "3E 7B 01 C0", DType::Float8E5M2, {1.5, 57'344, 0x1p-16, -2}},
        TypeCase{36, "float8_e4m3fn", "3C 7E 01 C0", DType::Float8E4M3FN, {1.5, 448, 0x1p-9, -2}},
        TypeCase{37, "float8_e8m0fnu", "7F 80 00", DType::Float32, {1, 2, 0x1p-127}},
        TypeCase{40,
                 "float4_e2m1",
                 "10 32 54 76 98 BA DC FE",
                 DType::Float32,
                 {0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6}},
        TypeCase{41,
                 "float4_e1m2",
                 "10 32 54 76 09",
                 DType::Float32,
                 {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, -0.25}}),
    [](const auto& each) { return each.param.name; });

TEST(AtbTypeTest, HiFloat8HasANanBothInfinitiesAndNoNumberTwice) {
  std::string all;
  for (int code = 0; code < 256; ++code) {
    all += static_cast<char>(code);
  }
  const auto tensor = readOf(34, "256", all);
  ASSERT_TRUE(tensor) << tensor.error().message();
  const std::vector<float> values = elementsOf<float>(*tensor);
  EXPECT_TRUE(std::isnan(values[0x80]));
  EXPECT_EQ(values[0x6F], std::numeric_limits<float>::infinity());
  EXPECT_EQ(values[0xEF], -std::numeric_limits<float>::infinity());
  std::set<float> magnitudes;
  for (std::size_t code = 1; code < 0x80; ++code) {
    EXPECT_EQ(values[code + 0x80], -values[code]) << code;
    magnitudes.insert(values[code]);
  }
  EXPECT_EQ(magnitudes.size(), 127U);
  EXPECT_EQ(*magnitudes.begin(), 0x1p-22F);
}

TEST(AtbTypeTest, HiFloat8HasFewerBitsForTheMantissaTheLargerTheExponent) {
  struct Part {
    int first;
    int exponents;  ///< of either sign
    int mantissas;
  };
  std::string all;
  std::vector<float> expected;
  const auto add = [&](int code, double value) {
    all += static_cast<char>(code);
    expected.push_back(static_cast<float>(value));
  };
  for (int code = 1; code < 8; ++code) {
    add(code, std::ldexp(1.0, code - 23));
  }
  for (int mantissa = 0; mantissa < 8; ++mantissa) {
    add(8 + mantissa, 1 + mantissa / 8.0);
  }
  // Exponents begin where those of the part before end.
  for (const Part& part : {Part{0x10, 1, 8}, {0x20, 2, 8}, {0x40, 4, 4}, {0x60, 8, 2}}) {
    int code = part.first;
    for (const int sign : {1, -1}) {
      for (int exponent = part.exponents; exponent < 2 * part.exponents; ++exponent) {
        for (int mantissa = 0; mantissa < part.mantissas; ++mantissa, ++code) {
          if (code != 0x6F) {
            add(code,
                std::ldexp(1 + mantissa / static_cast<double>(part.mantissas), sign * exponent));
          }
        }
      }
    }
  }
  EXPECT_EQ(expected.size(), 126U);
  const auto tensor = readOf(34, std::to_string(all.size()), all);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(elementsOf<float>(*tensor), expected);
}

TEST(AtbTypeTest, WhatIsNotReadSaysWhy) {
  EXPECT_THAT(messageOf(readOf(13, "3", "abc")),
              HasSubstr("file: elements of type ATB type 13 (string) are not read: texts are no "
                        "numbers"));
  for (const char* name : {"float6_e3m2", "float6_e2m3"}) {
    const int code = std::string(name) == "float6_e3m2" ? 38 : 39;
    const auto tensor = readOf(code, "4", "abc");
    EXPECT_THAT(messageOf(tensor), HasSubstr(std::string(name) + ") are not read: CANN packs"));
    EXPECT_EQ(tensor.error().code(), ErrorCode::Unsupported);
  }
  EXPECT_THAT(messageOf(readOf(99, "1", "a")),
              HasSubstr("type ATB type 99 are not read: CANN has no such type"));
}

TEST(AtbTypeTest, SizesThatDoNotFitTheTypeAreRefused) {
  EXPECT_TRUE(readOf(29, "3", "ab"));
  EXPECT_THAT(messageOf(readOf(29, "3", "abc")), HasSubstr("do not give the 3 bytes"));
  EXPECT_THAT(messageOf(readOf(29, "5", "ab")), HasSubstr("do not give the 2 bytes"));
  EXPECT_TRUE(readOf(30, "16", "ab"));
  EXPECT_THAT(messageOf(readOf(30, "17", "ab")), HasSubstr("do not give the 2 bytes"));
  EXPECT_THAT(messageOf(readOf(16, "2", "12345678")), HasSubstr("do not give the 8 bytes"));
  EXPECT_THAT(messageOf(readOf(16, "9223372036854775807", "12345678")),
              HasSubstr("line 8: its dims give more elements than there can be"));
  EXPECT_THAT(messageOf(readOf(11, "9223372036854775807", "12345678")),
              HasSubstr("do not give the 8 bytes"));
}

TEST(AtbTypeTest, LimitsAreReachedAndNotExceeded) {
  std::string dims = "1";
  for (int i = 1; i < 64; ++i) {
    dims += ",1";
  }
  const auto most = readOf(2, dims, "a");
  ASSERT_TRUE(most) << most.error().message();
  EXPECT_EQ(most->view.shape.size(), 64U);
  EXPECT_THAT(messageOf(readOf(2, dims + ",1", "a")), HasSubstr("is not a possible value"));
  const auto padded = [](std::size_t size) {
    std::string header = "$Version=1.0\nformat=2\ndtype=2\ndims=0\n$Object.Length=0\npad=";
    const std::string end = "\n$Object.data=0,0\n$End=1\n";
    header.resize(size - end.size(), 'x');
    return AtbFile::parse(sourceOf(header + end));
  };
  EXPECT_TRUE(padded(65'536));
  EXPECT_THAT(messageOf(padded(65'537)), HasSubstr("the header does not end with $End=1"));
}

}  // namespace
}  // namespace ulp::tensors
