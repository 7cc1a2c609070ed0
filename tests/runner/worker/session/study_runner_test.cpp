#include "runner/worker/session/study_runner.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <new>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/files/atomic_file.h"
#include "core/report/model/finding.h"
#include "core/tensors/store/capture_reader.h"
#include "tests/runner/worker/session/study_runner_fixture.h"
#include "tests/support/machine/without_rights.h"

namespace ulp::worker {
namespace {

TEST_F(StudyRunnerTest, RunsTheReferenceAndComparesEveryVariant) {
  const auto result = run(study());
  ASSERT_TRUE(result) << result.error().message();
  const report::Report& report = **result;
  ASSERT_EQ(report.runs.size(), 4U);
  EXPECT_TRUE(report.runs[0].comparisons.empty());
  for (const report::Run& each : report.runs) {
    EXPECT_EQ(each.status, RunStatus::Finished) << each.name;
  }
  // embeddings, 3 x (down_proj, decoder), norm, logits; loss; the same backward without
  // embeddings; 3 parameters
  EXPECT_EQ(report.runs[1].comparisons.size(), 9U + 1U + 8U + 3U);
  EXPECT_EQ(report.runs[1].comparisons[9].site.name, "loss");
  EXPECT_GT(report.runs[1].comparisons[0].metrics.at(
                static_cast<std::size_t>(report.metricIndex("rms_diff"))),
            0);
  EXPECT_EQ(m_engine.log()->runs, 4);
  EXPECT_EQ(m_engine.log()->opened, 1);
}

TEST_F(StudyRunnerTest, TheReportCountsClipDecisionsThatDifferFromTheReferences) {
  ASSERT_TRUE(run(study({"loss.type=gspo", "input.documents=[2, 4]"})));
  const auto report = saved();
  const report::StepSummary& reference = report->runs[0].step;
  EXPECT_EQ(reference.labels, 5U);
  EXPECT_EQ(reference.documents, 2U);
  ASSERT_EQ(reference.terms.size(), 1U);
  EXPECT_EQ(reference.terms[0].type, "gspo");
  ASSERT_TRUE(reference.terms[0].clips);
  EXPECT_FALSE(reference.terms[0].clips->flips);
  const report::ClipSummary& bf16 = *report->runs[1].step.terms.at(0).clips;
  EXPECT_EQ(bf16.unit, "document");
  EXPECT_EQ(bf16.count, 2U);
  EXPECT_EQ(bf16.above, 1U);
  EXPECT_EQ(bf16.flips, 1U);
  EXPECT_EQ(bf16.gradientFlips, 1U);
}

TEST_F(StudyRunnerTest, EveryVariantSeesTheOldLogProbabilitiesOfTheReference) {
  ASSERT_TRUE(run(study({"loss.type=grpo", "loss.old_noise=0"})));
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_TRUE(requests[0].microBatches.back().policy.oldIsOwn);
  for (std::size_t i = 1; i < requests.size(); ++i) {
    EXPECT_FALSE(requests[i].microBatches.back().policy.oldIsOwn);
    EXPECT_EQ(requests[i].microBatches.back().policy.oldLogProbabilities,
              (std::vector<float>{0, -0.5F, -1, -1.5F, -2, -2.5F}));
    EXPECT_EQ(requests[i].microBatches.back().policy.advantages,
              requests[0].microBatches.back().policy.advantages);
  }
}

TEST_F(StudyRunnerTest, AStepOfSeveralMicroBatchesRunsThemTogether) {
  ASSERT_TRUE(run(study({"schedule.docs_per_step=5", "input.documents=[3, 3]"})));
  const auto& request = m_engine.log()->requests.front();
  EXPECT_EQ(request.microBatches.size(), 3U);
  const auto report = saved();
  EXPECT_EQ(report->runs[1].step.documents, 6U);
  EXPECT_EQ(report->runs[1].step.microBatches, 3U);
}

TEST_F(StudyRunnerTest, MicroBatchesOfOneSequenceCompareAsOneMicroBatchOfThemAll) {
  ASSERT_TRUE(run(study({"input.micro_batch_size=3"})));
  const auto together = saved();
  ASSERT_TRUE(run(study({"schedule.micro_batches=3"}), {.existing = ExistingResults::Overwrite}));
  const auto apart = saved();
  const auto& expected = together->runs[1].comparisons;
  const auto& rows = apart->runs[1].comparisons;
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (isOfParameters(rows[i].site.pass) || rows[i].site.name == "loss") {
      continue;
    }
    EXPECT_EQ(rows[i].count, expected[i].count);
    EXPECT_EQ(rows[i].shape.at(0), 1);
    for (std::size_t metric = 0; metric < rows[i].metrics.size(); ++metric) {
      EXPECT_NEAR(rows[i].metrics[metric],
                  expected[i].metrics[metric],
                  1e-12 * std::abs(expected[i].metrics[metric]))
          << rows[i].site.name << ' ' << apart->metrics[metric].id;
    }
  }
}

TEST_F(StudyRunnerTest, AForwardPassAloneMakesNoBackwardRows) {
  ASSERT_TRUE(run(study({"capture.backward=false"})));
  EXPECT_FALSE(m_engine.log()->requests.front().backward);
  const auto report = saved();
  EXPECT_EQ(report->runs[1].comparisons.size(), 10U);
  for (const report::Comparison& row : report->runs[1].comparisons) {
    EXPECT_EQ(row.site.pass, Pass::Forward);
  }
}

TEST_F(StudyRunnerTest, EveryRunTakesTheStepOfTheOptimizerInItsOwnFormat) {
  ASSERT_TRUE(run(study({"optimizer.type=adamw", "optimizer.epsilon=1e-6"},
                        "\nvariants:\n  a: {precision.optimizer_dtype: float16}\n")));
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 2U);
  for (const engine::RunRequest& request : requests) {
    EXPECT_EQ(request.optimizer,
              (engine::OptimizerPlan{.type = engine::OptimizerPlan::Type::AdamW, .epsilon = 1e-6}));
  }
  EXPECT_EQ(requests[1].plan.formats[numerics::Operation::Optimizer],
            numerics::NumberFormat::Float16);
}

