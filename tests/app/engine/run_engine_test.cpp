// `ulpscope-cli run` end to end with the real engine and a tiny model of random weights.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/files/atomic_file.h"
#include "core/report/model/report.h"
#include "core/tensors/store/capture_reader.h"
#include "tests/support/machine/child_process.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using report::RunStatus;

class RunEngineTest : public testing::Test {
 protected:
  test::ChildResult run(const std::vector<std::string>& arguments,
                        const fs::path& study = ULP_SOURCE_DIR "/configs/tiny_random.yaml") {
    std::vector<std::string> words{ULP_BINARY_DIR "/bin/ulpscope-cli",
                                   "run",
                                   study.string(),
                                   "--device",
                                   "cpu",
                                   "--output",
                                   out().string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    test::ChildProcess child(words, options());
    return child.wait();
  }

  static test::ChildOptions options() {
    return {.environment = {{"ULP_ENGINE_LIBRARY", ULP_BINARY_DIR "/lib/libulpscope_engine.so"}}};
  }

  fs::path out() const { return m_folder / m_name; }

  report::ReportPtr saved() const {
    const auto loaded = report::loadReport(out());
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded ? loaded->report : std::make_shared<const report::Report>();
  }

  std::string comparisons() const {
    return nlohmann::ordered_json::parse(
               *readTextFile(out() / "precision_report.json"))["comparisons"]
        .dump();
  }

  test::TempDir m_folder;
  std::string m_name = "out";
};

TEST_F(RunEngineTest, TheShippedStudyOfBatchesSaysOfEachWhetherItDependsOnThem) {
  const test::ChildResult result = run({}, ULP_SOURCE_DIR "/configs/batch_invariance.yaml");
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const auto report = saved();
  const auto equal = static_cast<std::size_t>(report->metricIndex("equal_fraction"));
  const auto rmsRel = static_cast<std::size_t>(report->metricIndex("rms_rel"));
  for (const report::Run& each : report->runs) {
    EXPECT_EQ(each.status, RunStatus::Finished) << each.name;
    EXPECT_NEAR(each.loss, report->runs[0].loss, 1e-3) << each.name;
    for (const report::Comparison& row : each.comparisons) {
      // A lookup and a table, which no kernel adds up.
      const bool isExact = each.name == "alone_again" ||
                           row.site.name.ends_with("rotary_emb.cos") ||
                           (row.site.name == "embeddings" && row.site.pass == Pass::Forward);
      EXPECT_LE(isExact ? 1 : 0, row.metrics[equal]) << each.name << ' ' << row.site.name;
      EXPECT_LT(row.metrics[rmsRel], 0.1) << each.name << ' ' << row.site.name;
    }
  }
  const auto sameRows = [&](std::string_view a, std::string_view b) {
    return std::ranges::equal(report->findRun(a)->comparisons,
                              report->findRun(b)->comparisons,
                              [&](const report::Comparison& x, const report::Comparison& y) {
                                return x.metrics[rmsRel] == y.metrics[rmsRel];
                              });
  };
  EXPECT_TRUE(sameRows("among_8", "others_of_8")) << "what the neighbours say reached a sequence";
  std::vector<std::string> told;
  const auto written = nlohmann::json::parse(*readTextFile(out() / "precision_report.json"));
  for (const nlohmann::json& finding : written["findings"]) {
    if (finding["rule"] == "batch_dependence") {
      const auto runs = finding["runs"].get<std::vector<std::string>>();
      told.insert(told.end(), runs.begin(), runs.end());
    }
  }
  std::ranges::sort(told);
  std::vector<std::string> batches;
  for (const report::Run& each : report->runs) {
    if (!each.overrides.empty() && each.name != report->reference) {
      batches.push_back(each.name);
    }
  }
  std::ranges::sort(batches);
  EXPECT_EQ(told, batches) << "each once";
}

TEST_F(RunEngineTest, TheShippedTinyStudyRuns) {
  const test::ChildResult result = run({});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const auto report = saved();
  ASSERT_EQ(report->runs.size(), 4U);
  EXPECT_EQ(report->model.family, "llama");
  EXPECT_EQ(report->model.layers, 4);
  // Random weights: the loss is near the logarithm of the vocabulary.
  EXPECT_NEAR(report->runs[0].loss, std::log(512.0), 0.2);
  for (const report::Run& each : report->runs) {
    EXPECT_EQ(each.status, RunStatus::Finished) << each.name;
  }
  const auto rmsRel = static_cast<std::size_t>(report->metricIndex("rms_rel"));
  for (const report::Comparison& row : report->runs[1].comparisons) {
    EXPECT_LT(row.metrics.at(rmsRel), 0.1) << row.site.name;
  }
  const auto reader = tensors::CaptureReader::open(out());
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_GT((*reader)->captures().size(), 4U * 50U);
}

TEST_F(RunEngineTest, TwoRunsGiveTheSameMetricsByteForByte) {
  ASSERT_EQ(run({"--set", "capture.tensors=none"}).exitCode, 0);
  const std::string first = comparisons();
  m_name = "again";
  ASSERT_EQ(run({"--set", "capture.tensors=none"}).exitCode, 0);
  EXPECT_EQ(first, comparisons());
  EXPECT_GT(first.size(), 10000U);
}

TEST_F(RunEngineTest, ResumingRunsOnlyTheMissingVariants) {
  ASSERT_EQ(run({"--variant", "bf16"}).exitCode, 0);
  const test::ChildResult resumed = run({"--resume"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("[1/3] reference"), std::string::npos) << resumed.err;
  EXPECT_EQ(saved()->runs.size(), 4U);
  const std::string inTwoParts = comparisons();
  m_name = "whole";
  ASSERT_EQ(run({}).exitCode, 0);
  EXPECT_EQ(inTwoParts, comparisons());
}

TEST_F(RunEngineTest, SamplesAreMeansOfSingleStudies) {
  const std::vector<std::string> rows{
      "[3, 77, 500, 12, 9]", "[1, 2, 3, 4, 5]", "[8, 8, 300, 7, 44]"};
  const std::vector<std::string> fixed{"--set",
                                       "input.source=tokens",
                                       "--set",
                                       "input.sequence_length=4",
                                       "--set",
                                       "input.micro_batch_size=1",
                                       "--set",
                                       "capture.tensors=none"};
  const auto runOn = [&](const std::string& ids, const std::string& sequences) {
    std::vector<std::string> arguments = fixed;
    const auto file = m_folder.write(m_name + ".json", ids);
    arguments.insert(arguments.end(), {"--set", "input.path=" + file.string()});
    arguments.insert(arguments.end(), {"--set", "input.sequences=" + sequences});
    const test::ChildResult result = run(arguments);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return saved();
  };
  const auto many = runOn("[" + rows[0] + "," + rows[1] + "," + rows[2] + "]", "3");
  std::vector<report::ReportPtr> singles;
  for (const std::string& row : rows) {
    m_name = "single" + std::to_string(singles.size());
    singles.push_back(runOn("[" + row + "]", "1"));
  }
  ASSERT_EQ(many->runs[1].samples, 3U);
  const auto rmsRel = static_cast<std::size_t>(many->metricIndex("rms_rel"));
  for (std::size_t row = 0; row < many->runs[1].comparisons.size(); ++row) {
    double mean = 0;
    for (const auto& single : singles) {
      mean += single->runs[1].comparisons.at(row).metrics.at(rmsRel) / 3;
    }
    EXPECT_NEAR(many->runs[1].comparisons[row].metrics[rmsRel], mean, mean * 1e-15);
  }
}

TEST_F(RunEngineTest, TheNoiseFloorIsFarBelowBfloat16) {
  const test::ChildResult result =
      run({"--set",
           "noise_floor=[repeat, float64, threads, attention, batch_order]",
           "--set",
           "input.micro_batch_size=2",
           "--set",
           "input.sequences=4",
           "--set",
           "capture.tensors=none",
           "--variant",
           "bf16"});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const auto report = saved();
  const auto rmsRel = static_cast<std::size_t>(report->metricIndex("rms_rel"));
  ASSERT_EQ(report->runs.size(), 7U);
  for (std::size_t i = 2; i < report->runs.size(); ++i) {
    const report::Run& floor = report->runs[i];
    EXPECT_EQ(floor.role, report::RunRole::Floor);
    EXPECT_EQ(floor.samples, 2U);
    for (std::size_t row = 0; row < floor.comparisons.size(); ++row) {
      EXPECT_LT(floor.comparisons[row].metrics[rmsRel], 1e-4)
          << floor.name << " " << floor.comparisons[row].site.name;
    }
  }
}

TEST_F(RunEngineTest, ResumingWithOtherTokensIsRefused) {
  ASSERT_EQ(run({"--variant", "bf16"}).exitCode, 0);
  const test::ChildResult resumed = run({"--resume", "--set", "input.seed=7"});
  EXPECT_EQ(resumed.exitCode, 2);
  EXPECT_NE(resumed.err.find("token digest"), std::string::npos) << resumed.err;
}

TEST_F(RunEngineTest, ATokenBeyondTheVocabularyIsNamedWithItsPlace) {
  const auto ids = m_folder.write("ids.json", "[[1, 2, 511, 512, 3]]");
  const auto study = m_folder.write("study.yaml",
                                    "model: {path: " ULP_SOURCE_DIR
                                    "/configs/architectures/tiny_llama, weights: random}\n"
                                    "input: {source: tokens, path: " +
                                        ids.string() +
                                        "}\n"
                                        "variants: {bf16: {precision.compute_dtype: bfloat16}}\n");
  const test::ChildResult result = run({}, study);
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_NE(result.err.find("ids.json: [0, 3]: token id 512"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(RunEngineTest, TruncatedWeightsAreNamed) {
  fs::copy(ULP_SOURCE_DIR "/configs/architectures/tiny_llama/config.json",
           m_folder.write("model/readme", "").parent_path());
  // A header that promises more than the file holds.
  std::string header =
      R"({"model.embed_tokens.weight":{"dtype":"F32","shape":[512,64],"data_offsets":[0,131072]}})";
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  m_folder.write("model/model.safetensors", file + header + std::string(100, 'x'));
  const auto study =
      m_folder.write("study.yaml",
                     "model: {path: " + (m_folder / "model").string() +
                         "}\nvariants: {bf16: {precision.compute_dtype: bfloat16}}\n");
  const test::ChildResult result = run({}, study);
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_NE(result.err.find("model.safetensors: tensor 'model.embed_tokens.weight': data_offsets "
                            "[0, 131072] do not lie within the 100 bytes"),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(RunEngineTest, AnUnknownKeyIsBadInput) {
  const test::ChildResult result = run({"--set", "precision.compute_dtyp=bfloat16"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_NE(result.err.find("precision.compute_dtype"), std::string::npos) << result.err;
}

TEST_F(RunEngineTest, CtrlCLeavesAReadableReport) {
  // Long enough to be met in the middle of it.
  test::ChildProcess child({ULP_BINARY_DIR "/bin/ulpscope-cli",
                            "run",
                            ULP_SOURCE_DIR "/configs/tiny_random.yaml",
                            "--device",
                            "cpu",
                            "--output",
                            out().string(),
                            "--set",
                            "input.sequence_length=800",
                            "--set",
                            "input.micro_batch_size=2",
                            "--set",
                            "capture.tensors=none"},
                           options());
  ASSERT_TRUE(child.waitForText("[2/4] bf16")) << child.err();
  child.signal(SIGINT);
  const test::ChildResult result = child.wait();
  EXPECT_EQ(result.exitCode, 130) << result.err;
  EXPECT_EQ(saved()->runs.at(0).status, RunStatus::Finished);
  EXPECT_NE(saved()->runs.back().status, RunStatus::Finished);
}

TEST_F(RunEngineTest, AKilledWorkerLeavesFinishedRunsReadable) {
  test::ChildProcess child({ULP_BINARY_DIR "/bin/ulpscope-cli",
                            "run",
                            ULP_SOURCE_DIR "/configs/tiny_random.yaml",
                            "--device",
                            "cpu",
                            "--output",
                            out().string(),
                            "--set",
                            "input.sequence_length=800"},
                           options());
  ASSERT_TRUE(child.waitForText("[3/4]")) << child.err();
  child.signal(SIGKILL);
  child.wait();
  EXPECT_EQ(saved()->runs.at(1).status, RunStatus::Finished);
  EXPECT_FALSE(saved()->runs.at(1).comparisons.empty());
  const auto reader = tensors::CaptureReader::open(out());
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_FALSE((*reader)->captures().empty());
}

}  // namespace
}  // namespace ulp::cli
