#include "core/tensors/formats/numpy/npy.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A file of version `major` with the header padded as NumPy pads it.
std::string npyFileOf(std::string_view header, const std::string& data, std::uint8_t major = 1) {
  Bytes file;
  file.text("\x93NUMPY").number(major).number<std::uint8_t>(0);
  std::string padded(header);
  const std::size_t before = major == 1 ? 10 : 12;
  padded.resize((padded.size() + before) / 64 * 64 + 63 - before, ' ');
  padded += '\n';
  if (major == 1) {
    file.number(static_cast<std::uint16_t>(padded.size()));
  } else {
    file.number(static_cast<std::uint32_t>(padded.size()));
  }
  return file.text(padded).text(data).content();
}

std::string headerOf(std::string_view descr, std::string_view shape, bool fortran = false) {
  return "{'descr': '" + std::string(descr) +
         "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + std::string(shape) + ", }";
}

const std::string kSix =
    Bytes().number(1).number(2).number(3).number(4).number(5).number(6).content();

Result<Tensor> parsedNpy(const std::string& content) {
  return parseNpy(sourceOf(content));
}

TEST(Npy, ReadsEveryVersion) {
  for (const auto major : std::to_array<std::uint8_t>({1, 2, 3})) {
    const auto tensor = parsedNpy(npyFileOf(headerOf("<i4", "(2, 3)"), kSix, major));
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_THAT(tensor->view.shape, ElementsAre(2, 3));
    EXPECT_THAT(elementsOf<std::int32_t>(*tensor), ElementsAre(1, 2, 3, 4, 5, 6));
  }
}

TEST(Npy, TransposesFortranOrder) {
  const auto tensor = parsedNpy(npyFileOf(headerOf("<i4", "(2, 3)", true), kSix));
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(tensor->view.shape, ElementsAre(2, 3));
  EXPECT_THAT(elementsOf<std::int32_t>(*tensor), ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(Npy, WidensBeforeItTransposes) {
  const std::string data = Bytes()
                               .number<std::uint32_t>(1)
                               .number<std::uint32_t>(2)
                               .number<std::uint32_t>(3)
                               .number<std::uint32_t>(4'000'000'000)
                               .content();
  const auto tensor = parsedNpy(npyFileOf(headerOf("<u4", "(2, 2)", true), data));
  ASSERT_TRUE(tensor);
  EXPECT_THAT(elementsOf<std::int64_t>(*tensor), ElementsAre(1, 3, 2, 4'000'000'000));
}

TEST(Npy, ReadsEveryType) {
  const std::array<std::pair<const char*, DType>, 12> types{{{"<f8", DType::Float64},
                                                             {"<f4", DType::Float32},
                                                             {"<f2", DType::Float16},
                                                             {"<i8", DType::Int64},
                                                             {"<i4", DType::Int32},
                                                             {"<i2", DType::Int16},
                                                             {"|i1", DType::Int8},
                                                             {"|u1", DType::UInt8},
                                                             {"|b1", DType::Bool},
                                                             {"<u2", DType::Int32},
                                                             {"<u4", DType::Int64},
                                                             {"<u8", DType::Int64}}};
  for (const auto& [descr, dtype] : types) {
    const auto size = static_cast<std::size_t>(descr[2] - '0');
    const auto tensor =
        parsedNpy(npyFileOf(headerOf(descr, "(1,)"), "\x01" + std::string(size - 1, '\0')));
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_EQ(tensor->view.dtype, dtype) << descr;
  }
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  const auto scalar = parsedNpy(npyFileOf(headerOf("<i2", "()"), std::string("\x05\x00", 2)));
  ASSERT_TRUE(scalar) << scalar.error().message();
  EXPECT_THAT(elementsOf<std::int16_t>(*scalar), ElementsAre(5));
  EXPECT_EQ(parsedNpy(npyFileOf(headerOf("<f4", "(0, 5)"), ""))->view.count(), 0U);
}

TEST(Npy, RefusesEveryTruncation) {
  expectPrefixesCorrupt(npyFileOf(headerOf("<i4", "(2, 3)"), kSix),
                        [](const ByteSource& source) { return parseNpy(source); });
}

TEST(Npy, RefusesSizesThatTheDataDoesNotHave) {
  for (const char* shape : {"(2, 4)",
                            "(5,)",
                            "(4611686018427387904, 4)",
                            "(9223372036854775807,)",
                            "(0, 9223372036854775807, 3)"}) {
    const auto tensor = parsedNpy(npyFileOf(headerOf("<i4", shape), kSix));
    ASSERT_FALSE(tensor) << shape;
    EXPECT_EQ(tensor.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(tensor.error().message(), HasSubstr("file: data: the 24 bytes"));
  }
}

TEST(Npy, RefusesHeadersThatAreNoDictionary) {
  for (const char* header :
       {"",
        "{",
        "{}",
        "[]",
        "{'descr': '<i4'}",
        "{'descr': '<i4', 'fortran_order': 0, 'shape': (6,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (6,)} x",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (6,}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (-6,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (6 6)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': [6]}",
        "{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (6,), 'more': 1}",
        "{'descr: '<i4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (6,)}"}) {
    const auto tensor = parsedNpy(npyFileOf(header, kSix));
    ASSERT_FALSE(tensor) << header;
    EXPECT_EQ(tensor.error().code(), ErrorCode::CorruptData) << header;
    EXPECT_THAT(tensor.error().message(), HasSubstr("file: header: ")) << header;
  }
}

TEST(Npy, SaysWhichTypesItDoesNotRead) {
  for (const char* descr : {">f4", "<c8", "|O", "<U3", "<f16", "<M8[ns]"}) {
    const auto tensor = parsedNpy(npyFileOf(headerOf(descr, "(6,)"), kSix));
    ASSERT_FALSE(tensor) << descr;
    EXPECT_EQ(tensor.error().code(), ErrorCode::Unsupported);
    EXPECT_THAT(tensor.error().message(), HasSubstr(descr));
  }
}

TEST(Npy, RefusesForeignFiles) {
  EXPECT_THAT(messageOf(parsedNpy("PK\x03\x04 and more bytes")),
              HasSubstr("is this an .npy file?"));
  EXPECT_THAT(messageOf(parsedNpy(npyFileOf(headerOf("<i4", "(6,)"), kSix, 4))),
              HasSubstr("version 4"));
  EXPECT_EQ(readNpy("/nowhere.npy").error().code(), ErrorCode::NotFound);
}

TEST(Npy, ArraysHaveUpTo64Dimensions) {
  const auto of = [](std::size_t dimensions) {
    std::string shape = "(";
    for (std::size_t i = 0; i < dimensions; ++i) {
      shape += "1,";
    }
    return parsedNpy(npyFileOf(headerOf("<i4", shape + ")"), Bytes().number(7).content()));
  };
  ASSERT_TRUE(of(64)) << of(64).error().message();
  EXPECT_EQ(of(64)->view.shape.size(), 64U);
  EXPECT_THAT(messageOf(of(65)), HasSubstr("or more than 64 of them"));
}

}  // namespace
}  // namespace ulp::tensors
