#include "core/base/text/regular_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp {
namespace {

using testing::HasSubstr;

TEST(RegularExpression, FindsWhatItSays) {
  const auto plain = compileExpression("^decoder\\.(\\d+)$");
  ASSERT_TRUE(plain) << plain.error().message();
  EXPECT_TRUE(std::regex_search("decoder.3", *plain));
  EXPECT_FALSE(std::regex_search("Decoder.3", *plain));
  const auto anyCase = compileExpression("^decoder", std::regex::ECMAScript | std::regex::icase);
  ASSERT_TRUE(anyCase) << anyCase.error().message();
  EXPECT_TRUE(std::regex_search("Decoder.3", *anyCase));
}

TEST(RegularExpression, WhatIsNoneIsRefused) {
  const auto open = compileExpression("(a|b");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code(), ErrorCode::InvalidArgument);
  EXPECT_FALSE(open.error().message().empty());
}

/// The library would run out of stack.
TEST(RegularExpression, WhatIsTooDeepForTheLibraryIsRefused) {
  constexpr std::size_t kMany = 100'000;
  for (const std::string& text : {std::string(kMany, '(') + std::string(kMany, ')'),
                                  std::string(kMany, 'a'),
                                  std::string(200, '(') + std::string(200, ')'),
                                  std::string(4096, 'a')}) {
    const auto compiled = compileExpression(text);
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.error().message(), HasSubstr("4096 characters or 200 groups or more"));
  }
  EXPECT_TRUE(compileExpression(std::string(199, '(') + std::string(199, ')')));
  EXPECT_TRUE(compileExpression(std::string(4095, 'a')));
}

}  // namespace
}  // namespace ulp
