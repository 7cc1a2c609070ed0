#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/files/atomic_file.h"
#include "core/tensors/store/capture_reader.h"
#include "runner/worker/session/skip_requests.h"
#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

using testing::HasSubstr;

/// Studies of several samples; numbered runs of the engine go sample by sample: reference, bf16,
/// bf16_fp32_head, fp16, reference, …
class SamplesTest : public StudyRunnerTest {
 protected:
  /// The study of one sample that has the tokens of sample `index` alone.
  report::ReportPtr single(const std::string& index, const std::vector<std::int64_t>& ids) {
    nlohmann::json rows = nlohmann::json::array();
    rows.push_back(ids);
    m_folder.write("ids" + index + ".json", rows.dump());
    const auto result = run(study({"input.source=tokens",
                                   "input.path=" + (m_folder / ("ids" + index + ".json")).string(),
                                   "output_dir=" + (m_folder / ("single" + index)).string()}));
    EXPECT_TRUE(result) << result.error().message();
    return result ? *result : nullptr;
  }

  std::string comparisons() const {
    return nlohmann::ordered_json::parse(
               *readTextFile(out() / "precision_report.json"))["comparisons"]
        .dump();
  }

  std::string ofRun(const std::string& run, const std::string& field) const {
    return nlohmann::ordered_json::parse(
               *readTextFile(out() / "precision_report.json"))["runs"][run][field]
        .dump();
  }

  RunOptions m_resume{.existing = ExistingResults::Resume};
};

TEST_F(SamplesTest, AreMeansOfSingleStudiesOfTheirTokens) {
  const auto result = run(study({"input.sequences=4"}));
  ASSERT_TRUE(result) << result.error().message();
  const report::Run& many = (*result)->runs.at(1);
  EXPECT_EQ(many.samples, 4U);
  EXPECT_EQ(many.status, RunStatus::Finished);
  const auto ids = m_engine.randomTokens(100, 4, 5, 0)->ids;
  std::vector<report::ReportPtr> singles;
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    singles.push_back(single(std::to_string(i), {ids.begin() + i * 6, ids.begin() + i * 6 + 6}));
  }
  double loss = 0;
  for (const auto& each : singles) {
    loss += each->runs[1].loss / 4;
  }
  EXPECT_NEAR(many.loss, loss, 1e-15 * 8);
  for (std::size_t row = 0; row < many.comparisons.size(); ++row) {
    for (std::size_t metric = 0; metric < many.comparisons[row].metrics.size(); ++metric) {
      double mean = 0;
      double squares = 0;
      for (const auto& each : singles) {
        mean += each->runs[1].comparisons[row].metrics[metric] / 4;
      }
      for (const auto& each : singles) {
        squares += std::pow(each->runs[1].comparisons[row].metrics[metric] - mean, 2);
      }
      if (!std::isfinite(mean)) {
        continue;  // below, where they are counted
      }
      EXPECT_NEAR(many.comparisons[row].metrics[metric], mean, std::abs(mean) * 2e-15);
      EXPECT_NEAR(
          many.comparisons[row].spread[metric].sd, std::sqrt(squares / 3), std::abs(mean) * 1e-14);
    }
  }
}

TEST_F(SamplesTest, TheFirstIsWhatTheStudyOfOneGives) {
  ASSERT_TRUE(run(study()));
  const auto plain = m_engine.log()->requests.front().microBatches.back().ids;
  ASSERT_TRUE(run(study({"input.sequences=4"}), {.outputDir = m_folder / "many"}));
  EXPECT_EQ(m_engine.log()->requests[4].microBatches.back().ids, plain);
  EXPECT_NE(m_engine.log()->requests[8].microBatches.back().ids, plain);
}

TEST_F(SamplesTest, OneSampleGivesTheReportThatItGaveBefore) {
  ASSERT_TRUE(run(study()));
  const std::string before = comparisons();
  ASSERT_TRUE(run(study({"input.sequences=1"}), {.existing = ExistingResults::Overwrite}));
  EXPECT_EQ(comparisons(), before);
  const std::string json = *readTextFile(out() / "precision_report.json");
  EXPECT_EQ(json.find("\"spread\""), std::string::npos);
  EXPECT_EQ(json.find("\"samples\""), std::string::npos);
  EXPECT_FALSE(fs::exists(out() / "samples.h5"));
}

TEST_F(SamplesTest, AllRunsSeeASampleBeforeTheNextAndMemoryDoesNotGrow) {
  ASSERT_TRUE(run(study({"input.sequences=3"})));
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 12U);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(requests[i].microBatches.back().ids, requests[i / 4 * 4].microBatches.back().ids);
  }
  EXPECT_EQ(m_engine.log()->mostLiveCaptures, 9 + 8 + 3 + 1);
  EXPECT_EQ(m_engine.log()->liveCaptures.load(), 0);
}

