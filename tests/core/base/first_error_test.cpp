#include "core/base/first_error.h"

#include <string>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(FirstError, GivesValuesAndKeepsTheFirstError) {
  FirstError error;
  EXPECT_EQ(error.valueOr(Result<int>(3), 0), 3);
  EXPECT_TRUE(error.check());
  EXPECT_EQ(error.valueOr(Result<int>(fail(ErrorCode::Unsupported, "first")), 7), 7);
  EXPECT_EQ(error.valueOr(Result<std::string>(fail(ErrorCode::Io, "second")), std::string("x")),
            "x");
  EXPECT_EQ(error.valueOr(Result<int>(4), 0), 4);
  ASSERT_FALSE(error.check());
  EXPECT_EQ(error.check().error().message(), "first");
  EXPECT_EQ(error.check().error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp
