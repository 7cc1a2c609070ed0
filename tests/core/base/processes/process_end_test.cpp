#include "core/base/processes/process_end.h"

#include <csignal>

#include <gtest/gtest.h>

namespace ulp {
namespace {

constexpr int kExitedWith3 = 3 << 8;

TEST(ProcessEnd, IsSaidBehindTheNameOfTheProcess) {
  EXPECT_EQ(endInWords(kExitedWith3, "close others"), "ended with exit status 3");
  EXPECT_EQ(endInWords(SIGSEGV, "close others"), "was ended by signal 11 (SIGSEGV)");
  EXPECT_EQ(endInWords(SIGRTMIN, "close others"),
            "was ended by signal " + std::to_string(SIGRTMIN) + " (SIG?)");
}

TEST(ProcessEnd, OfOneThatWasKilledComesWithWhatHelps) {
  EXPECT_TRUE(wasKilled(SIGKILL));
  EXPECT_FALSE(wasKilled(SIGTERM));
  EXPECT_FALSE(wasKilled(SIGKILL << 8));
  EXPECT_EQ(endInWords(SIGKILL, "close others"),
            "was killed, probably because memory ran out; close others");
}

}  // namespace
}  // namespace ulp
