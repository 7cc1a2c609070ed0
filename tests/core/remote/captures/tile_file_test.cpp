#include "core/remote/captures/tile_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/tensors/archive/byte_reader.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::remote {
namespace {

constexpr std::uint64_t kFiveBlocks = 4 * TileFile::kBlock + 100;

std::string_view blockOf(const TileFile& file, std::uint64_t block) {
  const auto all = tensors::textOf(file.mapping()->bytes());
  return all.substr(block * TileFile::kBlock,
                    std::min(TileFile::kBlock, file.size() - block * TileFile::kBlock));
}

TEST(TileFile, KeepsWhatCameForTheNextTime) {
  const test::TempDir folder;
  const auto path = folder / "a.tensor";
  {
    const auto file = TileFile::open(path, kFiveBlocks).value();
    EXPECT_EQ(file->blocks(), 5U);
    EXPECT_FALSE(std::filesystem::exists(path)) << "it is in use";
    ASSERT_TRUE(file->write(1, std::string(2 * TileFile::kBlock, 'b')));
    ASSERT_TRUE(file->write(4, std::string(100, 'e')));
    EXPECT_TRUE(file->has(1) && file->has(2) && file->has(4));
    EXPECT_FALSE(file->has(0) || file->has(3));
    EXPECT_EQ(blockOf(*file, 4), std::string(100, 'e'));
    // Another one at the same time has nothing.
    const auto other = TileFile::open(path, kFiveBlocks).value();
    EXPECT_FALSE(other->takeUp(1));
  }
  const auto again = TileFile::open(path, kFiveBlocks).value();
  EXPECT_FALSE(again->has(2)) << "until it was checked";
  EXPECT_TRUE(again->takeUp(2) && again->takeUp(1) && again->takeUp(4));
  EXPECT_FALSE(again->takeUp(0));
  EXPECT_EQ(blockOf(*again, 2), std::string(TileFile::kBlock, 'b'));
}

TEST(TileFile, NothingIsKeptWhereNothingCame) {
  const test::TempDir folder;
  ASSERT_TRUE(TileFile::open(folder / "a.tensor", kFiveBlocks));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(TileFile, WhatWasChangedMeanwhileIsNoNumber) {
  const test::TempDir folder;
  const auto path = folder / "a.tensor";
  ASSERT_TRUE(
      TileFile::open(path, kFiveBlocks).value()->write(0, std::string(2 * TileFile::kBlock, 'a')));
  std::fstream(path, std::ios::in | std::ios::out).seekp(TileFile::kBlock + 7).put('x');
  const auto file = TileFile::open(path, kFiveBlocks).value();
  EXPECT_TRUE(file->takeUp(0));
  EXPECT_FALSE(file->takeUp(1));
  EXPECT_FALSE(file->takeUp(1)) << "for good";
}

TEST(TileFile, OneOfAnotherSizeBeginsAnew) {
  const test::TempDir folder;
  const auto path = folder / "a.tensor";
  ASSERT_TRUE(TileFile::open(path, kFiveBlocks).value()->write(0, std::string(4096, 'a')));
  const auto file = TileFile::open(path, kFiveBlocks + TileFile::kBlock).value();
  EXPECT_FALSE(file->takeUp(0));
}

}  // namespace
}  // namespace ulp::remote
