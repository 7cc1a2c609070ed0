#include "core/base/processes/process_memory.h"

#include <unistd.h>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(ProcessMemory, ReadsResidentAndPeakBytes) {
  const auto memory = parseProcessStatus(
      "Name:\tulpscope-cli\nVmPeak:\t 9000 kB\nVmHWM:\t    3000 kB\nVmRSS:\t    2048 kB\n");
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->residentBytes, 2048U * 1024U);
  EXPECT_EQ(memory->peakBytes, 3000U * 1024U);
}

TEST(ProcessMemory, IsUnknownOfAProcessThatHasEnded) {
  EXPECT_FALSE(parseProcessStatus("Name:\tulpscope-cli\nState:\tZ (zombie)\n").has_value());
  EXPECT_FALSE(parseProcessStatus("Name:\tx\nVmRSS:").has_value());
  EXPECT_FALSE(readProcessMemory(-1).has_value());
}

TEST(ProcessMemory, KnowsItsOwn) {
  const auto memory = readProcessMemory(::getpid());
  ASSERT_TRUE(memory.has_value());
  EXPECT_GT(memory->residentBytes, 1U << 18);
}

}  // namespace
}  // namespace ulp
