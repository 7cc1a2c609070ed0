#include "core/base/text/c_locale.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace ulp {
namespace {

std::string printed(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

/// Without it, the tests that run beside it would show nothing.
TEST(CommaLocale, IsInForceWhereItIsAskedFor) {
  const char* asked = std::getenv("LC_ALL");  // NOLINT(concurrency-mt-unsafe)
  if (asked != nullptr && std::string_view(asked).starts_with("tr_TR")) {
    EXPECT_EQ(printed(0.5), "0,5");
    EXPECT_EQ(std::strtod("1.5", nullptr), 1);
  }
}

TEST(CommaLocale, DoesNotReachWhatIsDoneInTheCLocale) {
  const CLocale points;
  EXPECT_EQ(printed(0.5), "0.5");
  EXPECT_EQ(std::strtod("1.5e-400", nullptr), 0);
  std::tm january{.tm_mday = 1};
  std::array<char, 32> name{};
  ASSERT_GT(std::strftime(name.data(), name.size(), "%B", &january), 0U);
  EXPECT_STREQ(name.data(), "January");
}

TEST(CommaLocale, IsBackWhenThatIsDone) {
  const std::string before = printed(0.5);
  { const CLocale points; }
  EXPECT_EQ(printed(0.5), before);
}

}  // namespace
}  // namespace ulp
