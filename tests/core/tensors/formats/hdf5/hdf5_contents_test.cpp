#include "core/tensors/formats/hdf5/hdf5_contents.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ByteSource hdf5SourceOf(const std::string& bytes) {
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  return byteSourceOf("x.h5", std::vector<std::byte>(data, data + bytes.size()));
}

Hdf5Contents contents() {
  Hdf5Contents made;
  made.groups = {{""}, {"a", {{"name", std::string("größe")}}}};
  made.datasets = {
      {.info = {"a/b", {2, 3}, DType::BFloat16, "bfloat16"}, .offset = 4096},
      {.info = {"c", {}, DType::Int64, "uint64"},
       .isWidened = true,
       .attributes = {{"layer", std::vector<std::int64_t>{-1}}}},
      {.info = {"d", {7}, DType::Float32, "text"}, .textWidth = 5, .refused = "no numbers"}};
  made.links = {{"e", "f.h5", "/g"}};
  return made;
}

TEST(Hdf5ContentsTest, ComeBackAsTheyWere) {
  const auto back = decodedContents(hdf5SourceOf(encoded(contents())));
  ASSERT_TRUE(back) << back.error().message();
  ASSERT_EQ(back->groups.size(), 2U);
  EXPECT_EQ(back->groups[1].path, "a");
  EXPECT_EQ(*textIn(back->groups[1].attributes, "name"), "größe");
  EXPECT_EQ(textIn(back->groups[1].attributes, "other"), nullptr);
  EXPECT_EQ(integersIn(back->groups[1].attributes, "name"), nullptr) << "of another kind";
  ASSERT_EQ(back->datasets.size(), 3U);
  EXPECT_EQ(back->datasets[0].info.name, "a/b");
  EXPECT_THAT(back->datasets[0].info.shape, ElementsAre(2, 3));
  EXPECT_EQ(back->datasets[0].info.dtype, DType::BFloat16);
  EXPECT_EQ(back->datasets[0].offset, 4096U);
  EXPECT_TRUE(back->datasets[1].isWidened);
  EXPECT_EQ(back->datasets[1].info.storedAs, "uint64");
  EXPECT_THAT(*integersIn(back->datasets[1].attributes, "layer"), ElementsAre(-1));
  EXPECT_EQ(back->datasets[2].textWidth, 5U);
  EXPECT_EQ(back->datasets[2].refused, "no numbers");
  ASSERT_EQ(back->links.size(), 1U);
  EXPECT_EQ(back->links[0].path, "e");
  EXPECT_EQ(back->links[0].file, "f.h5");
  EXPECT_EQ(back->links[0].object, "/g");
  EXPECT_EQ(kindOf(back->datasets[0].info), "bfloat16 [2, 3]");
}

TEST(Hdf5ContentsTest, AreNotBelievedWhereTheyContradictThemselves) {
  const std::string bytes = encoded(contents());
  const std::size_t whole = decodedContents(hdf5SourceOf(bytes))->datasets.size();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // Cut between two records they are fewer, and no contents otherwise.
    const auto cut = decodedContents(hdf5SourceOf(bytes.substr(0, size)));
    EXPECT_TRUE(!cut || cut->links.empty()) << size;
  }
  for (std::size_t place = 4; place < bytes.size(); ++place) {
    std::string other = bytes;
    other[place] = static_cast<char>(~other[place]);
    const auto read = decodedContents(hdf5SourceOf(other));
    EXPECT_TRUE(!read || read->datasets.size() <= whole) << place;
  }
}

TEST(Hdf5ContentsTest, OfAnotherVersionOfTheReaderSayWhatToDo) {
  std::string bytes = encoded(contents());
  bytes[0] = static_cast<char>(~bytes[0]);
  const auto read = decodedContents(hdf5SourceOf(bytes));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(read.error().message(), HasSubstr("install Ulpscope anew"));
}

}  // namespace
}  // namespace ulp::tensors