TEST_F(StudyRunnerTest, AMistakeInTheLastVariantIsFoundBeforeTheFirstRun) {
  const auto refuseFloat16 = [](ErrorCode code) {
    return [code](const engine::PrecisionPlan& plan) -> Result<> {
      if (plan.formats[numerics::Operation::Compute] == numerics::NumberFormat::Float16) {
        return fail(code, "precision.rules[0]: 'x' matches no module of the model");
      }
      return {};
    };
  };
  m_engine.config().onCheck = refuseFloat16(ErrorCode::InvalidArgument);
  const auto refused = run(study());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(),
            "fp16: precision.rules[0]: 'x' matches no module of the model");
  EXPECT_EQ(m_engine.log()->runs, 0);
  // A variant that was not asked for does no harm, nor does one that only its own run can show.
  ASSERT_TRUE(run(study(), {.variants = {"bf16"}}));
  m_engine.config().onCheck = refuseFloat16(ErrorCode::Unsupported);
  EXPECT_TRUE(run(study(), {.existing = ExistingResults::Overwrite}));
}

TEST_F(StudyRunnerTest, TheSavedReportSaysWhatRan) {
  ASSERT_TRUE(run(study({"capture.level=layer"})));
  const auto report = saved();
  EXPECT_EQ(report->provenance.torchVersion, "2.11.0-fake");
  EXPECT_EQ(report->provenance.device, "cpu (Fake CPU)");
  EXPECT_EQ(report->provenance.threads, 2);
  EXPECT_EQ(report->provenance.weightsDigest, "fake-weights");
  EXPECT_EQ(report->provenance.tokenDigest.size(), 64U);
  EXPECT_EQ(report->provenance.sequences, 1U);
  EXPECT_EQ(report->provenance.sequenceLength, 5U);
  EXPECT_FALSE(report->provenance.startedAt.empty());
  EXPECT_GT(report->provenance.seconds, 0);
  EXPECT_EQ(report->model.layers, 3);
  const auto effective = nlohmann::json::parse(report->effectiveJson);
  EXPECT_EQ(effective["bf16"]["precision.residual_dtype"]["value"], "bfloat16");
  EXPECT_EQ(effective["bf16"]["capture.level"]["value"], "layer");
  EXPECT_NE(report->studyYaml.find("# --set capture.level=layer"), std::string::npos);
  EXPECT_EQ(*readTextFile(out() / "study.yaml"), report->studyYaml);
}