TEST_F(SamplesTest, TheReportSaysHowMany) {
  ASSERT_TRUE(run(study({"input.sequences=6", "input.micro_batch_size=2"})));
  const auto report = saved();
  EXPECT_EQ(report->provenance.samples, 3U);
  EXPECT_EQ(report->provenance.sequences, 6U);
  EXPECT_EQ(report->provenance.sequenceLength, 5U);
  EXPECT_EQ(report->runs[0].samples, 3U);
  EXPECT_EQ(report->runs[1].step.labels, 30U);
  EXPECT_FALSE(std::isnan(report->runs[1].lossSpread.sd));
  EXPECT_FALSE(std::isnan(report->runs[1].comparisons[0].gainSpread.sd));
}

TEST_F(SamplesTest, AStepTakesItsMicroBatchesOutOfThem) {
  ASSERT_TRUE(run(study({"input.sequences=6", "schedule.micro_batches=3"}, "\nvariants: {}\n")));
  ASSERT_EQ(m_engine.log()->requests.size(), 2U);
  EXPECT_EQ(m_engine.log()->requests[1].microBatches.size(), 3U);
  const auto odd = run(study({"input.sequences=5", "schedule.micro_batches=3"}),
                       {.existing = ExistingResults::Overwrite});
  ASSERT_FALSE(odd);
  EXPECT_THAT(odd.error().message(), HasSubstr("input.sequences: 5, but a sample takes 3"));
}

TEST_F(SamplesTest, AFileWithTooFewSequencesIsRefused) {
  m_folder.write("ids.json", "[[1,2,3],[4,5,6],[7,8,9]]");
  const std::string source = "input.source=tokens";
  const std::string path = "input.path=" + (m_folder / "ids.json").string();
  const auto result = run(study(
      {source, path, "input.sequence_length=2", "input.sequences=4", "input.micro_batch_size=1"}));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("holds 3 sequences, but the study needs 4"));
  ASSERT_TRUE(run(study(
      {source, path, "input.sequence_length=2", "input.sequences=2", "input.micro_batch_size=1"})));
  EXPECT_EQ(saved()->provenance.samples, 2U);
  EXPECT_THAT(m_engine.log()->requests[4].microBatches.back().ids, testing::ElementsAre(4, 5, 6));
}

TEST_F(SamplesTest, PolicyLossesDrawAnewForEach) {
  ASSERT_TRUE(run(study({"input.sequences=2", "loss.type=grpo", "loss.seed=10"})));
  const auto& requests = m_engine.log()->requests;
  EXPECT_EQ(requests[0].microBatches.back().policy.advantages[0], 11);
  EXPECT_EQ(requests[4].microBatches.back().policy.advantages[0], 13);
  EXPECT_EQ(saved()->runs[1].step.terms[0].clips->count, 4U) << "two decisions on each";
}

TEST_F(SamplesTest, StoppingKeepsTheSamplesThatAreFinished) {
  m_engine.config().onSite = [this](int index, const Site& site) {
    if (index == 10 && site.name == "norm") {  // bf16_fp32_head on the third sample
      m_stop.request_stop();
    }
  };
  const auto result = run(study({"input.sequences=5"}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Cancelled);
  const auto report = saved();
  EXPECT_EQ(report->findRun("reference")->samples, 3U);
  EXPECT_EQ(report->findRun("bf16")->samples, 3U);
  EXPECT_EQ(report->findRun("bf16_fp32_head")->samples, 2U);
  EXPECT_EQ(report->findRun("fp16")->samples, 2U);
  for (const report::Run& each : report->runs) {
    EXPECT_EQ(each.status, RunStatus::Cancelled) << each.name;
  }
  EXPECT_EQ(report->findRun("fp16")->comparisons.size(), 21U);
  EXPECT_EQ(events<RunFinished>().size(), 4U);
}

TEST_F(SamplesTest, ResumingGoesOnWithTheMissingSamplesToTheBit) {
  ASSERT_TRUE(run(study({"input.sequences=5"})));
  const std::string whole = comparisons();
  const std::string losses = ofRun("bf16", "loss_spread");
  const std::string logProbabilities = ofRun("bf16", "log_probabilities");
  EXPECT_EQ(saved()->findRun("bf16")->logProbabilities->tokens, 25U);
  m_engine.config().onSite = [this](int index, const Site& site) {
    if (index == 30 && site.name == "norm") {
      m_stop.request_stop();
    }
  };
  ASSERT_FALSE(run(study({"input.sequences=5"}), {.existing = ExistingResults::Overwrite}));
  m_engine.config().onSite = {};
  m_stop = std::stop_source();
  const int before = m_engine.log()->runs;
  const auto resumed = run(study({"input.sequences=5"}), m_resume);
  ASSERT_TRUE(resumed) << resumed.error().message();
  // The third sample again for two runs and their reference, then two whole ones.
  EXPECT_EQ(m_engine.log()->runs - before, 3 + 4 + 4);
  EXPECT_EQ(comparisons(), whole);
  EXPECT_EQ(ofRun("bf16", "loss_spread"), losses);
  EXPECT_EQ(ofRun("bf16", "log_probabilities"), logProbabilities);
  EXPECT_EQ(saved()->findRun("fp16")->status, RunStatus::Finished);
  EXPECT_EQ(events<RunFinished>().size(), 4U);
}

TEST_F(SamplesTest, ALaterVariantIsComparedOnEverySample) {
  ASSERT_TRUE(run(study({"input.sequences=3"}), {.variants = {"bf16"}}));
  const auto resumed = run(study({"input.sequences=3"}),
                           {.variants = {"fp16"}, .existing = ExistingResults::Resume});
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(saved()->findRun("fp16")->samples, 3U);
  EXPECT_EQ(saved()->findRun("bf16")->samples, 3U);
  EXPECT_EQ(saved()->findRun("reference")->samples, 3U);
  EXPECT_EQ(m_engine.log()->runs, 6 + 6);
}

TEST_F(SamplesTest, ResumingIsRefusedWhenASampleOfTheReferenceComesOutOtherwise) {
  ASSERT_TRUE(run(study({"input.sequences=3"}), {.variants = {"bf16"}}));
  m_engine.config().lossShift = 1e-15;
  const auto resumed = run(study({"input.sequences=3"}), m_resume);
  ASSERT_FALSE(resumed);
  EXPECT_THAT(resumed.error().message(), HasSubstr("the reference's loss is"));
  EXPECT_EQ(saved()->findRun("bf16")->samples, 3U);
  m_engine.config().lossShift = 0;
  const auto other = run(study({"input.sequences=4"}), m_resume);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("the token digest was"));
}

