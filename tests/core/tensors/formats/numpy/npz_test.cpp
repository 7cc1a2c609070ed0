#include <gmock/gmock.h>

#include "core/tensors/formats/numpy/npy.h"
#include "tests/core/tensors/archive/zip_builder.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kThreeNumbers = Bytes().number(1).number(2).number(3).content();

TEST(NpzTest, StoredArraysLieInTheFileAndDeflatedOnesAreUnpacked) {
  const std::string array = npyBytes("<i4", "(3,)", kThreeNumbers);
  const ByteSource source =
      sourceOf(zipOf({{"../a.npy", array}, deflated("b.npy", array), {"readme", ""}}));
  const auto archive = parseNpz(source);
  ASSERT_TRUE(archive) << archive.error().message();
  ASSERT_EQ((*archive)->tensors().size(), 2U);
  EXPECT_EQ((*archive)->tensors()[0].name, "../a");
  EXPECT_EQ((*archive)->tensors()[1].name, "b");
  EXPECT_THAT((*archive)->tensors()[1].shape, ElementsAre(3));
  EXPECT_EQ((*archive)->tensors()[1].dtype, DType::Int32);
  for (const char* name : {"../a", "b"}) {
    const auto tensor = (*archive)->read(name);
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_THAT(elementsOf<std::int32_t>(*tensor), ElementsAre(1, 2, 3));
  }
  EXPECT_THAT(messageOf((*archive)->read("c")),
              HasSubstr("no tensor 'c'; the nearest name is 'b'"));
}

TEST(NpzTest, OtherTypesAreListedAndNotRead) {
  const auto archive =
      parseNpz(sourceOf(zipOf({{"o.npy", npyBytes("|O", "(3,)", kThreeNumbers)}})));
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_EQ((*archive)->tensors()[0].storedAs, "|O");
  const auto tensor = (*archive)->read("o");
  EXPECT_THAT(messageOf(tensor), HasSubstr("file: 'o.npy': header: elements of type '|O'"));
  EXPECT_EQ(tensor.error().code(), ErrorCode::Unsupported);
}

TEST(NpzTest, DamageIsNamed) {
  EXPECT_THAT(messageOf(parseNpz(sourceOf(zipOf({{"a.npy", "hello"}})))),
              HasSubstr("file: 'a.npy': byte 0: magic text"));
  const auto archive =
      parseNpz(sourceOf(zipOf({{"a.npy", npyBytes("<i4", "(9,)", kThreeNumbers)}})));
  ASSERT_TRUE(archive);
  EXPECT_THAT(messageOf((*archive)->read("a")), HasSubstr("file: 'a.npy': data: the 12 bytes"));
  expectPrefixesCorrupt(zipOf({{"a.npy", npyBytes("<i4", "(3,)", kThreeNumbers)}}), parseNpz);
}

}  // namespace
}  // namespace ulp::tensors
