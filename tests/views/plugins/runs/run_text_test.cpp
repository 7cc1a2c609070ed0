#include "views/plugins/runs/run_text.h"

#include <gtest/gtest.h>

#include "tests/views/bracket_language.h"

namespace ulp::views {
namespace {

TEST(RunPlaceText, SaysWhatIsDoneInTheUsersLanguageAndNamesAsTheyAre) {
  const test::BracketLanguage language;
  for (const char* phase : {"load", "forward", "backward", "optimizer", "write"}) {
    const queue::JobState job{.phase = QLatin1String(phase)};
    EXPECT_EQ(placeText(job), QStringLiteral("[%1]").arg(QLatin1String(phase)));
  }
  const queue::JobState job{.phase = QStringLiteral("forward"),
                            .site = QStringLiteral("decoder.1")};
  EXPECT_EQ(placeText(job), QStringLiteral("[forward] · decoder.1"));
  EXPECT_EQ(placeText({.phase = QStringLiteral("later")}), QStringLiteral("later"));
}

}  // namespace
}  // namespace ulp::views
