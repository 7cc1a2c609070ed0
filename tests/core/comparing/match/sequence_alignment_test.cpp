#include "core/comparing/match/sequence_alignment.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {
namespace {

using dumps::kNone;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> letters(const std::string& text) {
  std::vector<std::string> all;
  for (const char letter : text) {
    all.emplace_back(1, letter);
  }
  return all;
}

std::vector<std::size_t> align(const std::string& left, const std::string& right) {
  return alignSequences(letters(left), letters(right));
}

TEST(SequenceAlignmentTest, LeavesAsFewAsPossible) {
  EXPECT_THAT(align("axbxcxd", "abxcxd"), ElementsAre(0, kNone, 1, 2, 3, 4, 5));
  EXPECT_THAT(align("abxcxd", "axbxcxd"), ElementsAre(0, 2, 3, 4, 5, 6));
  // The example of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations".
  const auto isPaired = [](std::size_t partner) { return partner != kNone; };
  EXPECT_EQ(std::ranges::count_if(align("abcabba", "cbabac"), isPaired), 4);
}

TEST(SequenceAlignmentTest, NothingMeetsNothing) {
  EXPECT_THAT(align("", ""), IsEmpty());
  EXPECT_THAT(align("", "ab"), IsEmpty());
  EXPECT_THAT(align("ab", ""), ElementsAre(kNone, kNone));
  EXPECT_THAT(align("ab", "cd"), ElementsAre(kNone, kNone));
}

TEST(SequenceAlignmentTest, SequencesThatHaveLittleInCommonAreAlignedGreedily) {
  // More than 2,000 differences, and one text in common at both ends.
  std::vector<std::string> left{"first"};
  std::vector<std::string> right{"first"};
  for (int i = 0; i < 1500; ++i) {
    left.push_back("l" + std::to_string(i));
    right.push_back("r" + std::to_string(i));
  }
  left.emplace_back("last");
  right.emplace_back("last");
  const auto partners = alignSequences(left, right);
  EXPECT_EQ(partners.front(), 0U);
  EXPECT_EQ(partners.back(), 1501U);
  EXPECT_EQ(partners[700], kNone);
}

TEST(SequenceAlignmentTest, PairsAreEqualTextsInOrder) {
  const std::string left = "abcabbaxyzzyxabc";
  const std::string right = "cbabacxyzyxxabcc";
  const auto partners = align(left, right);
  std::size_t pairs = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    if (partners[i] != kNone) {
      EXPECT_EQ(left[i], right[partners[i]]);
      EXPECT_GE(partners[i], next);
      next = partners[i] + 1;
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 12U) << "baba/caba (4), xyz yx (5), abc (3)";
}

}  // namespace
}  // namespace ulp::analysis
