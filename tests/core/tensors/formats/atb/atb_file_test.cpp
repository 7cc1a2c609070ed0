#include "core/tensors/formats/atb/atb_file.h"

#include <cmath>

#include <gmock/gmock.h>

#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kThree = Bytes().number(1).number(2).number(3).content();

std::string fileOf(const std::string& lines, const std::string& payload) {
  return "$Version=1.0\n$Object.Count=1\n" + lines + "$End=1\n" + payload;
}

std::string intsOf(const std::string& changes = "format=2\ndtype=3\ndims=3\n") {
  return fileOf("$Object.Length=12\n" + changes + "$Object.data=0,12\n", kThree);
}

Result<Tensor> readOf(const std::string& content) {
  const auto file = AtbFile::parse(sourceOf(content));
  return file ? (*file)->read("") : tl::unexpected(file.error());
}

TEST(AtbFileTest, ReadsNoMoreThanTheLengthSays) {
  // The dumper appends to a file that is there.
  const auto file = AtbFile::parse(sourceOf(intsOf() + intsOf()));
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ((*file)->tensors().size(), 1U);
  EXPECT_EQ((*file)->tensors()[0].storedAs, "int32");
  EXPECT_EQ((*file)->header().length, 12U);
  const auto tensor = (*file)->read("");
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(elementsOf<std::int32_t>(*tensor), ElementsAre(1, 2, 3));
}

TEST(AtbFileTest, ItsOneTensorHasNoName) {
  const auto file = AtbFile::parse(sourceOf(intsOf()));
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(messageOf((*file)->read("x")), "file: no tensor 'x'; its one tensor has no name");
}

TEST(AtbFileTest, TypesAndFormatsThatAreNotReadAreNamed) {
  EXPECT_THAT(messageOf(readOf(intsOf("format=29\ndtype=3\ndims=3\n"))),
              HasSubstr("file: elements in format FRACTAL_NZ are not read"));
  EXPECT_THAT(messageOf(readOf(intsOf("format=2\ndtype=38\ndims=3\n"))),
              HasSubstr("elements of type ATB type 38 (float6_e3m2) are not read"));
  EXPECT_THAT(messageOf(readOf(intsOf("format=2\ndtype=13\ndims=3\n"))), HasSubstr("string"));
  EXPECT_THAT(messageOf(readOf(intsOf("format=2\ndtype=99\ndims=3\n"))), HasSubstr("ATB type 99"));
}

TEST(AtbFileTest, StatisticsComeWithoutElements) {
  const auto file = AtbFile::parse(sourceOf(fileOf(
      "$Object.Length=12\nformat=2\ndtype=27\ndims=2,3\nmax=1.5\nmin=-2\nmean=nan\nl2norm=4e1\n",
      "")));
  ASSERT_TRUE(file) << file.error().message();
  const AtbHeader& header = (*file)->header();
  EXPECT_FALSE(header.hasElements);
  EXPECT_EQ(header.max, 1.5);
  EXPECT_EQ(header.min, -2);
  ASSERT_TRUE(header.mean);
  EXPECT_TRUE(std::isnan(*header.mean));
  EXPECT_EQ(header.norm, 40);
  EXPECT_EQ(header.typeName(), "bfloat16");
  EXPECT_THAT((*file)->tensors()[0].shape, ElementsAre(2, 3));
  const auto tensor = (*file)->read("");
  EXPECT_THAT(messageOf(tensor),
              HasSubstr("file: holds statistics alone; dump with --type tensor"));
  EXPECT_EQ(tensor.error().code(), ErrorCode::NotFound);
}

TEST(AtbFileTest, ElementsOfAnotherFileAreReadFromBesideThisOne) {
  const test::TempDir dir;
  dir.write("before/intensor0.bin", intsOf());
  const std::string lines = "$Object.Count=0\nformat=2\ndtype=3\ndims=3\ndata=";
  const auto path = dir.write("after/out.bin", fileOf(lines + "../before/intensor0.bin\n", ""));
  const auto tensor = readAtbTensor(path);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(elementsOf<std::int32_t>(*tensor), ElementsAre(1, 2, 3));
  // As named on the machine that dumped.
  const auto absolute = dir.write("before/b.bin", fileOf(lines + "/elsewhere/intensor0.bin\n", ""));
  EXPECT_TRUE(readAtbTensor(absolute));
  const auto missing = dir.write("c.bin", fileOf(lines + "gone.bin\n", ""));
  EXPECT_THAT(messageOf(readAtbTensor(missing)), HasSubstr("c.bin: its elements are in "));
  const auto self = dir.write("self.bin", fileOf(lines + "self.bin\n", ""));
  EXPECT_THAT(messageOf(readAtbTensor(self)), HasSubstr("which has none either"));
}

TEST(AtbFileTest, AnotherFileThatLiesOutsideTheDumpIsRefused) {
  const test::TempDir dir;
  const std::string lines = "$Object.Count=0\nformat=2\ndtype=3\ndims=3\ndata=";
  dir.write("secret.bin", intsOf());
  const auto outside = dir.write("0_1/after/a.bin", fileOf(lines + "../../secret.bin\n", ""));
  EXPECT_THAT(messageOf(readAtbTensor(outside)), HasSubstr("which lies outside the dump"));
  const auto inside =
      dir.write("tensors/0_1/0/after/a.bin", fileOf(lines + "../../1/after/b.bin\n", ""));
  dir.write("tensors/0_1/1/after/b.bin", intsOf());
  EXPECT_TRUE(readAtbTensor(inside)) << "another operation of the same dump";
}

TEST(AtbFileTest, APathFromTheCurrentFolderMeansTheSameDump) {
  const test::TempDir dir;
  const std::string lines = "$Object.Count=0\nformat=2\ndtype=3\ndims=3\ndata=";
  dir.write("b.bin", intsOf());
  dir.write("x.bin", fileOf(lines + "b.bin\n", ""));
  dir.write("d/y.bin", fileOf(lines + "../b.bin\n", ""));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  const auto beside = readAtbTensor("./x.bin");
  std::filesystem::current_path(dir / "d");
  const auto outside = readAtbTensor("y.bin");
  std::filesystem::current_path(before);
  EXPECT_TRUE(beside) << beside.error().message();
  EXPECT_THAT(messageOf(outside), HasSubstr("which lies outside the dump"));
}

TEST(AtbFileTest, DamageIsNamed) {
  EXPECT_THAT(messageOf(readOf("")), HasSubstr("file: not an ATB file"));
  EXPECT_THAT(messageOf(readOf(intsOf("format=2\ndtype=3\ndims=3,-1\n"))),
              HasSubstr("file: line 6: dims='3,-1' is not a possible value"));
  EXPECT_THAT(messageOf(readOf(intsOf("dtype=three\ndims=3\n"))),
              HasSubstr("line 4: dtype='three'"));
  EXPECT_THAT(messageOf(readOf(intsOf("dtype\ndims=3\n"))), HasSubstr("line 4: is not name=value"));
  EXPECT_THAT(messageOf(readOf(intsOf("dtype=3\n"))), HasSubstr("no dims"));
  EXPECT_THAT(messageOf(readOf(intsOf("dtype=3\ndims=4\n"))),
              HasSubstr("do not give the 12 bytes"));
  expectPrefixesCorrupt(intsOf(), AtbFile::parse);
}

}  // namespace
}  // namespace ulp::tensors
