#include "core/base/text/shell_quoted.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(ShellQuoted, IsOneWordWhateverItHolds) {
  EXPECT_EQ(shellQuoted("a b"), "'a b'");
  EXPECT_EQ(shellQuoted("it's; $(x)"), "'it'\\''s; $(x)'");
}

TEST(ShellWord, IsQuotedOnlyWhereAShellWouldTakeItForSomethingElse) {
  EXPECT_EQ(shellWord("--gres=gpu:a100:1,x@y%4+z"), "--gres=gpu:a100:1,x@y%4+z");
  EXPECT_EQ(shellWord("a b"), "'a b'");
  EXPECT_EQ(shellWord("$HOME"), "'$HOME'");
  EXPECT_EQ(shellWord(""), "''");
}

TEST(ShellLine, HasTheWordsThatItWasMadeOf) {
  EXPECT_EQ(shellLine({"submit", "my runs/a", "", "--again"}), "submit 'my runs/a' '' --again");
  EXPECT_EQ(shellLine({}), "");
}

}  // namespace
}  // namespace ulp
