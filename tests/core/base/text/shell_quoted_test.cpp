#include "core/base/text/shell_quoted.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(ShellQuoted, IsOneWordWhateverItHolds) {
  EXPECT_EQ(shellQuoted("a b"), "'a b'");
  EXPECT_EQ(shellQuoted("it's; $(x)"), "'it'\\''s; $(x)'");
}

}  // namespace
}  // namespace ulp
