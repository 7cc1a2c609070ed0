#include "app/cli/run/run_progress.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

namespace ulp::cli {
namespace {

using worker::Progress;
using worker::RunFinished;
using worker::RunStarted;
using worker::StudyFinished;
using worker::StudyStarted;

struct Shown {
  std::string out;
  std::string err;
};

Shown show(ProgressMode mode, const std::vector<worker::Event>& events, int width = 100) {
  std::ostringstream out;
  std::ostringstream err;
  {
    const auto progress = makeRunProgress(mode, {.out = out, .err = err, .width = width});
    for (const worker::Event& event : events) {
      progress(event);
    }
  }
  return {out.str(), err.str()};
}

std::vector<worker::Event> wholeStudy() {
  return {StudyStarted{{"reference", "bf16"}, "out", false},
          RunStarted{"reference", 0, 2},
          Progress{"reference", "forward", "decoder.0", 0.1, {}},
          RunFinished{"reference", "finished", 4.5, 0.5, 1024, ""},
          RunStarted{"bf16", 1, 2},
          Progress{"bf16", "backward", "decoder.3", 0.75, 12.0},
          RunFinished{"bf16", "failed", 0, 0, 0, "bf16: out of memory"},
          worker::Message{"warning", "something is odd"},
          StudyFinished{"failed", 2, "out/r.json", "out of memory", "bf16: out of memory"}};
}

TEST(ParseProgressMode, AutoDependsOnTheTerminal) {
  EXPECT_EQ(parseProgressMode("auto", true), ProgressMode::Live);
  EXPECT_EQ(parseProgressMode("auto", false), ProgressMode::Plain);
  EXPECT_EQ(parseProgressMode("plain", true), ProgressMode::Plain);
  EXPECT_EQ(parseProgressMode("jsonl", true), ProgressMode::JsonLines);
  EXPECT_EQ(parseProgressMode("none", true), ProgressMode::None);
  EXPECT_FALSE(parseProgressMode("fancy", true));
}

TEST(JsonLinesProgress, StandardOutputIsTheEvents) {
  const Shown shown = show(ProgressMode::JsonLines, wholeStudy());
  EXPECT_TRUE(shown.err.empty());
  std::istringstream lines(shown.out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    ASSERT_TRUE(worker::parseEvent(line)) << line;
    EXPECT_EQ(worker::parseEvent(line)->index(), wholeStudy()[count].index());
  }
  EXPECT_EQ(count, wholeStudy().size());
}

TEST(PlainProgress, WritesALineForEverythingThatHappensToStandardError) {
  const Shown shown = show(ProgressMode::Plain, wholeStudy());
  EXPECT_TRUE(shown.out.empty());
  EXPECT_EQ(shown.err.find('\r'), std::string::npos);
  for (const char* text : {"Running out: reference, bf16\n",
                           "[1/2] reference\n",
                           "  reference  loss 4.50000  0.50 s\n",
                           "  bf16 failed: bf16: out of memory\n",
                           "warning: something is odd\n"}) {
    EXPECT_NE(shown.err.find(text), std::string::npos) << text << "\n" << shown.err;
  }
}

TEST(LiveProgress, RedrawsOneLineAndKeepsFinishedRuns) {
  const Shown shown = show(ProgressMode::Live, wholeStudy());
  EXPECT_TRUE(shown.out.empty());
  for (const char* text : {"✓ reference  loss 4.50000",
                           "✗ bf16 failed",
                           "2/2 bf16 ",
                           " 75 %",
                           ", 0:12 left",
                           "backward decoder.3",
                           "▲ warning: something is odd\n"}) {
    EXPECT_NE(shown.err.find(text), std::string::npos) << text << "\n" << shown.err;
  }
  EXPECT_TRUE(shown.err.ends_with("\r\033[K")) << "the line is gone at the end";
}

TEST(LiveProgress, TellsHowLongTokensAreChosen) {
  const worker::Progress choosing{"reference", "choose", "16/64", 0.125, {}, 0.25, 36.0};
  const Shown shown = show(ProgressMode::Live, {choosing});
  EXPECT_NE(shown.err.find(", 0:36 left of choosing"), std::string::npos) << shown.err;
  EXPECT_NE(shown.err.find("choose 16/64"), std::string::npos) << shown.err;
}

TEST(LiveProgress, FitsIntoTheTerminal) {
  const std::string longSite(300, 'x');
  for (const int width : {20, 60, 100}) {
    const Shown shown =
        show(ProgressMode::Live,
             {RunStarted{"bf16", 1, 2}, Progress{"bf16", "forward", longSite, 0.5, 12.0}},
             width);
    // Every character but the continuation bytes of UTF-8 and the two erasing sequences.
    const auto columns = std::count_if(shown.err.begin(), shown.err.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    });
    constexpr int kErasing = 2 * 4;
    EXPECT_LE(columns - kErasing, std::max(width, 50)) << shown.err;
  }
}

TEST(QuietProgress, SaysOnlyWhatIsWrong) {
  const Shown shown = show(ProgressMode::None, wholeStudy());
  EXPECT_TRUE(shown.out.empty());
  EXPECT_EQ(shown.err, "warning: something is odd\n");
}

}  // namespace
}  // namespace ulp::cli
