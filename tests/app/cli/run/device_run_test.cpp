// `ulpscope-cli run` of a study on several devices: a worker process on each, with the fake engine.

#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/split.h"
#include "core/report/model/report.h"
#include "runner/worker/events/events.h"
#include "tests/support/machine/child_process.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using report::RunStatus;
using testing::HasSubstr;

class DeviceRunTest : public testing::Test {
 protected:
  DeviceRunTest() {
    m_folder.write("model/config.json", "{}");
    m_study = m_folder.write("study.yaml",
                             "model: {path: " + (m_folder / "model").string() +
                                 "}\n"
                                 "input: {sequence_length: 8}\n"
                                 "capture: {tensors: full}\n"
                                 "device: [cpu, cpu]\n"
                                 "variants:\n"
                                 "  bf16: {precision.compute_dtype: bfloat16}\n"
                                 "  fp16: {precision.compute_dtype: float16}\n"
                                 "  bf16_head: {precision.compute_dtype: bfloat16,"
                                 " precision.lm_head_dtype: float32}\n");
  }

  std::vector<std::string> command(const std::string& name,
                                   const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words{ULP_BINARY_DIR "/bin/ulpscope-cli",
                                   "run",
                                   m_study.string(),
                                   "--output",
                                   (m_folder / name).string()};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }

  static test::ChildOptions slow(int microseconds, const std::string& lostIn = "") {
    test::ChildOptions options{
        .environment = {{"ULP_ENGINE_LIBRARY", ULP_BINARY_DIR "/tests/fake_engine_library.so"},
                        {"ULP_FAKE_DELAY_US", std::to_string(microseconds)}}};
    if (!lostIn.empty()) {
      options.environment.emplace_back("ULP_FAKE_LOST_IN", lostIn);
    }
    return options;
  }

  report::ReportPtr report(const std::string& name) const {
    const auto loaded = report::loadReport(m_folder / name);
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded ? loaded->report : std::make_shared<const report::Report>();
  }

  std::map<std::string, RunStatus> statuses(const std::string& name) const {
    std::map<std::string, RunStatus> all;
    const report::ReportPtr made = report(name);
    for (const report::Run& run : made->runs) {
      all[run.name] = run.status;
    }
    return all;
  }

  /// The workers of a command that runs.
  static std::vector<pid_t> workersOf(pid_t command) {
    const std::string id = std::to_string(command);
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    std::vector<pid_t> found;
    for (pid_t each = 0; file >> each;) {
      found.push_back(each);
    }
    return found;
  }

  static constexpr RunStatus kFinished = RunStatus::Finished;
  test::TempDir m_folder;
  fs::path m_study;
};

TEST_F(DeviceRunTest, GivesTheReportOfOneDeviceAndLeavesNothingElse) {
  test::ChildProcess one(command("one", {"--device", "cpu"}), slow(0));
  ASSERT_EQ(one.wait().exitCode, 0) << one.err();
  test::ChildProcess two(command("two", {"--progress", "jsonl"}), slow(2000));
  const test::ChildResult result = two.wait();
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto expected = report("one");
  const auto made = report("two");
  ASSERT_EQ(made->runs.size(), 4U);
  for (std::size_t i = 0; i < made->runs.size(); ++i) {
    EXPECT_EQ(made->runs[i].name, expected->runs[i].name);
    EXPECT_EQ(made->runs[i].loss, expected->runs[i].loss);
    EXPECT_EQ(made->runs[i].comparisons.size(), expected->runs[i].comparisons.size());
  }
  EXPECT_EQ(made->provenance.device, expected->provenance.device);
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(m_folder / "two")) {
    names.insert(entry.path().filename());
  }
  EXPECT_THAT(names, testing::Not(testing::Contains("parts")));
  EXPECT_TRUE(fs::exists(m_folder / "two" / "tensors" / "bf16_head.h5"));

  // Both at once, each run once, and a time left over all of them.
  std::istringstream lines(result.out);
  std::map<std::string, int> startedBy;
  std::set<std::string> going;
  std::size_t most = 0;
  double fraction = 0;
  bool hasEta = false;
  for (std::string line; std::getline(lines, line);) {
    const auto event = worker::parseEvent(line);
    ASSERT_TRUE(event) << line;
    if (const auto* started = std::get_if<worker::RunStarted>(&*event)) {
      EXPECT_TRUE(startedBy.emplace(started->run, started->worker).second) << started->run;
      EXPECT_EQ(started->total, 4);
      EXPECT_EQ(started->device, "cpu");
      going.insert(started->run);
      most = std::max(most, going.size());
    } else if (const auto* finished = std::get_if<worker::RunFinished>(&*event)) {
      EXPECT_EQ(going.erase(finished->run), 1U) << finished->run;
    } else if (const auto* progress = std::get_if<worker::Progress>(&*event)) {
      EXPECT_GE(progress->fraction, fraction);
      fraction = progress->fraction;
      hasEta = hasEta || progress->etaSeconds.has_value();
    }
  }
  const std::map<std::string, int> byWorker{
      {"reference", 0}, {"bf16", 0}, {"fp16", 1}, {"bf16_head", 0}};
  EXPECT_EQ(startedBy, byWorker);
  EXPECT_EQ(most, 2U);
  EXPECT_TRUE(hasEta);
}