TEST_F(StudyRunnerTest, TheReportSaysHowFarLogProbabilitiesAreFromTheReferences) {
  ASSERT_TRUE(run(study()));
  const auto report = saved();
  EXPECT_FALSE(report->findRun("reference")->logProbabilities);
  const auto& error = report->findRun("bf16")->logProbabilities;
  ASSERT_TRUE(error);
  EXPECT_EQ(error->tokens, 5U);
  EXPECT_EQ(error->rms, 0) << "the engine of the tests gives all runs the same";
  EXPECT_EQ(error->positions, 5U);
}

TEST_F(StudyRunnerTest, ConclusionsAreInEveryReportThatIsWritten) {
  RunOptions options;
  std::vector<std::size_t> finished;
  options.conclude = [&finished](report::Report& report) {
    finished.push_back(static_cast<std::size_t>(
        std::count_if(report.runs.begin(), report.runs.end(), [](const report::Run& each) {
          return each.status == RunStatus::Finished;
        })));
    report::setFindings(report, {{.rule = "seen"}});
  };
  ASSERT_TRUE(run(study(), options));
  EXPECT_GE(finished.size(), 4U) << "after every run";
  EXPECT_EQ(finished.back(), 4U);
  const auto findings = report::readFindings(*saved());
  ASSERT_TRUE(findings.has_value());
  ASSERT_EQ(findings->size(), 1U);
  EXPECT_EQ(findings->front().rule, "seen");
}

TEST_F(StudyRunnerTest, TellsItsObserverInOrder) {
  ASSERT_TRUE(run(study()));
  EXPECT_EQ(events<StudyStarted>().size(), 1U);
  EXPECT_TRUE(std::holds_alternative<StudyStarted>(m_events.front()));
  EXPECT_EQ(events<StudyStarted>()[0].runs,
            (std::vector<std::string>{"reference", "bf16", "bf16_fp32_head", "fp16"}));
  ASSERT_EQ(events<RunStarted>().size(), 4U);
  EXPECT_EQ(events<RunStarted>()[2].run, "bf16_fp32_head");
  EXPECT_EQ(events<RunStarted>()[2].index, 2);
  EXPECT_EQ(events<RunStarted>()[2].total, 4);
  EXPECT_EQ(events<RunFinished>().size(), 4U);
  EXPECT_EQ(events<ReportUpdated>().size(), 4U);
  ASSERT_TRUE(std::holds_alternative<StudyFinished>(m_events.back()));
  const auto& finished = std::get<StudyFinished>(m_events.back());
  EXPECT_EQ(finished.status, "finished");
  EXPECT_EQ(finished.report, (out() / "precision_report.json").string());
}

TEST_F(StudyRunnerTest, TheReportHoldsARunBeforeItsEventIsSent) {
  const study::Study what = study();
  const auto result = runStudy(
      what,
      {},
      m_engine,
      [this](const Event& event) {
        if (const auto* finished = std::get_if<RunFinished>(&event)) {
          EXPECT_EQ(statusOf(*saved(), finished->run), RunStatus::Finished);
        }
      },
      m_stop.get_token());
  EXPECT_TRUE(result);
}

TEST_F(StudyRunnerTest, TheJournalHoldsEveryEventButProgress) {
  ASSERT_TRUE(run(study()));
  std::ifstream journal(out() / "events.jsonl");
  std::vector<std::size_t> kinds;
  for (std::string line; std::getline(journal, line);) {
    const auto event = parseEvent(line);
    ASSERT_TRUE(event) << line;
    kinds.push_back(event->index());
  }
  std::vector<std::size_t> sent;
  for (const Event& event : m_events) {
    if (!std::holds_alternative<Progress>(event)) {
      sent.push_back(event.index());
    }
  }
  EXPECT_EQ(kinds, sent);
  EXPECT_NE(readTextFile(out() / "run.log")->find("bf16 finished"), std::string::npos);
}