TEST_F(SamplesTest, AVariantThatFailsIsLeftOutOfTheNextSamples) {
  m_engine.config().runErrors.emplace(5, Error(ErrorCode::OutOfMemory, "no 4 GiB left"));
  const auto result = run(study({"input.sequences=3"}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::OutOfMemory);
  const auto report = saved();
  EXPECT_EQ(report->findRun("bf16")->status, RunStatus::Failed);
  EXPECT_EQ(report->findRun("bf16")->samples, 1U);
  EXPECT_EQ(report->findRun("bf16")->comparisons.size(), 21U);
  EXPECT_EQ(report->findRun("fp16")->samples, 3U);
  EXPECT_EQ(m_engine.log()->runs, 4 + 4 + 3);
  m_engine.config().runErrors.clear();
  ASSERT_TRUE(run(study({"input.sequences=3"}), m_resume));
  EXPECT_EQ(saved()->findRun("bf16")->samples, 3U);
}

TEST_F(SamplesTest, ASkippedVariantKeepsItsSamples) {
  auto skips = std::make_shared<SkipRequests>();
  m_engine.config().onSite = [&skips](int index, const Site& site) {
    if (index == 6 && site.name == "norm") {
      skips->ask("bf16");
    }
  };
  const auto result = run(study({"input.sequences=3"}), {.skips = skips});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(saved()->findRun("bf16")->status, RunStatus::Skipped);
  EXPECT_EQ(saved()->findRun("bf16")->samples, 2U);
  EXPECT_EQ(m_engine.log()->runs, 4 + 4 + 3);
}

TEST_F(SamplesTest, EventsCountRunsOnSamples) {
  ASSERT_TRUE(run(study({"input.sequences=2"})));
  const auto started = events<RunStarted>();
  ASSERT_EQ(started.size(), 8U);
  EXPECT_EQ(started[5].run, "bf16");
  EXPECT_EQ(started[5].index, 5);
  EXPECT_EQ(started[5].total, 8);
  EXPECT_EQ(started[5].sample, 1);
  EXPECT_EQ(started[5].samples, 2);
  EXPECT_EQ(events<RunFinished>().size(), 4U);
}

TEST_F(SamplesTest, TensorsAreThoseOfTheFirst) {
  ASSERT_TRUE(run(study({"input.sequences=2", "capture.tensors=full", "capture.level=layer"})));
  const auto many = tensors::CaptureReader::open(out());
  ASSERT_TRUE(many) << many.error().message();
  ASSERT_TRUE(
      run(study({"capture.tensors=full", "capture.level=layer"}), {.outputDir = m_folder / "one"}));
  const auto one = tensors::CaptureReader::open(m_folder / "one");
  ASSERT_EQ((*many)->captures().size(), (*one)->captures().size());
  for (std::size_t i = 0; i < (*one)->captures().size(); ++i) {
    const auto a = (*many)->read((*many)->captures()[i]);
    const auto b = (*one)->read((*one)->captures()[i]);
    EXPECT_EQ(numerics::elementAt(a->view, 3), numerics::elementAt(b->view, 3));
  }
}

}  // namespace
}  // namespace ulp::worker
