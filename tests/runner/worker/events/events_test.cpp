#include "runner/worker/events/events.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

template <class E>
E roundTrip(const E& event) {
  const auto read = parseEvent(toJsonLine(event));
  EXPECT_TRUE(read) << read.error().message();
  return std::get<E>(*read);
}

TEST(Events, StudyStartedKeepsRunsAndFolderAndNamesTheSchema) {
  const StudyStarted event{{"reference", "bf16"}, "runs/a \"b\"", true};
  EXPECT_NE(toJsonLine(event).find(R"("schema":"ulpscope.events/1")"), std::string::npos);
  const auto read = roundTrip(event);
  EXPECT_EQ(read.runs, event.runs);
  EXPECT_EQ(read.outputDir, event.outputDir);
  EXPECT_TRUE(read.resumed);
}

TEST(Events, RunStartedKeepsItsPlaceInTheStudy) {
  const auto read = roundTrip(RunStarted{"bf16", 1, 5});
  EXPECT_EQ(read.run, "bf16");
  EXPECT_EQ(read.index, 1);
  EXPECT_EQ(read.total, 5);
  EXPECT_EQ(read.samples, 1);
}

TEST(Events, RunStartedNamesItsSampleWhereThereAreSeveral) {
  EXPECT_EQ(toJsonLine(RunStarted{.run = "bf16", .total = 5}).find("sample"), std::string::npos);
  const auto read =
      roundTrip(RunStarted{.run = "bf16", .index = 7, .total = 24, .sample = 2, .samples = 8});
  EXPECT_EQ(read.sample, 2);
  EXPECT_EQ(read.samples, 8);
}

TEST(Events, RunStartedNamesTheGpusWhereTheyAreKnown) {
  EXPECT_EQ(toJsonLine(RunStarted{"bf16", 1, 5}).find("gpus"), std::string::npos);
  const RunStarted event{.run = "bf16", .total = 5, .gpus = {"GPU-aa", "MIG-bb"}};
  EXPECT_NE(toJsonLine(event).find(R"("gpus":["GPU-aa","MIG-bb"])"), std::string::npos);
  EXPECT_EQ(roundTrip(event).gpus, event.gpus);
}

TEST(Events, ProgressKeepsFractionAndKnownEta) {
  const auto read = roundTrip(Progress{"bf16", "backward", "decoder.3", 0.25, 12.5});
  EXPECT_EQ(read.phase, "backward");
  EXPECT_EQ(read.site, "decoder.3");
  EXPECT_DOUBLE_EQ(read.fraction, 0.25);
  ASSERT_TRUE(read.etaSeconds);
  EXPECT_DOUBLE_EQ(*read.etaSeconds, 12.5);
}

TEST(Events, ProgressWithoutEtaStaysWithout) {
  EXPECT_FALSE(roundTrip(Progress{"reference", "load", "", 0, {}}).etaSeconds);
}

TEST(Events, RunFinishedKeepsEveryField) {
  const RunFinished event{
      "bf16", "failed", 3.25, 1.5, std::uint64_t{1} << 40, "no 4 GiB left", 4096, "out of memory"};
  const auto read = roundTrip(event);
  EXPECT_EQ(read.status, "failed");
  EXPECT_DOUBLE_EQ(read.loss, 3.25);
  EXPECT_DOUBLE_EQ(read.seconds, 1.5);
  EXPECT_EQ(read.peakBytes, std::uint64_t{1} << 40);
  EXPECT_EQ(read.error, "no 4 GiB left");
  EXPECT_EQ(read.errorCode, "out of memory");
  EXPECT_EQ(read.plannedBytes, 4096U);
  EXPECT_EQ(toJsonLine(RunFinished{.run = "a", .error = {}}).find("planned"), std::string::npos);
  const RunFinished planned{"bf16", "finished", 3.25, 1.5, 3072, "", 4096};
  EXPECT_TRUE(describeEvent(planned).text.ends_with("peak 3.0 KiB (4.0 KiB were planned)"))
      << describeEvent(planned).text;
}

