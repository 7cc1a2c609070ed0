#include <new>
#include <sstream>

#include <gtest/gtest.h>

#include "app/cli/run/study_run.h"
#include "core/report/model/report.h"
#include "tests/support/data/fake_engine.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int exitCode = 0;
  std::string out;
  std::string err;
};

class RunCommandTest : public testing::Test {
 protected:
  RunCommandTest() {
    m_folder.write("model/config.json", "{}");
    m_study = m_folder.write("study.yaml",
                             "model: {path: " + (m_folder / "model").string() +
                                 "}\n"
                                 "input: {sequence_length: 5}\n"
                                 "capture: {tensors: none}\n"
                                 "variants:\n"
                                 "  bf16: {precision.compute_dtype: bfloat16}\n"
                                 "  fp16: {precision.compute_dtype: float16}\n"
                                 "output_dir: " +
                                 (m_folder / "out").string() + "\n");
  }

  Outcome run(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"ulpscope-cli", "run", m_study.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<const char*> argv;
    for (const std::string& word : words) {
      argv.push_back(word.c_str());
    }
    std::ostringstream out;
    std::ostringstream err;
    CommandContext context{.out = out, .err = err, .openEngine = [this] { return open(); }};
    const ExitCode code = runCommandLine(static_cast<int>(argv.size()), argv.data(), context);
    return {static_cast<int>(code), out.str(), err.str()};
  }

  Result<std::shared_ptr<engine::Engine>> open() {
    ++m_opened;
    if (m_throws) {
      throw std::bad_alloc();
    }
    if (m_engineError) {
      return tl::unexpected(*m_engineError);
    }
    return std::make_shared<test::FakeEngine>(m_config);
  }

  fs::path report() const { return m_folder / "out" / "precision_report.json"; }

  test::TempDir m_folder;
  fs::path m_study;
  test::FakeEngineConfig m_config;
  std::optional<Error> m_engineError;
  bool m_throws = false;
  int m_opened = 0;
};

TEST_F(RunCommandTest, PrintsTheSummaryAndThePathOfTheReport) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const char* text : {"mid max", "bf16", "fp16"}) {
    EXPECT_NE(outcome.out.find(text), std::string::npos) << outcome.out;
  }
  EXPECT_TRUE(outcome.out.ends_with("\nReport: " + report().string() + "\n")) << outcome.out;
  EXPECT_EQ(outcome.out.find("Variant: "), std::string::npos)
      << "the summary alone, not every tensor";
  EXPECT_NE(outcome.out.find("=== Verdict ==="), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("[1/3] reference"), std::string::npos) << outcome.err;
}

TEST_F(RunCommandTest, JsonLinesAreAllOfStandardOutput) {
  const Outcome outcome = run({"--progress", "jsonl"});
  EXPECT_EQ(outcome.exitCode, 0);
  std::istringstream lines(outcome.out);
  std::string line;
  std::optional<worker::Event> last;
  while (std::getline(lines, line)) {
    const auto event = worker::parseEvent(line);
    ASSERT_TRUE(event) << line;
    last = *event;
  }
  ASSERT_TRUE(last);
  EXPECT_EQ(std::get<worker::StudyFinished>(*last).status, "finished");
}

TEST_F(RunCommandTest, JsonLinesEndWithTheErrorOfAStudyThatNeverStarted) {
  const Outcome outcome = run({"--progress", "jsonl", "--set", "no.such=1"});
  EXPECT_EQ(outcome.exitCode, 2);
  const auto event = worker::parseEvent(outcome.out.substr(0, outcome.out.find('\n')));
  ASSERT_TRUE(event) << outcome.out;
  EXPECT_EQ(std::get<worker::StudyFinished>(*event).errorCode, "invalid argument");
}

TEST_F(RunCommandTest, WhatThrowsIsTheErrorOfTheStudyAndItsLastEvent) {
  m_throws = true;
  const Outcome outcome = run({"--progress", "jsonl"});
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_EQ(outcome.err,
            "ulpscope-cli: " + m_study.string() +
                ": there is not enough memory; close other programs, or open less at a time\n");
  const auto event = worker::parseEvent(outcome.out.substr(0, outcome.out.find('\n')));
  ASSERT_TRUE(event) << outcome.out;
  EXPECT_EQ(std::get<worker::StudyFinished>(*event).errorCode, "out of memory");
}

