#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "core/dumps/importers/raw_address.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The floats 1 to 6 behind four other bytes.
std::filesystem::path writeSix(const test::TempDir& dir) {
  const std::array<float, 6> values{1, 2, 3, 4, 5, 6};
  return dir.write(
      "six.bin", "HEAD" + std::string(reinterpret_cast<const char*>(values.data()), sizeof values));
}

TEST(RawAddressTest, TypeShapeAndOffsetStandBehindTheName) {
  const auto address = parseRawAddress("some/a.bin:bfloat16[4,8]@64");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->file, "some/a.bin");
  EXPECT_EQ(address->layout.dtype, "bfloat16");
  EXPECT_THAT(address->layout.shape, ElementsAre(4, 8));
  EXPECT_EQ(address->layout.offset, 64U);
  EXPECT_EQ(toPath(*address), "some/a.bin:bfloat16[4,8]@64");
  const auto scalar = parseRawAddress("C:x.bin:float32[]");
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->file, "C:x.bin");
  EXPECT_TRUE(scalar->layout.shape.empty());
  EXPECT_EQ(toPath(*scalar), "C:x.bin:float32[]");
}

TEST(RawAddressTest, OneExtentMayBeOpen) {
  const auto address = parseRawAddress("dump:float16[-1,576]@8");
  ASSERT_TRUE(address);
  EXPECT_THAT(address->layout.shape, ElementsAre(-1, 576));
  EXPECT_EQ(toPath(*address), "dump:float16[-1,576]@8");
}

TEST(RawAddressTest, OtherNamesAreNone) {
  for (const char* text : {"a.bin",
                           "a[4]",
                           "a.bin:float32",
                           "a.bin:float32[4",
                           "a.bin:float32[4,]",
                           "a.bin:float32[,4]",
                           "a.bin:float32[-4]",
                           "a.bin:float32[-1,-1]",
                           "a.bin:float32[-1,]",
                           "a.bin:float32[4x]",
                           "a.bin:[4]",
                           ":float32[4]",
                           "a.bin:float32[4]@",
                           "a.bin:float32[4]@-1",
                           "a.bin:float32[4]x",
                           "a.bin:float32[99999999999999999999]",
                           "a.bin:flo at[4]",
                           "a]b:c[",
                           ""}) {
    EXPECT_FALSE(parseRawAddress(text)) << text;
  }
}

TEST(RawElementsImporterTest, ElementsAreReadWhereTheAddressSays) {
  const test::TempDir dir;
  const auto dump = openDump(writeSix(dir).string() + ":float32[2,3]@4");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "raw_elements");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  ASSERT_EQ((*unit)->rows.size(), 1U);
  EXPECT_EQ((*unit)->rows[0].name, "six");
  EXPECT_THAT((*unit)->rows[0].shape, ElementsAre(2, 3));
  const auto tensor = (*unit)->read(0);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(numerics::elementAt(tensor->view, 5), 6);
}

TEST(RawElementsImporterTest, WhatDoesNotFitTheFileIsRefusedWhenItIsOpened) {
  const test::TempDir dir;
  const std::string file = writeSix(dir).string();
  const auto small = openDump(file + ":float32[2,2]");
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(small.error().message(), HasSubstr("the shape asks for 4"));
  const auto unknown = openDump(file + ":float3[7]");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("'float3'"));
  const auto none = openDump((dir / "none.bin").string() + ":float32[7]");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
}

TEST(RawElementsImporterTest, OfAFolderTheAddressHoldsForEverySuchFile) {
  const test::TempDir dir;
  dir.write("dump/layers.10/out.bin", std::string(16, '\0'));
  dir.write("dump/layers.2/out.bin", std::string(32, '\0'));
  dir.write("dump/layers.2/mask", std::string(6, '\0'));
  dir.write("dump/notes.txt", "a text");
  test::writeNpy(dir / "dump/known.npy", {2}, {1, 2});
  const auto dump = openDump((dir / "dump").string() + ":float32[-1,2]");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "raw_elements");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  std::vector<std::string> names;
  for (const DumpEntry& entry : (*unit)->entries) {
    names.push_back(entry.name);
  }
  EXPECT_THAT(names, ElementsAre("layers.2/mask", "layers.2/out", "layers.10/out"));
  EXPECT_THAT((*unit)->rows[1].shape, ElementsAre(4, 2));
  EXPECT_THAT((*unit)->rows[2].shape, ElementsAre(2, 2));
  EXPECT_EQ((*unit)->read(2)->view.count(), 4U);
  EXPECT_FALSE((*unit)->read(0)) << "six bytes are no pairs of float32";
  EXPECT_THAT(
      textsOf((*unit)->notes),
      ElementsAre(HasSubstr("mask: its 6 bytes"), HasSubstr("1 file with a header is left out")));
}

TEST(RawElementsImporterTest, AFolderWithoutSuchFilesIsSaid) {
  const test::TempDir dir;
  dir.write("dump/notes.txt", "a text");
  const auto dump = openDump((dir / "dump").string() + ":float32[-1]");
  ASSERT_TRUE(dump);
  const auto unit = (*dump)->openUnit(0);
  ASSERT_FALSE(unit);
  EXPECT_THAT(unit.error().message(), HasSubstr("no file of elements without a header"));
  const auto unknown = openDump((dir / "dump").string() + ":float3[-1]");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("no element type is called 'float3'"));
}

TEST(RawElementsImporterTest, AFileOfThatNameIsWhatItIs) {
  const test::TempDir dir;
  dir.write("a.bin", std::string(16, '\0'));
  const auto path = dir.write("a.bin:float32[4]", "hello");
  const auto dump = openDump(path);
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp::dumps