TEST_F(StudyRunnerTest, NothingOfAVariantIsKept) {
  ASSERT_TRUE(run(study()));
  const int sites = 9 + 8 + 3;
  EXPECT_EQ(m_engine.log()->mostLiveCaptures, sites + 1);
  EXPECT_EQ(m_engine.log()->liveCaptures.load(), 0);
}

TEST_F(StudyRunnerTest, CapturesOnlyTheSitesThatAreIncluded) {
  const auto result = run(study({"capture.include=[decoder]", "capture.exclude=[decoder.1]"}));
  ASSERT_TRUE(result) << result.error().message();
  std::vector<std::string> names;
  for (const auto& row : (*result)->runs[1].comparisons) {
    names.push_back(row.site.name);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"decoder.0", "decoder.2", "loss", "decoder.2", "decoder.0"}));
}

TEST_F(StudyRunnerTest, KeepsTensorsOfEveryRunWhenAsked) {
  ASSERT_TRUE(run(study({"capture.tensors=full", "capture.level=layer"})));
  const auto reader = tensors::CaptureReader::open(out());
  ASSERT_TRUE(reader) << reader.error().message();
  std::map<std::string, int> stored;
  for (const auto& capture : (*reader)->captures()) {
    ++stored[capture.run];
  }
  EXPECT_EQ(stored.size(), 4U);
  EXPECT_EQ(stored["reference"], stored["bf16"]);
  EXPECT_GT(stored["reference"], 10);
}

TEST_F(StudyRunnerTest, TwoRunsOfAStudyGiveTheSameComparisonsByteForByte) {
  ASSERT_TRUE(run(study()));
  const auto first = nlohmann::ordered_json::parse(*readTextFile(out() / "precision_report.json"));
  ASSERT_TRUE(run(study(), {.outputDir = m_folder / "again"}));
  const auto second =
      nlohmann::ordered_json::parse(*readTextFile(m_folder / "again" / "precision_report.json"));
  EXPECT_EQ(first["comparisons"].dump(), second["comparisons"].dump());
  EXPECT_GT(first["comparisons"].dump().size(), 1000U);
}

TEST_F(StudyRunnerTest, RefusesAFolderWithResults) {
  ASSERT_TRUE(run(study()));
  const std::string before = *readTextFile(out() / "precision_report.json");
  const auto again = run(study());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(*readTextFile(out() / "precision_report.json"), before);
  EXPECT_EQ(m_engine.log()->runs, 4);
  EXPECT_EQ(std::get<StudyFinished>(m_events.back()).status, "failed");
}

TEST_F(StudyRunnerTest, OverwritesWhatUlpscopeMadeAndNothingElse) {
  ASSERT_TRUE(run(study()));
  std::ofstream(out() / "notes.txt") << "mine";
  const auto again = run(study({}, "\nvariants: {only: {precision.compute_dtype: bfloat16}}\n"),
                         {.existing = ExistingResults::Overwrite});
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(saved()->runs.size(), 2U);
  EXPECT_TRUE(fs::exists(out() / "notes.txt"));
  EXPECT_EQ(readTextFile(out() / "run.log")->find("fp16"), std::string::npos);
}

TEST_F(StudyRunnerTest, AStudyThatCannotStartOverwritesNothing) {
  ASSERT_TRUE(run(study()));
  m_engine.config().openError = Error(ErrorCode::CorruptData, "model.safetensors: truncated");
  const auto again = run(study(), {.existing = ExistingResults::Overwrite});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::CorruptData);
  EXPECT_EQ(saved()->runs.size(), 4U);
}

TEST_F(StudyRunnerTest, AStudyThatCannotStartLeavesNoFolder) {
  m_engine.config().openError = Error(ErrorCode::CorruptData, "model.safetensors: truncated");
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "model.safetensors: truncated");
  EXPECT_FALSE(fs::exists(out()));
}

