#include "runner/worker/events/run_files.h"

#include <sstream>

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/machine/without_rights.h"

namespace ulp::worker {
namespace {

std::vector<std::string> eventsIn(const std::filesystem::path& file) {
  std::istringstream in(*readTextFile(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(Journal, IsReadableAfterEveryEvent) {
  const test::TempDir folder;
  auto journal = *Journal::open(folder / "events.jsonl");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(journal->append(RunStarted{"bf16", i, 3}));
    const auto lines = eventsIn(folder / "events.jsonl");
    ASSERT_EQ(lines.size(), static_cast<std::size_t>(i) + 1);
    EXPECT_EQ(std::get<RunStarted>(*parseEvent(lines.back())).index, i);
  }
}

TEST(Journal, GoesOnBehindWhatIsThere) {
  const test::TempDir folder;
  ASSERT_TRUE((*Journal::open(folder / "j"))->append(Message{"info", "one"}));
  ASSERT_TRUE((*Journal::open(folder / "j"))->append(Message{"info", "two"}));
  EXPECT_EQ(eventsIn(folder / "j").size(), 2U);
}

TEST(Journal, ClosesALineThatAKilledWorkerLeftOpen) {
  const test::TempDir folder;
  const auto file = folder.write("j", R"({"event":"mess)");
  ASSERT_TRUE((*Journal::open(file))->append(Message{"info", "next"}));
  const auto lines = eventsIn(file);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_FALSE(parseEvent(lines[0]));
  EXPECT_TRUE(parseEvent(lines[1]));
}

TEST(Journal, NamesTheFileThatItCannotOpen) {
  const auto journal = Journal::open("/nonexistent/events.jsonl");
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code(), ErrorCode::Io);
  EXPECT_NE(journal.error().message().find("/nonexistent/events.jsonl"), std::string::npos);
}

TEST(Journal, NamesTheFileOnAFullDisk) {
  const test::TempDir folder;
  auto journal = Journal::open(folder / "j");
  ASSERT_TRUE(journal);
  const test::FullDisk disk(10);
  const auto appended = (*journal)->append(Message{"info", "x"});
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code(), ErrorCode::Io);
  EXPECT_NE(appended.error().message().find((folder / "j").string()), std::string::npos);
}

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

TEST(RunLog, NamesForgeNoLinesAndHideNothing) {
  const test::TempDir folder;
  (*RunLog::open(folder / "run.log"))
      ->write("info", "tensor a\n2026-01-01T00:00:00.000+0000 error   all is lost\x1b[2K");
  const auto lines = eventsIn(folder / "run.log");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].ends_with("tensor a")) << lines[0];
  EXPECT_EQ(lines[1], "  2026-01-01T00:00:00.000+0000 error   all is lost\\x1b[2K");
}

TEST(RunLog, AppendsToAnEarlierLog) {
  const test::TempDir folder;
  (*RunLog::open(folder / "run.log"))->write("info", "one");
  (*RunLog::open(folder / "run.log"))->write("info", "two");
  const std::string text = *readTextFile(folder / "run.log");
  EXPECT_LT(text.find("one"), text.find("two"));
}

TEST(RunLog, SaysThatItCouldNotWrite) {
  const test::TempDir folder;
  auto log = *RunLog::open(folder / "run.log");
  const test::FullDisk disk(10);
  log->write("info", std::string(1 << 16, 'x'));
  EXPECT_NE(log->firstError().find((folder / "run.log").string()), std::string::npos)
      << log->firstError();
}

TEST(RunLog, ALinkIsNotWrittenThrough) {
  const test::TempDir folder;
  folder.write("victim", "theirs");
  std::filesystem::create_symlink("victim", folder / "run.log");
  EXPECT_EQ(RunLog::open(folder / "run.log").error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(Journal::open(folder / "run.log").error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(*readTextFile(folder / "victim"), "theirs");
}

TEST(RunLog, NamesTheFileThatItCannotOpen) {
  const auto log = RunLog::open("/proc/nonexistent/run.log");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), ErrorCode::Io);
  EXPECT_NE(log.error().message().find("/proc/nonexistent/run.log"), std::string::npos);
}

}  // namespace
}  // namespace ulp::worker
