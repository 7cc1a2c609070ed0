// `ulpscope-cli run` as a process of its own, with the fake engine: signals, kills, full disks.

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sstream>
#include <sys/mount.h>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "runner/worker/events/events.h"
#include "tests/support/machine/child_process.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using report::RunStatus;

class RunProcessTest : public testing::Test {
 protected:
  RunProcessTest() { m_folder.write("model/config.json", "{}"); }

  fs::path study(const std::string& tensors = "none") {
    return m_folder.write("study.yaml",
                          "model: {path: " + (m_folder / "model").string() +
                              "}\n"
                              "input: {sequence_length: 8}\n"
                              "capture: {tensors: " +
                              tensors +
                              "}\n"
                              "device: cpu\n"
                              "variants:\n"
                              "  bf16: {precision.compute_dtype: bfloat16}\n"
                              "  bf16_head: {precision.compute_dtype: bfloat16,"
                              " precision.lm_head_dtype: float32}\n"
                              "  fp16: {precision.compute_dtype: float16}\n");
  }

  std::vector<std::string> command(const fs::path& file, const std::string& option = "") const {
    std::vector<std::string> words{
        ULP_BINARY_DIR "/bin/ulpscope-cli", "run", file.string(), "--output", out().string()};
    if (!option.empty()) {
      words.push_back(option);
    }
    return words;
  }

  static test::ChildOptions slow(int microseconds, int hidden = 16) {
    return {.environment = {{"ULP_ENGINE_LIBRARY", ULP_BINARY_DIR "/tests/fake_engine_library.so"},
                            {"ULP_FAKE_DELAY_US", std::to_string(microseconds)},
                            {"ULP_FAKE_HIDDEN", std::to_string(hidden)}}};
  }

  fs::path out() const { return m_folder / "out"; }

  std::map<std::string, RunStatus> statuses() const {
    std::map<std::string, RunStatus> all;
    const auto loaded = report::loadReport(out());
    EXPECT_TRUE(loaded) << loaded.error().message();
    if (loaded) {
      for (const report::Run& run : loaded->report->runs) {
        all[run.name] = run.status;
      }
    }
    return all;
  }

  test::TempDir m_folder;
};

TEST_F(RunProcessTest, CtrlCStopsAtTheNextSiteAndKeepsWhatIsFinished) {
  for (const int signal : {SIGINT, SIGTERM}) {
    test::ChildProcess child(command(study(), signal == SIGINT ? "" : "--overwrite"), slow(20000));
    ASSERT_TRUE(child.waitForText("[3/4] bf16_head")) << child.err();
    child.signal(signal);
    const test::ChildResult result = child.wait();
    EXPECT_EQ(result.exitCode, 130) << result.err;
    EXPECT_NE(result.err.find("--resume continues"), std::string::npos) << result.err;
    const auto status = statuses();
    EXPECT_EQ(status.at("reference"), RunStatus::Finished);
    EXPECT_EQ(status.at("bf16"), RunStatus::Finished);
    EXPECT_EQ(status.at("bf16_head"), RunStatus::Cancelled);
    EXPECT_EQ(status.at("fp16"), RunStatus::Pending);
  }
}

TEST_F(RunProcessTest, ASecondCtrlCEndsAtOnce) {
  // So slow that the first one is not noticed before ctest ends the test.
  test::ChildProcess child(command(study()), slow(900000000));
  ASSERT_TRUE(child.waitForText("[1/4] reference")) << child.err();
  child.signal(SIGINT);
  ASSERT_TRUE(child.waitUntilTaken(SIGINT)) << "else the system makes one of the two";
  child.signal(SIGINT);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 130);
  EXPECT_NE(result.err.find("stopped at once"), std::string::npos) << result.err;
}

TEST_F(RunProcessTest, CtrlCEndsAStepThatDoesNotSeeIt) {
  test::ChildProcess child(command(study()), slow(900000000));
  ASSERT_TRUE(child.waitForText("[1/4] reference")) << child.err();
  child.signal(SIGINT);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 130);
  EXPECT_NE(result.err.find("stopped at once"), std::string::npos) << result.err;
}

TEST_F(RunProcessTest, AKilledStudyKeepsWhatIsFinishedAndResumes) {
  {
    test::ChildProcess child(command(study("full")), slow(20000));
    ASSERT_TRUE(child.waitForText("[3/4] bf16_head")) << child.err();
    child.signal(SIGKILL);
    EXPECT_EQ(child.wait().signal, SIGKILL);
  }
  EXPECT_EQ(statuses().at("bf16"), RunStatus::Finished);
  EXPECT_NE(statuses().at("bf16_head"), RunStatus::Finished);
  test::ChildProcess again(command(study("full"), "--resume"), slow(0));
  const test::ChildResult result = again.wait();
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_NE(result.err.find("[1/3] reference"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("] bf16\n"), std::string::npos) << "a finished variant ran again";
  for (const auto& [name, status] : statuses()) {
    EXPECT_EQ(status, RunStatus::Finished) << name;
  }
}

TEST_F(RunProcessTest, ALostDeviceCostsOneVariantAndTheOthersRunInANewProcess) {
  test::ChildOptions options = slow(0);
  options.environment.emplace_back("ULP_FAKE_LOST_IN", "bfloat16");
  auto words = command(study("full"), "--overwrite");
  words.insert(words.end(), {"--set", "capture.level=layer"});
  test::ChildProcess child(words, options);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_EQ(result.signal, 0);
  const std::map<std::string, RunStatus> expected{{"reference", RunStatus::Finished},
                                                  {"bf16", RunStatus::Failed},
                                                  {"bf16_head", RunStatus::Failed},
                                                  {"fp16", RunStatus::Finished}};
  EXPECT_EQ(statuses(), expected);
  EXPECT_EQ(report::loadReport(out())->report->findRun("bf16")->error,
            "bf16: cpu failed: illegal access");
  EXPECT_NE(result.err.find("2 of 3 variants failed"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("Study failed"), result.err.rfind("Study failed")) << result.err;
  EXPECT_NE(result.out.find("Report: "), std::string::npos) << result.out;
}

TEST_F(RunProcessTest, ADeviceThatTheReferenceLosesEndsTheStudy) {
  test::ChildOptions options = slow(0);
  options.environment.emplace_back("ULP_FAKE_LOST_IN", "float32");
  test::ChildProcess child(command(study()), options);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_EQ(statuses().at("reference"), RunStatus::Failed);
  EXPECT_EQ(statuses().at("bf16"), RunStatus::Pending);
}

TEST_F(RunProcessTest, EventsOfAStudyThatGoesOnInANewProcessEndOnce) {
  test::ChildOptions options = slow(0);
  options.environment.emplace_back("ULP_FAKE_LOST_IN", "bfloat16");
  auto words = command(study(), "--control");
  words.insert(words.end(), {"--progress", "jsonl"});
  test::ChildProcess child(words, options);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 3) << result.err;
  std::istringstream lines(result.out);
  std::vector<std::vector<std::string>> failedAtStart;
  std::vector<worker::StudyFinished> ends;
  for (std::string line; std::getline(lines, line);) {
    const auto event = worker::parseEvent(line);
    ASSERT_TRUE(event) << line;
    if (const auto* started = std::get_if<worker::StudyStarted>(&*event)) {
      failedAtStart.push_back(started->failed);
    } else if (const auto* finished = std::get_if<worker::StudyFinished>(&*event)) {
      ends.push_back(*finished);
    }
  }
  const std::vector<std::vector<std::string>> expected{{}, {"bf16"}, {"bf16", "bf16_head"}};
  EXPECT_EQ(failedAtStart, expected);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].status, "failed");
  EXPECT_EQ(ends[0].errorCode, "device error");
  EXPECT_EQ(ends[0].report, (out() / "precision_report.json").string());
}

/// Between the test and a child.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(m_ends.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    closeWriter();
    closeReader();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int reader() const { return m_ends[0]; }
  [[nodiscard]] int writer() const { return m_ends[1]; }
  void write(std::string_view text) {
    EXPECT_EQ(::write(m_ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void closeReader() { close(m_ends[0]); }
  void closeWriter() { close(m_ends[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) {
      ::close(std::exchange(end, -1));
    }
  }

  std::array<int, 2> m_ends{-1, -1};
};

TEST_F(RunProcessTest, VariantsAreSkippedOnRequestAndStaySkippedWhenResumed) {
  Pipe input;
  test::ChildOptions options = slow(20000);
  options.standardInput = input.reader();
  test::ChildProcess child(command(study(), "--control"), options);
  ASSERT_TRUE(child.waitForText("[2/4] bf16")) << child.err();
  input.write("skip fp16\nnonsense\nskip bf16\n");
  input.closeWriter();
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_NE(result.err.find("'nonsense' is no command"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("bf16 skipped"), std::string::npos) << result.err;
  const std::map<std::string, RunStatus> expected{{"reference", RunStatus::Finished},
                                                  {"bf16", RunStatus::Skipped},
                                                  {"bf16_head", RunStatus::Finished},
                                                  {"fp16", RunStatus::Skipped}};
  EXPECT_EQ(statuses(), expected);
  test::ChildProcess again(command(study(), "--resume"), slow(0));
  EXPECT_EQ(again.wait().exitCode, 0) << again.err();
  EXPECT_EQ(statuses(), expected);
}

TEST_F(RunProcessTest, StandardInputIsLeftAloneUnlessCommandsAreWanted) {
  Pipe input;
  test::ChildOptions options = slow(0);
  options.standardInput = input.reader();
  input.write("skip bf16\n");
  test::ChildProcess child(command(study()), options);
  EXPECT_EQ(child.wait().exitCode, 0) << child.err();
  EXPECT_EQ(statuses().at("bf16"), RunStatus::Finished);
  std::array<char, 16> left{};
  EXPECT_EQ(::read(input.reader(), left.data(), left.size()), 10) << "the lines of a script";
}

TEST_F(RunProcessTest, TwoWorkersDoNotShareAFolder) {
  test::ChildProcess first(command(study()), slow(50000));
  ASSERT_TRUE(first.waitForText("[1/4] reference"));
  test::ChildProcess second(command(study(), "--overwrite"), slow(0));
  const test::ChildResult result = second.wait();
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_NE(result.err.find("another worker"), std::string::npos) << result.err;
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().exitCode, 130);
}

TEST_F(RunProcessTest, AFileThatMayNotGrowFailsTheRunAndKeepsWhatIsFinished) {
  {
    test::ChildProcess child(command(study()), slow(0));
    ASSERT_EQ(child.wait().exitCode, 0);
  }
  const auto size = fs::file_size(out() / "precision_report.json");
  test::ChildOptions options = slow(0);
  options.fileSizeLimit = size / 2;
  test::ChildProcess child(command(study(), "--overwrite"), options);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_NE(result.err.find("precision_report.json: cannot write"), std::string::npos)
      << result.err;
  EXPECT_EQ(statuses().at("reference"), RunStatus::Finished);
}

/// A disk of a few MiB; needs the right to mount one.
class SmallDisk {
 public:
  SmallDisk(fs::path path, const char* size)
      : m_path(std::move(path)), m_isMounted(mount(m_path, size)) {}
  ~SmallDisk() {
    if (m_isMounted) {
      ::umount(m_path.c_str());
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  [[nodiscard]] bool isMounted() const { return m_isMounted; }

 private:
  static bool mount(const fs::path& path, const char* size) {
    fs::create_directory(path);
    return ::mount("tmpfs", path.c_str(), "tmpfs", 0, size) == 0;
  }

  fs::path m_path;
  bool m_isMounted;
};

TEST_F(RunProcessTest, AFullDiskIsNamedAndKeepsWhatIsFinished) {
  const SmallDisk disk(out(), "size=6m");
  if (!disk.isMounted()) {
    GTEST_SKIP() << "this machine does not let the test mount a small disk";
  }
  // 20 tensors of 8 x 12,000 float32 a run: the second run does not fit.
  test::ChildProcess child(command(study("full")), slow(0, 6000));
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_NE(result.err.find(out().string()), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
  EXPECT_EQ(statuses().at("reference"), RunStatus::Finished);
}

TEST_F(RunProcessTest, AStudyIsFinishedWhenTheWindowThatStartedItDies) {
  Pipe commands;
  Pipe events;
  Pipe messages;
  test::ChildOptions options = slow(2000);
  options.standardInput = commands.reader();
  options.standardOutput = events.writer();
  options.standardError = messages.writer();
  auto words = command(study("full"), "--control");
  words.insert(words.end(), {"--progress", "jsonl"});
  test::ChildProcess child(words, options);
  char first = 0;
  ASSERT_EQ(::read(events.reader(), &first, 1), 1);
  commands.closeWriter();
  events.closeReader();
  messages.closeReader();
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exitCode, 0);
  for (const auto& [name, status] : statuses()) {
    EXPECT_EQ(status, RunStatus::Finished) << name;
  }
}

TEST_F(RunProcessTest, OutputThatNobodyReadsEndsQuietly) {
  ASSERT_EQ(test::ChildProcess(command(study()), slow(0)).wait().exitCode, 0);
  Pipe output;
  output.closeReader();
  test::ChildOptions options;
  options.standardOutput = output.writer();
  test::ChildProcess child({ULP_BINARY_DIR "/bin/ulpscope-cli", "report", out().string()}, options);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.err, "");
}

TEST_F(RunProcessTest, AFolderThatWasDeletedUnderTheProgramIsNamed) {
  ASSERT_EQ(test::ChildProcess(command(study()), slow(0)).wait().exitCode, 0);
  const auto fromDeletedFolder = [&](const std::vector<std::string>& words) {
    std::vector<std::string> shell{
        "/bin/sh",
        "-c",
        "mkdir \"$0\" && cd \"$0\" && rmdir \"$0\" && exec " ULP_BINARY_DIR
        "/bin/ulpscope-cli \"$@\"",
        (m_folder / "gone").string()};
    shell.insert(shell.end(), words.begin(), words.end());
    return test::ChildProcess(shell, slow(0)).wait();
  };
  const test::ChildResult relative = fromDeletedFolder({"report", "out"});
  EXPECT_EQ(relative.exitCode, 2);
  const std::string gone = "the folder that this was started in does not exist any more";
  EXPECT_NE(relative.err.find(gone), std::string::npos) << relative.err;
  const test::ChildResult absolute = fromDeletedFolder({"report", out().string()});
  EXPECT_EQ(absolute.exitCode, 0) << absolute.err;
  EXPECT_EQ(absolute.err, "");
  const test::ChildResult engine = fromDeletedFolder({"devices"});
  EXPECT_EQ(engine.exitCode, 2);
  EXPECT_NE(engine.err.find("engine: needs a working folder"), std::string::npos) << engine.err;
}

TEST_F(RunProcessTest, AReaderThatGoesAwayDoesNotHarmTheFolder) {
  auto words = command(study());
  words.insert(words.end(), {"--progress", "jsonl"});
  std::string line;
  for (const std::string& word : words) {
    line += "'" + word + "' ";
  }
  test::ChildProcess shell({"/bin/sh", "-c", line + "| head -n 1"}, slow(2000));
  const test::ChildResult result = shell.wait();
  EXPECT_TRUE(worker::parseEvent(result.out.substr(0, result.out.find('\n')))) << result.out;
  test::ChildProcess again(command(study(), "--resume"), slow(0));
  EXPECT_EQ(again.wait().exitCode, 0) << again.err();
}

}  // namespace
}  // namespace ulp::cli