/// The study could run, whatever was impossible for a variant.
TEST_F(StudyRunnerTest, AVariantThatFailsIsNoStudyThatIsRefused) {
  for (const ErrorCode code :
       {ErrorCode::Unsupported, ErrorCode::InvalidArgument, ErrorCode::NotFound}) {
    m_engine.config().runErrors.clear();
    m_engine.config().runErrors.emplace(m_engine.log()->runs + 1, Error(code, "it cannot"));
    const auto result = run(study(), {.existing = ExistingResults::Overwrite});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code(), ErrorCode::RunFailed);
    EXPECT_EQ(saved()->findRun("bf16")->errorCode, code);
    EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Failed);
  }
}

TEST_F(StudyRunnerTest, AFailedVariantIsRecordedAndTheNextGoesOn) {
  m_engine.config().runErrors.emplace(1, Error(ErrorCode::OutOfMemory, "no 4 GiB left"));
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::OutOfMemory);
  EXPECT_NE(result.error().message().find("1 of 3 variants failed"), std::string::npos);
  EXPECT_NE(result.error().message().find("bf16: no 4 GiB left"), std::string::npos);
  const auto report = saved();
  EXPECT_EQ(statusOf(*report, "bf16"), RunStatus::Failed);
  EXPECT_EQ(report->findRun("bf16")->error, "bf16: no 4 GiB left");
  EXPECT_EQ(statusOf(*report, "bf16_fp32_head"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*report, "fp16"), RunStatus::Finished);
  EXPECT_EQ(events<RunFinished>()[1].status, "failed");
  EXPECT_EQ(events<RunFinished>()[1].errorCode, "out of memory");
  EXPECT_EQ(std::get<StudyFinished>(m_events.back()).errorCode, "out of memory");
}

TEST_F(StudyRunnerTest, AFailedReferenceEndsTheStudy) {
  m_engine.config().runErrors.emplace(0, Error(ErrorCode::Device, "no kernel image"));
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Device);
  EXPECT_EQ(m_engine.log()->runs, 1);
  EXPECT_EQ(statusOf(*saved(), "reference"), RunStatus::Failed);
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Pending);
}

TEST_F(StudyRunnerTest, StoppingKeepsWhatIsFinished) {
  m_engine.config().onSite = [this](int index, const Site& site) {
    if (index == 2 && site.name == "norm") {
      m_stop.request_stop();
    }
  };
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Cancelled);
  const auto report = saved();
  EXPECT_EQ(statusOf(*report, "reference"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*report, "bf16"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*report, "bf16_fp32_head"), RunStatus::Cancelled);
  EXPECT_EQ(statusOf(*report, "fp16"), RunStatus::Pending);
  EXPECT_EQ(m_engine.log()->runs, 3);
  EXPECT_EQ(std::get<StudyFinished>(m_events.back()).status, "cancelled");
}

TEST_F(StudyRunnerTest, StoppingBeforeTheFirstRunLeavesNothing) {
  m_stop.request_stop();
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Cancelled);
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(StudyRunnerTest, ResumingRunsOnlyWhatIsMissing) {
  m_engine.config().runErrors.emplace(2, Error(ErrorCode::OutOfMemory, "full"));
  ASSERT_FALSE(run(study()));
  const std::string before = nlohmann::ordered_json::parse(*readTextFile(
      out() / "precision_report.json"))["comparisons"]["bf16"]
                                 .dump();
  m_engine.config().runErrors.clear();
  const auto resumed = run(study(), {.existing = ExistingResults::Resume});
  ASSERT_TRUE(resumed) << resumed.error().message();
  // Four runs, then the reference again and the one that had failed.
  ASSERT_EQ(m_engine.log()->runs, 6);
  EXPECT_EQ(m_engine.log()->requests[5].plan.formats[numerics::Operation::LmHead],
            numerics::NumberFormat::Float32);
  EXPECT_TRUE(events<StudyStarted>()[0].resumed);
  EXPECT_EQ(events<RunStarted>()[0].total, 2);
  const auto report = saved();
  for (const report::Run& each : report->runs) {
    EXPECT_EQ(each.status, RunStatus::Finished) << each.name;
  }
  EXPECT_EQ(nlohmann::ordered_json::parse(
                *readTextFile(out() / "precision_report.json"))["comparisons"]["bf16"]
                .dump(),
            before);
}

