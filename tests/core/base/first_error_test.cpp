#include "core/base/first_error.h"

#include <string>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(FirstError, GivesValuesAndKeepsTheFirstError) {
  FirstError error;
  EXPECT_EQ(error.valueOf([] { return Result<int>(3); }, 0), 3);
  EXPECT_TRUE(error.check());
  const auto refused = []() -> Result<int> { return fail(ErrorCode::Unsupported, "first"); };
  EXPECT_EQ(error.valueOf(refused, 7), 7);
  bool isAsked = false;
  const auto asked = [&]() -> Result<std::string> {
    isAsked = true;
    return fail(ErrorCode::Io, "second");
  };
  EXPECT_EQ(error.valueOf(asked, std::string("x")), "x");
  EXPECT_FALSE(isAsked);
  ASSERT_FALSE(error.check());
  EXPECT_EQ(error.check().error().message(), "first");
  EXPECT_EQ(error.check().error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp
