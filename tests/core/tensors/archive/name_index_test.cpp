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

TEST(QuotedName, ShowsTheFirst120Bytes) {
  EXPECT_EQ(quotedName(std::string(120, 'x')), "'" + std::string(120, 'x') + "'");
  EXPECT_EQ(quotedName(std::string(121, 'x')), "'" + std::string(120, 'x') + "…'");
  EXPECT_EQ(quotedName(" ~\x7f\x1f"), "' ~?\?'");
}

TEST(NameIndex, LooksForTheNearestWithinBounds) {
  const auto nearest = [](const std::string& name, const std::vector<std::string>& names) {
    const std::vector<TensorInfo> infos = infosOf(names);
    return std::string(nearestName(name, infos));
  };
  EXPECT_EQ(nearest("ab", {"xb", "ay"}), "xb") << "the first of those equally near";
  // What tells them apart stands behind the bound, or within it.
  const std::string same(255, 'a');
  EXPECT_EQ(nearest(same + "bc", {same + "bd", same + "bc"}), same + "bd");
  EXPECT_EQ(nearest(same + "b", {same + "d", same + "b"}), same + "b");
  std::vector<std::string> many(5000, "other");
  many.emplace_back("wanted");
  EXPECT_EQ(nearest("wanted", many), "other") << "it lies too far behind";
  many.erase(many.begin());
  EXPECT_EQ(nearest("wanted", many), "wanted") << "the last that is looked at";
}

}  // namespace
}  // namespace ulp::tensors