TEST_F(StudyRunnerTest, ResumingAFinishedStudyRunsNothing) {
  ASSERT_TRUE(run(study()));
  const auto resumed = run(study(), {.existing = ExistingResults::Resume});
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(m_engine.log()->runs, 4);
  EXPECT_EQ((*resumed)->runs.size(), 4U);
  EXPECT_EQ(std::get<StudyFinished>(m_events.back()).status, "finished");
}

TEST_F(StudyRunnerTest, ResumingAnEmptyFolderStarts) {
  const auto result = run(study(), {.existing = ExistingResults::Resume});
  EXPECT_TRUE(result) << result.error().message();
  EXPECT_FALSE(events<StudyStarted>()[0].resumed);
}

TEST_F(StudyRunnerTest, ResumingAnotherStudyIsRefused) {
  ASSERT_TRUE(run(study()));
  const RunOptions resume{.existing = ExistingResults::Resume};
  const auto otherSetting = run(study({"input.seed=5"}), resume);
  ASSERT_FALSE(otherSetting);
  EXPECT_EQ(otherSetting.error().code(), ErrorCode::InvalidArgument);
  EXPECT_NE(otherSetting.error().message().find("input.seed was 0, is now 5"), std::string::npos)
      << otherSetting.error().message();
  EXPECT_NE(otherSetting.error().message().find("token digest"), std::string::npos);
  m_engine.config().weightsDigest = "other-weights";
  const auto otherWeights = run(study(), resume);
  ASSERT_FALSE(otherWeights);
  EXPECT_NE(otherWeights.error().message().find("other-weights"), std::string::npos);
  EXPECT_EQ(m_engine.log()->runs, 4);
}

TEST_F(StudyRunnerTest, WeightsWithoutADigestEndTheStudyWithTheReason) {
  m_engine.config().weightsDigest =
      fail(ErrorCode::CorruptData, "model.gguf: the file was changed while it was open");
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::CorruptData);
  EXPECT_NE(result.error().message().find("model.gguf: the file was changed"), std::string::npos);
  EXPECT_EQ(m_engine.log()->runs, 0);
}

TEST_F(StudyRunnerTest, ResumingIsRefusedWhenTheReferenceComesOutOtherwise) {
  const RunOptions first{.variants = {"bf16"}};
  ASSERT_TRUE(run(study(), first));
  m_engine.config().lossShift = 1e-15;
  const auto resumed = run(study(), {.existing = ExistingResults::Resume});
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code(), ErrorCode::InvalidArgument);
  EXPECT_NE(resumed.error().message().find("loss"), std::string::npos);
  EXPECT_EQ(statusOf(*saved(), "reference"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Finished);
}

TEST_F(StudyRunnerTest, RunsTheNamedVariantsAndLaterTheOthers) {
  ASSERT_TRUE(run(study(), {.variants = {"fp16"}}));
  EXPECT_EQ(saved()->runs.size(), 2U);
  ASSERT_TRUE(run(study(), {.variants = {"bf16"}, .existing = ExistingResults::Resume}));
  const auto report = saved();
  ASSERT_EQ(report->runs.size(), 3U);
  EXPECT_EQ(report->runs[1].name, "bf16") << "in the order of the study";
  EXPECT_EQ(report->runs[2].name, "fp16");
}

