#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runner/worker/session/study_runner.h"
#include "tests/support/data/fake_engine.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {

namespace fs = std::filesystem;
using report::RunStatus;

inline constexpr const char* kVariants = R"(
variants:
  bf16: {precision.compute_dtype: bfloat16}
  bf16_fp32_head: {precision.compute_dtype: bfloat16, precision.lm_head_dtype: float32}
  fp16: {precision.compute_dtype: float16}
)";

class StudyRunnerTest : public testing::Test {
 protected:
  StudyRunnerTest() { m_folder.write("model/config.json", "{}"); }

  study::Study study(const std::vector<std::string>& sets = {},
                     const std::string& variants = kVariants) {
    const std::string text = "model: {path: " + (m_folder / "model").string() +
                             "}\ninput: {sequence_length: 5}\ncapture: {tensors: none}\n"
                             "device: cpu\noutput_dir: " +
                             (m_folder / "out").string() + variants;
    auto parsed = study::parseStudy(text, "study.yaml", sets);
    EXPECT_TRUE(parsed) << parsed.error().message();
    return *parsed;
  }

  Result<report::ReportPtr> run(const study::Study& what, const RunOptions& options = {}) {
    m_events.clear();
    return runStudy(
        what,
        options,
        m_engine,
        [this](const Event& event) { m_events.push_back(event); },
        m_stop.get_token());
  }

  template <class E>
  std::vector<E> events() const {
    std::vector<E> found;
    for (const Event& event : m_events) {
      if (const E* each = std::get_if<E>(&event)) {
        found.push_back(*each);
      }
    }
    return found;
  }

  fs::path out() const { return m_folder / "out"; }

  report::ReportPtr saved() const {
    auto loaded = report::loadReport(out());
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded->report;
  }

  static RunStatus statusOf(const report::Report& report, const std::string& name) {
    const report::Run* run = report.findRun(name);
    return run == nullptr ? RunStatus::Pending : run->status;
  }

  test::TempDir m_folder;
  test::FakeEngine m_engine;
  std::stop_source m_stop;
  std::vector<Event> m_events;
};

}  // namespace ulp::worker
