#include "core/tensors/formats/torch/torch_writer.h"

#include <cstring>
#include <fstream>
#include <numeric>
#include <vector>
#include <zlib.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/in_pieces.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/zip_directory.h"
#include "core/tensors/archive/zip_writer.h"
#include "core/tensors/formats/torch/torch_file.h"
#include "tests/support/data/every_dtype.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using numerics::TensorView;
using testing::ElementsAre;

TEST(TorchWriter, WhatIsWrittenIsReadBackBitForBitInEveryType) {
  const test::TempDir dir;
  for (const DType dtype : test::kEveryDType) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{3, 1, 5}, {}, {0, 4}, {300}}) {
      TensorView view{nullptr, dtype, shape};
      const auto bytes = test::countingElements(dtype, view.count());
      view.data = bytes.data();
      ASSERT_TRUE(writeTorchTensor(dir / "x.pt", view));
      const auto file = TorchFile::open(dir / "x.pt");
      ASSERT_TRUE(file) << file.error().message();
      ASSERT_EQ((*file)->tensors().size(), 1U);
      EXPECT_EQ((*file)->tensors()[0].storedAs, toString(dtype));
      const auto tensor = (*file)->read("");
      ASSERT_TRUE(tensor) << tensor.error().message();
      EXPECT_EQ(tensor->view.dtype, dtype);
      EXPECT_EQ(tensor->view.shape, shape);
      ASSERT_EQ(tensor->view.sizeBytes(), bytes.size());
      EXPECT_TRUE(bytes.empty() || std::memcmp(tensor->view.data, bytes.data(), bytes.size()) == 0);
      std::filesystem::remove(dir / "x.pt");
    }
  }
}

TEST(TorchWriter, ElementsAreAlignedAndLieInTheFileAsTheyAre) {
  const test::TempDir dir;
  const std::vector<float> values(100, 1.5F);
  ASSERT_TRUE(writeTorchTensor(dir / "x.pt", {values.data(), DType::Float32, {100}}));
  const auto source = openByteSource(dir / "x.pt");
  ASSERT_TRUE(source);
  const auto members = readZipDirectory(*source);
  ASSERT_TRUE(members) << members.error().message();
  std::vector<std::string_view> names;
  for (const ZipMember& member : *members) {
    names.push_back(member.name);
    const auto bytes = packedBytes(*source, member);
    ASSERT_TRUE(bytes);
    EXPECT_EQ((bytes->data() - source->bytes.data()) % 64, 0) << member.name;
  }
  EXPECT_THAT(names,
              ElementsAre("archive/data.pkl",
                          "archive/.format_version",
                          "archive/.storage_alignment",
                          "archive/byteorder",
                          "archive/data/0",
                          "archive/version"));
}

TEST(TorchWriter, TheSameTensorMakesTheSameFile) {
  const test::TempDir dir;
  const std::vector<std::int64_t> values{1, -2, 3};
  for (const char* name : {"a.pt", "b.pt"}) {
    ASSERT_TRUE(writeTorchTensor(dir / name, {values.data(), DType::Int64, {3}}));
  }
  const auto a = openByteSource(dir / "a.pt");
  const auto b = openByteSource(dir / "b.pt");
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(std::ranges::equal(a->bytes, b->bytes));
}

TEST(TorchWriter, AFolderThatDoesNotExistIsAnErrorWithThePath) {
  const test::TempDir dir;
  const float value = 1;
  const auto written = writeTorchTensor(dir / "none/x.pt", {&value, DType::Float32, {}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::Io);
  EXPECT_THAT(written.error().message(), testing::HasSubstr("none/x.pt"));
}

TEST(ZipWriter, MoreMembersThanTheOldDirectoryCountsAreAllThere) {
  const test::TempDir dir;
  constexpr std::size_t kCount = 70'000;
  ZipWriter zip(FileWriter::create(dir / "x.zip").value());
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_TRUE(zip.add("m" + text, std::as_bytes(std::span(text))));
  }
  ASSERT_TRUE(zip.finish(Durability::WithItsFolder));
  const auto source = openByteSource(dir / "x.zip");
  ASSERT_TRUE(source);
  const auto members = readZipDirectory(*source);
  ASSERT_TRUE(members) << members.error().message();
  ASSERT_EQ(members->size(), kCount);
  EXPECT_EQ(members->back().name, "m69999");
  const auto last = packedBytes(*source, members->back());
  ASSERT_TRUE(last);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(last->data()), last->size()), "69999");
}

TEST(ZipWriter, WhatIsMoreThanAPieceIsGoneThroughOnceAndHasItsChecksum) {
  const test::TempDir dir;
  std::string content(2 * kPieceBytes + 1, 'a');
  content.back() = 'b';
  ZipWriter zip(FileWriter::create(dir / "x.zip").value());
  std::string seen;
  ASSERT_TRUE(zip.add("small", std::as_bytes(std::span("1", 1))));
  ASSERT_TRUE(zip.add(
      "large", std::as_bytes(std::span(content)), nullptr, [&](std::span<const std::byte> piece) {
        seen += textOf(piece);
      }));
  ASSERT_TRUE(zip.finish(Durability::WithItsFolder));
  EXPECT_TRUE(seen == content);
  const auto source = openByteSource(dir / "x.zip");
  ASSERT_TRUE(source);
  const auto members = readZipDirectory(*source);
  ASSERT_TRUE(members) << members.error().message();
  ASSERT_EQ(members->size(), 2U);
  for (const ZipMember& member : *members) {
    const auto packed = packedBytes(*source, member);
    ASSERT_TRUE(packed) << packed.error().message();
    const auto checksum = static_cast<std::uint32_t>(
        ::crc32_z(0, reinterpret_cast<const Bytef*>(packed->data()), packed->size()));
    EXPECT_EQ(member.checksum, checksum) << member.name;
    EXPECT_EQ(numberAt<std::uint32_t>(source->bytes, member.header + 14), checksum);
  }
}

TEST(ZipWriter, ANameThatTheFormatCannotHoldIsRefused) {
  const test::TempDir dir;
  ZipWriter zip(FileWriter::create(dir / "x.zip").value());
  const auto added = zip.add(std::string(70'000, 'x'), {});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code(), ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::tensors
