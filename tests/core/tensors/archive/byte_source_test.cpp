#include "core/tensors/archive/byte_source.h"

#include <array>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(CheckedCount, MultipliesDimensions) {
  EXPECT_EQ(checkedCount(std::array<std::int64_t, 3>{2, 3, 4}), 24U);
  EXPECT_EQ(checkedCount({}), 1U);
  EXPECT_EQ(checkedCount(std::array<std::int64_t, 2>{5, 0}), 0U);
  EXPECT_EQ(checkedCount(std::array<std::int64_t, 1>{kLargest}),
            static_cast<std::uint64_t>(kLargest));
}

TEST(CheckedCount, RefusesNegativeDimensionsAndOverflow) {
  EXPECT_EQ(checkedCount(std::array<std::int64_t, 2>{2, -1}), std::nullopt);
  EXPECT_EQ(checkedCount(std::array<std::int64_t, 2>{kLargest, 2}), std::nullopt);
  EXPECT_EQ(checkedCount(std::array<std::int64_t, 3>{0, kLargest, kLargest}), std::nullopt);
}

TEST(TensorAt, ShowsAlignedElementsWhereTheyLie) {
  const ByteSource source = sourceOf(Bytes().number(1.5F).number(-2.0F).content());
  const auto tensor = tensorAt(source, 4, DType::Float32, {1});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->view.data, source.bytes.data() + 4);
  EXPECT_EQ(tensor->owner, source.owner);
}

TEST(TensorAt, CopiesMisalignedElements) {
  const ByteSource source = sourceOf(Bytes().text("x").number(1.5F).number(-2.0F).content());
  const auto tensor = tensorAt(source, 1, DType::Float32, {2});
  ASSERT_TRUE(tensor);
  EXPECT_NE(tensor->view.data, source.bytes.data() + 1);
  EXPECT_EQ(elementsOf<float>(*tensor), (std::vector<float>{1.5F, -2.0F}));
}

TEST(TensorAt, NamesTheMappedFileUnlessItCopies) {
  const test::TempDir folder;
  const auto source =
      openByteSource(folder.write("data", Bytes().number(1.5F).number(-2.0F).content()));
  ASSERT_TRUE(source);
  const auto shown = tensorAt(*source, 4, DType::Float32, {1});
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->file, source->owner);
  const auto copied = tensorAt(*source, 1, DType::Float32, {1});
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->file, nullptr);
}

TEST(AllocateBytes, ReportsMemoryThatDoesNotExist) {
  const auto memory = allocateBytes(std::size_t{1} << 63U);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code(), ErrorCode::OutOfMemory);
}

TEST(OpenByteSource, NamesAMissingFile) {
  const auto source = openByteSource("/nowhere/weights.gguf");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code(), ErrorCode::NotFound);
  EXPECT_NE(source.error().message().find("/nowhere/weights.gguf"), std::string::npos);
}

TEST(OpenByteSource, WhatWasCopiedOfAFileThatBecameShorterIsAnError) {
  const test::TempDir folder;
  const auto path = folder.write("data", std::string(100, 'a'));
  const auto source = openByteSource(path);
  ASSERT_TRUE(source);
  std::filesystem::resize_file(path, 0);
  const auto copied = tensorAt(*source, 1, DType::Float32, {4});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code(), ErrorCode::CorruptData);
  EXPECT_NE(copied.error().message().find(path.string()), std::string::npos);
}

TEST(OpenByteSource, OpensMoreFilesThanCanBeGuarded) {
  const test::TempDir folder;
  const auto path = folder.write("data", "a");
  std::vector<ByteSource> sources;
  for (int i = 0; i < 1100; ++i) {
    auto source = openByteSource(path);
    ASSERT_TRUE(source) << i;
    sources.push_back(*std::move(source));
  }
  EXPECT_EQ(sources.back().bytes.front(), std::byte{'a'});
}

}  // namespace
}  // namespace ulp::tensors
