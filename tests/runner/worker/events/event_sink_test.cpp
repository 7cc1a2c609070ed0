#include "runner/worker/events/event_sink.h"

#include <sstream>

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/machine/without_rights.h"

namespace ulp::worker {
namespace {

std::vector<std::string> linesOf(const std::filesystem::path& file) {
  std::istringstream in(*readTextFile(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(EventSink, TellsTheObserverAtOnceAndTheFilesWhatCameBefore) {
  const test::TempDir folder;
  std::vector<Event> seen;
  EventSink sink([&](const Event& event) { seen.push_back(event); });
  sink.emit(StudyStarted{{"reference"}, "out", false});
  EXPECT_EQ(seen.size(), 1U);
  ASSERT_TRUE(sink.openFiles(folder.path()));
  sink.emit(RunStarted{"reference", 0, 1});
  const auto lines = linesOf(folder / "events.jsonl");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<StudyStarted>(*parseEvent(lines[0])));
  EXPECT_TRUE(std::holds_alternative<RunStarted>(*parseEvent(lines[1])));
  EXPECT_EQ(linesOf(folder / "run.log").size(), 2U);
}

TEST(EventSink, ProgressIsForTheObserverAlone) {
  const test::TempDir folder;
  int seen = 0;
  EventSink sink([&](const Event&) { ++seen; });
  sink.emit(Progress{});
  ASSERT_TRUE(sink.openFiles(folder.path()));
  sink.emit(Progress{});
  EXPECT_EQ(seen, 2);
  EXPECT_TRUE(linesOf(folder / "events.jsonl").empty());
}

TEST(EventSink, TheLogSaysWhatHappenedInWords) {
  const test::TempDir folder;
  EventSink sink([](const Event&) {});
  ASSERT_TRUE(sink.openFiles(folder.path()));
  sink.emit(RunFinished{"bf16", "finished", 2.5, 1.25, 2048, ""});
  sink.emit(RunFinished{"fp16", "failed", 0, 0, 0, "out of memory"});
  const auto lines = linesOf(folder / "run.log");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find("bf16 finished: loss 2.5"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("error"), std::string::npos) << lines[1];
  EXPECT_NE(lines[1].find("out of memory"), std::string::npos) << lines[1];
}

TEST(EventSink, RemembersThatTheJournalIsIncomplete) {
  const test::TempDir folder;
  EventSink sink([](const Event&) {});
  ASSERT_TRUE(sink.openFiles(folder.path()));
  EXPECT_TRUE(sink.check());
  const test::FullDisk disk(0);
  sink.message("info", "x");
  const auto checked = sink.check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), ErrorCode::Io);
  EXPECT_NE(checked.error().message().find("events.jsonl"), std::string::npos);
}

}  // namespace
}  // namespace ulp::worker