TEST(Events, MemoryOfAHostSurvives) {
  const auto read = roundTrip(MemoryUse{std::uint64_t{3} << 40, std::uint64_t{1} << 41});
  EXPECT_EQ(read.residentBytes, std::uint64_t{3} << 40);
  EXPECT_EQ(read.peakBytes, std::uint64_t{1} << 41);
}

TEST(Events, NonFiniteLossSurvives) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(roundTrip(RunFinished{"a", "failed", std::nan(""), 0, 0, ""}).loss));
  EXPECT_EQ(roundTrip(RunFinished{"a", "finished", infinity, 0, 0, ""}).loss, infinity);
  EXPECT_EQ(roundTrip(RunFinished{"a", "finished", -infinity, 0, 0, ""}).loss, -infinity);
}

TEST(Events, ReportUpdatedMessageAndStudyFinishedSurvive) {
  EXPECT_EQ(roundTrip(ReportUpdated{"out/precision_report.json"}).path,
            "out/precision_report.json");
  const auto message = roundTrip(Message{"warning", "zeile\nüber zwei"});
  EXPECT_EQ(message.level, "warning");
  EXPECT_EQ(message.text, "zeile\nüber zwei");
  const auto finished =
      roundTrip(StudyFinished{"failed", 2, "out/r.json", "i/o error", "disk full"});
  const auto refused = roundTrip(StudyFinished{
      "failed", 2, "", "invalid argument", "--resume: other", false, {"a was 1, is now 2", "b"}});
  EXPECT_EQ(refused.conflicts, (std::vector<std::string>{"a was 1, is now 2", "b"}));
  EXPECT_EQ(finished.status, "failed");
  EXPECT_EQ(finished.report, "out/r.json");
  EXPECT_EQ(finished.errorCode, "i/o error");
  EXPECT_EQ(finished.error, "disk full");
}

TEST(Events, ALineIsOneLineWhateverTheText) {
  const std::string line = toJsonLine(Message{"info", "a\nb\r\n\xff\xfe"});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(parseEvent(line));
}

TEST(Events, UnknownEventBecomesAMessage) {
  const std::string line = R"({"event":"gpu_heat","celsius":71})";
  const auto read = parseEvent(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<Message>(*read).level, "info");
  EXPECT_EQ(std::get<Message>(*read).text, line);
}

TEST(Events, UnknownFieldsAreIgnored) {
  const auto read =
      parseEvent(R"({"event":"run_started","run":"a","index":0,"total":1,"colour":"red"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<RunStarted>(*read).run, "a");
}

TEST(Events, RefusesWhatIsNotAnEvent) {
  for (const char* line : {"", "hello", "[1]", "{}", R"({"event":3})", R"({"event":"message")"}) {
    const auto read = parseEvent(line);
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error().code(), ErrorCode::CorruptData) << line;
  }
}

TEST(Events, NamesTheMissingField) {
  const auto read = parseEvent(R"({"event":"run_started","run":"a","index":"zero","total":1})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::CorruptData);
  EXPECT_NE(read.error().message().find("'index'"), std::string::npos) << read.error().message();
}

TEST(Events, RefusesANewerSchemaNamingBoth) {
  const auto read = parseEvent(
      R"({"event":"study_started","schema":"ulpscope.events/2","runs":[],"output_dir":"","resumed":false})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::Unsupported);
  EXPECT_NE(read.error().message().find("ulpscope.events/2"), std::string::npos);
  EXPECT_NE(read.error().message().find("ulpscope.events/1"), std::string::npos);
}

TEST(Events, TimestampIsUtcWithMilliseconds) {
  using namespace std::chrono;
  EXPECT_EQ(utcTimestamp(system_clock::time_point(milliseconds(1769860800123))),
            "2026-01-31T12:00:00.123Z");
}

}  // namespace
}  // namespace ulp::worker
