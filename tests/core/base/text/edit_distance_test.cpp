#include "core/base/text/edit_distance.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndSubstitutions) {
  EXPECT_EQ(editDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(editDistance("lm_head", "lmhead"), 1U);
  EXPECT_EQ(editDistance("", "abc"), 3U);
  EXPECT_EQ(editDistance("abc", ""), 3U);
  EXPECT_EQ(editDistance("", ""), 0U);
  EXPECT_EQ(editDistance("xxab", "ab", 2), 2U);
  EXPECT_EQ(editDistance("same", "same"), 0U);
}

TEST(EditDistance, IsTheSameEitherWay) {
  EXPECT_EQ(editDistance("residual_dtype", "residaul_dtyp"),
            editDistance("residaul_dtyp", "residual_dtype"));
}

TEST(EditDistance, IsExactUpToItsLimitAndLargerAboveIt) {
  EXPECT_EQ(editDistance("kitten", "sitting", 3), 3U);
  EXPECT_GT(editDistance("kitten", "sitting", 2), 2U);
  EXPECT_GT(editDistance("abcdef", "uvwxyz", 2), 2U);
  EXPECT_GT(editDistance("a", "abcd", 2), 2U);
  EXPECT_EQ(editDistance("a", "abcd", 3), 3U);
  EXPECT_EQ(editDistance("same", "same", 0), 0U);
}

}  // namespace
}  // namespace ulp