TEST_F(StudyRunnerTest, AFullDiskIsNamedAndFinishedRunsStayReadable) {
  std::optional<test::FullDisk> disk;
  m_engine.config().onSite = [&disk](int index, const Site& site) {
    if (index == 2 && site.name == "logits") {
      // Room for all but the report.
      disk.emplace(20'000);
    }
  };
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Io);
  EXPECT_NE(result.error().message().find("precision_report.json"), std::string::npos)
      << result.error().message();
  EXPECT_EQ(m_engine.log()->runs, 3) << "no run after one that cannot be recorded";
  EXPECT_EQ(events<RunFinished>().back().status, "failed");
  EXPECT_NE(events<RunFinished>().back().error.find("precision_report.json"), std::string::npos);
  const auto report = saved();
  EXPECT_EQ(statusOf(*report, "bf16"), RunStatus::Finished);
  EXPECT_NE(statusOf(*report, "bf16_fp32_head"), RunStatus::Finished);
}

TEST_F(StudyRunnerTest, ADeviceThatIsNotThereIsNamed) {
  const auto result = run(study(), {.device = "cuda"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::NotFound);
  EXPECT_NE(result.error().message().find("cuda"), std::string::npos);
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(StudyRunnerTest, OptionsWinOverTheStudy) {
  ASSERT_TRUE(run(study(), {.outputDir = m_folder / "there", .device = "cpu", .threads = 1}));
  EXPECT_TRUE(fs::exists(m_folder / "there" / "precision_report.json"));
  EXPECT_FALSE(fs::exists(out()));
  EXPECT_EQ(m_engine.log()->threads, 1);
}

TEST_F(StudyRunnerTest, ProgressGrowsToTheEndWithoutFalling) {
  m_engine.config().siteDelay = std::chrono::milliseconds(8);
  ASSERT_TRUE(run(study()));
  const auto progress = events<Progress>();
  ASSERT_GT(progress.size(), 4U);
  double before = 0;
  for (const Progress& each : progress) {
    EXPECT_GE(each.fraction, before);
    EXPECT_LE(each.fraction, 1);
    before = each.fraction;
  }
  EXPECT_GT(before, 0.8);
  EXPECT_TRUE(progress.back().etaSeconds);
  const double seconds = std::get<StudyFinished>(m_events.back()).seconds;
  EXPECT_LE(static_cast<double>(progress.size()), seconds * 20 + 2);
}

TEST_F(StudyRunnerTest, WarningsOfTheStudyAreTold) {
  study::Study what = study();
  what.warnings = {"model.seed: has no effect"};
  ASSERT_TRUE(run(what));
  const auto messages = events<Message>();
  EXPECT_TRUE(std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.level == "warning" && message.text == "model.seed: has no effect";
  }));
}

TEST_F(StudyRunnerTest, AVariantThatThrowsFailsAndTheOthersAreFinished) {
  m_engine.config().onSite = [](int run, const Site& /*site*/) {
    if (run == 1) {
      throw std::bad_alloc();
    }
  };
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::OutOfMemory);
  const auto report = saved();
  EXPECT_EQ(report->findRun("bf16")->error,
            "bf16: the run: there is not enough memory; close other programs, or open less at a "
            "time");
  EXPECT_EQ(statusOf(*report, "bf16"), RunStatus::Failed);
  for (const char* name : {"reference", "bf16_fp32_head", "fp16"}) {
    EXPECT_EQ(statusOf(*report, name), RunStatus::Finished) << name;
  }
  EXPECT_EQ(events<StudyFinished>().back().errorCode, "out of memory");
}

TEST_F(StudyRunnerTest, WhatThrowsBetweenRunsEndsTheStudyAndKeepsWhatIsFinished) {
  bool hasThrown = false;
  std::vector<StudyFinished> ends;
  const auto result = runStudy(
      study(),
      {},
      m_engine,
      [&](const Event& event) {
        const auto* finished = std::get_if<RunFinished>(&event);
        if (finished != nullptr && finished->run == "bf16" && !hasThrown) {
          hasThrown = true;
          throw std::out_of_range("no place 7");
        }
        if (const auto* end = std::get_if<StudyFinished>(&event)) {
          ends.push_back(*end);
        }
      },
      m_stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "the study: no place 7");
  EXPECT_EQ(statusOf(*saved(), "reference"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*saved(), "fp16"), RunStatus::Pending);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].status, "failed");
}

}  // namespace
}  // namespace ulp::worker