TEST_F(RunCommandTest, NoProgressLeavesStandardErrorEmpty) {
  EXPECT_EQ(run({"--progress", "none"}).err, "");
}

TEST_F(RunCommandTest, SetsAndVariantsReachTheStudy) {
  const Outcome outcome = run({"--set",
                               "capture.level=layer",
                               "--set",
                               "input.seed=3",
                               "--variant",
                               "fp16",
                               "--output",
                               (m_folder / "there").string()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  const auto loaded = report::loadReport(m_folder / "there");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->report->runs.size(), 2U);
  EXPECT_NE(loaded->report->studyYaml.find("# --set input.seed=3"), std::string::npos);
  EXPECT_NE(loaded->report->studyYaml.find("# --variant fp16, without bf16"), std::string::npos);
}

TEST_F(RunCommandTest, AnUnknownKeyIsBadInputWithTheNearestOne) {
  const Outcome outcome = run({"--set", "capture.levle=layer"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_NE(outcome.err.find("capture.level"), std::string::npos) << outcome.err;
  EXPECT_EQ(m_opened, 0) << "the engine is not loaded for a study that is wrong";
}

TEST_F(RunCommandTest, AMissingModelIsNamedWithWhereItWasAskedFor) {
  const Outcome outcome = run({"--progress", "none", "--set", "model.path=no/where/at/all"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.err.rfind("ulpscope-cli: --set model.path=no/where/at/all: model.path "
                              "'no/where/at/all' not found; looked for ",
                              0),
            0U)
      << outcome.err;
}

TEST_F(RunCommandTest, WrongUseIsBadInput) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--resume", "--overwrite"},
        {"--progress", "fancy"},
        {"--threads", "0"},
        {"--variant", "bf17"},
        {"--nonsense"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << arguments.front();
    EXPECT_FALSE(outcome.err.empty()) << arguments.front();
    EXPECT_FALSE(fs::exists(report())) << arguments.front();
  }
}

TEST_F(RunCommandTest, ASecondRunNeedsToSayWhatItWants) {
  ASSERT_EQ(run({}).exitCode, 0);
  const Outcome refused = run({});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_NE(refused.err.find("--overwrite"), std::string::npos) << refused.err;
  const Outcome other = run({"--resume", "--set", "input.seed=9"});
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_NE(other.err.find("belong to another study"), std::string::npos) << other.err;
  EXPECT_EQ(other.out, "") << "what lies there is no result of this study";
  EXPECT_EQ(run({"--resume"}).exitCode, 0);
  EXPECT_EQ(run({"--overwrite"}).exitCode, 0);
}

TEST_F(RunCommandTest, AMissingEngineIsNamed) {
  m_engineError = Error(ErrorCode::Unsupported, "engine: library not found");
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_NE(outcome.err.find("engine: library not found"), std::string::npos);
}

TEST_F(RunCommandTest, AFailedVariantIsExitCode3WithTheOthersInTheSummary) {
  m_config.runErrors.emplace(1, Error(ErrorCode::OutOfMemory, "no 4 GiB left"));
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_NE(outcome.err.find("bf16: no 4 GiB left"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("fp16"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Report: "), std::string::npos) << outcome.out;
}

TEST_F(RunCommandTest, WhateverAVariantFailsOfTheReportIsShown) {
  for (const ErrorCode code : {ErrorCode::InvalidArgument, ErrorCode::Unsupported}) {
    m_config.runErrors.clear();
    m_config.runErrors.emplace(1, Error(code, "the function raises"));
    const Outcome outcome = run({"--overwrite"});
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_NE(outcome.err.find("bf16: the function raises"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("Report: "), std::string::npos) << outcome.out;
  }
  // Nothing new was written.
  const Outcome refused = run({"--resume", "--set", "input.seed=1"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_EQ(refused.out.find("Report: "), std::string::npos) << refused.out;
}

TEST_F(RunCommandTest, AMissingStudyIsNamed) {
  m_study = m_folder / "none.yaml";
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_NE(outcome.err.find("none.yaml"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace ulp::cli
