#include "runner/worker/events/run_log.h"

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

TEST(RunLog, WritesTimeLevelAndTextAtOnce) {
  const test::TempDir folder;
  auto log = *RunLog::open(folder / "run.log");
  log->write("warning", "100 % of {braces}");
  const std::string text = *readTextFile(folder / "run.log");
  EXPECT_NE(text.find("warning"), std::string::npos) << text;
  EXPECT_NE(text.find("100 % of {braces}\n"), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("20")) << text;
  EXPECT_TRUE(log->firstError().empty());
}

TEST(RunLog, AppendsToAnEarlierLog) {
  const test::TempDir folder;
  (*RunLog::open(folder / "run.log"))->write("info", "one");
  (*RunLog::open(folder / "run.log"))->write("info", "two");
  const std::string text = *readTextFile(folder / "run.log");
  EXPECT_LT(text.find("one"), text.find("two"));
}

TEST(RunLog, SaysThatItCouldNotWrite) {
  auto log = *RunLog::open("/dev/full");
  log->write("info", std::string(1 << 16, 'x'));
  EXPECT_FALSE(log->firstError().empty());
}

TEST(RunLog, NamesTheFileThatItCannotOpen) {
  const auto log = RunLog::open("/proc/nonexistent/run.log");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), ErrorCode::Io);
  EXPECT_NE(log.error().message().find("/proc/nonexistent/run.log"), std::string::npos);
}

}  // namespace
}  // namespace ulp::worker
