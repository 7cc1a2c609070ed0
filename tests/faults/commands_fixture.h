#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "app/cli/command.h"
#include "core/base/files/unfinished.h"
#include "core/report/model/report.h"
#include "tests/support/data/fake_engine.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::test {

/// How a command of the command line ended.
struct Ended {
  int code = 0;
  std::string err;
};

/// Commands of `ulpscope-cli` in this process, with the fake engine, on files below one folder.
class CommandsTest : public testing::Test {
 protected:
  CommandsTest() {
    m_inputs.write("model/config.json", "{}");
    m_inputs.write("study.yaml",
                   "model: {path: " + (m_inputs / "model").string() +
                       "}\ninput: {sequence_length: 4}\ncapture: {tensors: full}\ndevice: cpu\n"
                       "variants:\n  bf16: {precision.compute_dtype: bfloat16}\n");
  }

  static Ended command(const std::vector<std::string>& words) {
    std::ostringstream out;
    std::ostringstream err;
    cli::CommandContext context{
        .out = out, .err = err, .openEngine = []() -> Result<std::shared_ptr<engine::Engine>> {
          return std::make_shared<FakeEngine>();
        }};
    std::vector<const char*> arguments{"ulpscope-cli"};
    for (const std::string& word : words) {
      arguments.push_back(word.c_str());
    }
    const auto code =
        cli::runCommandLine(static_cast<int>(arguments.size()), arguments.data(), context);
    return {static_cast<int>(code), err.str()};
  }

  [[nodiscard]] Ended study(const std::filesystem::path& out,
                            const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{
        "run", (m_inputs / "study.yaml").string(), "--output", out.string()};
    words.insert(words.end(), more.begin(), more.end());
    return command(words);
  }

  /// A run folder to export and compare.
  [[nodiscard]] std::filesystem::path finishedRun() const {
    auto folder = m_inputs / "finished";
    if (!std::filesystem::exists(folder)) {
      EXPECT_EQ(study(folder).code, 0);
    }
    return folder;
  }

  /// The tensors of one run of it as a dump, which is quicker to read.
  [[nodiscard]] std::filesystem::path dumpOf(const std::string& run) const {
    auto folder = m_inputs / ("dump_of_" + run);
    const Ended ended = command({"export",
                                 finishedRun().string(),
                                 folder.string(),
                                 "--to",
                                 "npy",
                                 "--quiet",
                                 "--run",
                                 run,
                                 "--match",
                                 "norm"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return folder;
  }

  /// What a report says but for times.
  static std::string valuesOf(report::Report report) {
    report.provenance = {};
    for (report::Run& run : report.runs) {
      run.seconds = 0;
      run.peakBytes = 0;
    }
    return report::toJson(report);
  }

  static std::vector<std::string> leftoversIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().filename().string().ends_with(kUnfinishedSuffix)) {
        names.push_back(entry.path().string());
      }
    }
    return names;
  }

  TempDir m_inputs;
};

}  // namespace ulp::test
