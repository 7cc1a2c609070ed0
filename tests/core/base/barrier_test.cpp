#include "core/base/barrier.h"

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

namespace ulp {
namespace {

template <class Exception>
Error errorOf(const Exception& exception) {
  const auto done = behindBarrier("a.json", [&]() -> Result<int> { throw exception; });
  EXPECT_FALSE(done);
  return done ? Error(ErrorCode::Internal, "no error") : done.error();
}

TEST(Barrier, PassesValuesAndErrorsOn) {
  EXPECT_EQ(*behindBarrier("a.json", []() -> Result<int> { return 7; }), 7);
  const auto failed = behindBarrier(
      "a.json", []() -> Result<> { return fail(ErrorCode::NotFound, "b.json: is not there"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::NotFound);
  EXPECT_EQ(failed.error().message(), "b.json: is not there");
}

TEST(Barrier, MakesAnErrorOfWhateverIsThrown) {
  const Error unexpected = errorOf(std::out_of_range("no place 7"));
  EXPECT_EQ(unexpected.code(), ErrorCode::Internal);
  EXPECT_EQ(unexpected.message(), "a.json: no place 7");
  const Error system = errorOf(std::system_error(std::make_error_code(std::errc::io_error)));
  EXPECT_EQ(system.code(), ErrorCode::Io);
  EXPECT_EQ(system.message(), "a.json: Input/output error");
  const Error number = errorOf(7);
  EXPECT_EQ(number.code(), ErrorCode::Internal);
  EXPECT_EQ(number.message(), "a.json: a library failed without saying why");
}

TEST(Barrier, SaysWhatToDoWhereMemoryRunsOut) {
  const Error full = errorOf(std::bad_alloc());
  EXPECT_EQ(full.code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(full.message(),
            "a.json: there is not enough memory; close other programs, or open less at a time");
  const auto size = static_cast<std::size_t>(-1);
  const auto tooLong = behindBarrier(
      "a.json", [&]() -> Result<std::size_t> { return std::vector<double>(size / 2).size(); });
  ASSERT_FALSE(tooLong);
  EXPECT_EQ(tooLong.error().code(), ErrorCode::OutOfMemory);
  EXPECT_NE(tooLong.error().message().find("is a file damaged?"), std::string::npos)
      << tooLong.error().message();
}

}  // namespace
}  // namespace ulp
