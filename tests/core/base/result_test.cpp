#include "core/base/result.h"

#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace ulp {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) {
    return fail(ErrorCode::InvalidArgument, "odd");
  }
  return value / 2;
}

Result<std::string> describeHalf(int value) {
  auto result = half(value);
  if (!result) {
    return failWhile("halving " + std::to_string(value), std::move(result));
  }
  return std::to_string(*result);
}

TEST(Result, CarriesAValueOrAnError) {
  EXPECT_EQ(half(4).value(), 2);
  ASSERT_FALSE(half(3));
  EXPECT_EQ(half(3).error().code(), ErrorCode::InvalidArgument);
}

TEST(Result, PassesErrorsOnWithWhatWasDone) {
  EXPECT_EQ(describeHalf(8).value(), "4");
  ASSERT_FALSE(describeHalf(7));
  EXPECT_EQ(describeHalf(7).error().message(), "halving 7: odd");
}

TEST(Guarded, ReturnsWhatTheBodyReturns) {
  EXPECT_EQ(guarded([] { return 5; }).value(), 5);
  EXPECT_TRUE(guarded([] {}));
}

TEST(Guarded, TurnsExceptionsIntoErrors) {
  const auto failed = guarded([]() -> int { throw std::runtime_error("library says no"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::Internal);
  EXPECT_EQ(failed.error().message(), "library says no");
  const auto memory = guarded([] { throw std::bad_alloc(); });
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(memory.error().message(),
            "there is not enough memory; close other programs, or open less at a time");
}

}  // namespace
}  // namespace ulp
