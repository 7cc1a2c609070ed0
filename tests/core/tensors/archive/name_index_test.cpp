#include "core/tensors/archive/name_index.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::tensors {
namespace {

std::vector<TensorInfo> infosOf(const std::vector<std::string>& names) {
  std::vector<TensorInfo> infos;
  infos.reserve(names.size());
  for (const std::string& name : names) {
    infos.push_back({name, {}, DType::Float32, "F32"});
  }
  return infos;
}

TEST(NameIndex, FindsPositions) {
  const auto infos = infosOf({"a.weight", "b.weight"});
  const NameIndex index(infos);
  EXPECT_EQ(index.find("file", "b.weight").value(), 1U);
}

TEST(NameIndex, NamesTheNearest) {
  const auto infos = infosOf({"model.norm.weight", "lm_head.weight"});
  const NameIndex index(infos);
  const auto found = index.find("file", "model.norms.weight");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), ErrorCode::NotFound);
  EXPECT_EQ(found.error().message(),
            "file: no tensor 'model.norms.weight'; the nearest name is 'model.norm.weight'");
}

TEST(NameIndex, SaysThatAFileIsEmpty) {
  EXPECT_EQ(messageOf(NameIndex().find("file", "x")), "file: no tensor 'x'; the file holds none");
}

TEST(QuotedName, ReplacesWhatCannotBeShown) {
  EXPECT_EQ(quotedName("gr\xC3\xB6\xC3\x9F\x65\n\xFFx"), "'größe??x'");
}

TEST(QuotedName, CutsLongNames) {
  const std::string text = quotedName(std::string(100000, 'x'));
  EXPECT_LT(text.size(), 130U);
  EXPECT_TRUE(text.ends_with("…'"));
}

TEST(IsUtf8, AcceptsEachLengthOfSequence) {
  EXPECT_TRUE(isUtf8(""));
  EXPECT_TRUE(isUtf8("a\xC3\xB6\xE2\x82\xAC\xF0\x9F\x98\x80"));
}

TEST(IsUtf8, RefusesBrokenSequences) {
  for (const char* text : {"\x80",
                           "\xC3",
                           "\xC0\xAF",
                           "\xE0\x80\x80",
                           "\xED\xA0\x80",
                           "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80",
                           "\xE2\x82",
                           "\xE2\x28\xA1"}) {
    EXPECT_FALSE(isUtf8(text)) << text;
  }
}

}  // namespace
}  // namespace ulp::tensors