TEST_F(DeviceRunTest, CtrlCStopsAllWorkersAndResumeMakesTheRest) {
  test::ChildProcess child(command("out", {"--progress", "plain"}), slow(20000));
  ASSERT_TRUE(child.waitForText("bf16_head")) << child.err();
  ASSERT_TRUE(child.waitForText("] bf16_head")) << child.err();
  child.signal(SIGINT);
  const auto begin = std::chrono::steady_clock::now();
  const test::ChildResult result = child.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(result.exitCode, 130) << result.err;
  EXPECT_EQ(statuses("out").at("reference"), kFinished);
  EXPECT_EQ(statuses("out").at("bf16"), kFinished);
  EXPECT_EQ(statuses("out").at("bf16_head"), RunStatus::Cancelled);
  EXPECT_FALSE(fs::exists(m_folder / "out" / "parts"));
  for (const char* devices : {"cpu,cpu", "cpu"}) {  // the second finds nothing to do
    test::ChildProcess again(command("out", {"--resume", "--device", devices}), slow(0));
    const test::ChildResult resumed = again.wait();
    EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_EQ(resumed.err.find("] bf16\n"), std::string::npos) << "a finished variant ran again";
  }
  for (const auto& [name, status] : statuses("out")) {
    EXPECT_EQ(status, kFinished) << name;
  }
}

TEST_F(DeviceRunTest, AWorkerThatDiesFailsItsVariantAloneAndAnotherMakesTheRest) {
  test::ChildProcess child(command("out", {"--progress", "plain"}), slow(10000));
  ASSERT_TRUE(child.waitForText("] bf16\n")) << child.err();
  const std::vector<pid_t> workers = workersOf(child.pid());
  ASSERT_EQ(workers.size(), 2U);
  ::kill(std::min(workers[0], workers[1]), SIGKILL);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 3) << result.err;
  const auto all = statuses("out");
  EXPECT_EQ(all.at("bf16"), RunStatus::Failed);
  EXPECT_EQ(all.at("bf16_head"), kFinished);
  EXPECT_EQ(all.at("fp16"), kFinished);
  EXPECT_THAT(report("out")->findRun("bf16")->error,
              HasSubstr("bf16: the worker on cpu died: it was killed, probably because"));
  EXPECT_THAT(result.err, HasSubstr("1 of 3 variants failed"));
}

TEST_F(DeviceRunTest, ALostDeviceCostsOneVariantAfterTheOther) {
  test::ChildProcess child(command("out", {"--set", "capture.level=layer"}), slow(0, "bfloat16"));
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 3) << result.err;
  const std::map<std::string, RunStatus> expected{{"reference", kFinished},
                                                  {"bf16", RunStatus::Failed},
                                                  {"bf16_head", RunStatus::Failed},
                                                  {"fp16", kFinished}};
  EXPECT_EQ(statuses("out"), expected);
  EXPECT_EQ(report("out")->findRun("bf16")->error, "bf16: cpu failed: illegal access");
}

TEST_F(DeviceRunTest, AReferenceThatFailsEndsTheStudy) {
  test::ChildProcess child(command("out"), slow(0, "float32"));
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("illegal access"));
  EXPECT_FALSE(fs::exists(m_folder / "out" / "parts"));
}

TEST_F(DeviceRunTest, WorkersEndWithTheirCommandAndWhatTheyLeftIsTakenOver) {
  const std::vector<std::string> options{"--progress", "jsonl", "--set", "input.sequences=600"};
  const fs::path parts = m_folder / "out" / "parts";
  {
    test::ChildProcess child(command("out", options), slow(1500));
    // The report of a worker is there before it has a sample.
    const auto hasSamples = [saved = parts / "tasks" / "0000"] {
      const auto loaded = report::loadReport(saved);
      return loaded && loaded->report->findRun("reference")->samples > 0;
    };
    for (int i = 0; i < 3000 && !hasSamples(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_TRUE(hasSamples()) << child.err();
    const std::vector<pid_t> workers = workersOf(child.pid());
    ASSERT_EQ(workers.size(), 2U);
    child.signal(SIGKILL);
    EXPECT_EQ(child.wait().signal, SIGKILL);
    for (const pid_t worker : workers) {
      for (int i = 0; i < 1000 && fs::exists("/proc/" + std::to_string(worker) + "/exe"); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      EXPECT_FALSE(fs::exists("/proc/" + std::to_string(worker) + "/exe"));
    }
  }
  EXPECT_TRUE(fs::exists(parts / "cluster.json"));
  std::vector<std::string> more = options;
  more.insert(more.end(), {"--resume", "--device", "cpu"});
  test::ChildProcess again(command("out", more), slow(0));
  const test::ChildResult result = again.wait();
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(report("out")->findRun("fp16")->samples, 600U);
  EXPECT_FALSE(fs::exists(parts));
  const std::size_t first = result.out.find("run_started");
  const auto started = worker::parseEvent(
      result.out.substr(result.out.rfind('\n', first) + 1,
                        result.out.find('\n', first) - result.out.rfind('\n', first) - 1));
  ASSERT_TRUE(started);
  EXPECT_GT(std::get<worker::RunStarted>(*started).sample, 0);
}

TEST_F(DeviceRunTest, RefusesDevicesThatComputeOtherwise) {
  test::ChildProcess child(command("out", {"--device", "cuda:0,cpu"}), slow(0));
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("device: 'cuda:0,cpu' must be devices of one kind"));
}

}  // namespace
}  // namespace ulp::cli
