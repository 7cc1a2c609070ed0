#include "views/comparing/kept_comparisons.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::views {
namespace {

report::LoadedReport comparison(const std::string& id,
                                const std::string& candidate,
                                const std::string& mapping = {},
                                bool readsElements = true) {
  auto made = std::make_shared<report::Report>();
  made->dumps = report::DumpOrigin{.baseline = {.path = "/golden"},
                                   .candidate = {.path = "/" + candidate},
                                   .mapping = mapping,
                                   .readsElements = readsElements};
  return {.report = std::move(made), .file = id, .folder = {}};
}

std::vector<std::string> ids(const KeptComparisons& kept) {
  std::vector<std::string> found;
  for (const KeptComparison& one : kept.all()) {
    found.push_back(one.newest.file.string());
  }
  return found;
}

TEST(KeptComparisons, HoldsTheNewestStateAndHandsOutTheOneBefore) {
  KeptComparisons kept;
  const report::LoadedReport first = comparison("a", "target");
  const report::LoadedReport second = comparison("a", "target");
  EXPECT_TRUE(kept.put(first, {}).empty());
  kept.find("a")->isOffered = true;
  const auto gone = kept.put(second, {});
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].report, first.report);
  ASSERT_EQ(kept.all().size(), 1U);
  EXPECT_EQ(kept.find("a")->newest.report, second.report);
  EXPECT_TRUE(kept.find("a")->isOffered) << "a newer state does not take its message away";
  EXPECT_EQ(kept.find("b"), nullptr);
}

TEST(KeptComparisons, TheOldestGoesButNeverTheOpenOne) {
  KeptComparisons kept;
  for (std::size_t i = 0; i < KeptComparisons::kMost; ++i) {
    const std::string name = std::to_string(i);
    EXPECT_TRUE(kept.put(comparison(name, name), {"0"}).empty());
  }
  const auto gone = kept.put(comparison("new", "new"), {"0"});
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].file, "1");
  EXPECT_EQ(kept.all().size(), KeptComparisons::kMost);
  EXPECT_NE(kept.find("0"), nullptr);
  EXPECT_NE(kept.find("new"), nullptr);
}

TEST(KeptComparisons, AWholeOneTakesThePlaceOfTheSameOneMadeBefore) {
  KeptComparisons kept;
  for (const auto& [id, candidate] : {std::pair{"a", "target"}, {"b", "other"}, {"c", "target"}}) {
    EXPECT_TRUE(kept.put(comparison(id, candidate), {}).empty());
  }
  const auto gone = kept.removeOlder("c", {});
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].file, "a");
  EXPECT_EQ(ids(kept), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(kept.remove("b").size(), 1U);
  EXPECT_EQ(ids(kept), std::vector<std::string>{"c"});
  EXPECT_TRUE(kept.remove("b").empty());
}

TEST(KeptComparisons, OnesOfTheSameDumpsThatWereMadeOtherwiseStayAndSoDoesTheOpenOne) {
  KeptComparisons kept;
  EXPECT_TRUE(kept.put(comparison("whole", "target"), {}).empty());
  EXPECT_TRUE(kept.put(comparison("mapped", "target", "pairs: {c: a}"), {}).empty());
  EXPECT_TRUE(kept.put(comparison("quick", "target", {}, false), {}).empty());
  EXPECT_TRUE(kept.removeOlder("quick", {}).empty());
  EXPECT_TRUE(kept.put(comparison("again", "target"), {}).empty());
  EXPECT_TRUE(kept.removeOlder("again", {"whole"}).empty()) << "it is open";
  const auto gone = kept.removeOlder("again", {"quick"});
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].file, "whole");
  EXPECT_EQ(ids(kept), (std::vector<std::string>{"mapped", "quick", "again"}));
}

}  // namespace
}  // namespace ulp::views
