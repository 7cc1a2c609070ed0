#include "runner/worker/session/report_draft.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/numerics/metrics/metric.h"
#include "tests/support/data/long_json.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

constexpr const char* kStudy = R"(
model: {path: model}   # a comment
variants:
  bf16: {precision.compute_dtype: bfloat16}
  fp16: {precision.compute_dtype: float16}
)";

study::Study parsedStudy(const std::vector<std::string>& sets = {}) {
  return *study::parseStudy(kStudy, "study.yaml", sets);
}

report::Report draftOf(const std::vector<PlannedRun>& runs) {
  report::Report draft = makeDraft(runs);
  draft.provenance = {.ulpscopeVersion = "1",
                      .torchVersion = "2.11.0",
                      .device = "cpu",
                      .threads = 2,
                      .weightsDigest = "w",
                      .tokenDigest = "t",
                      .startedAt = "2026",
                      .seconds = 3};
  return draft;
}

TEST(MakeDraft, HoldsEveryRunPendingAndEveryMetric) {
  const auto runs = *planRuns(parsedStudy(), {});
  const report::Report draft = makeDraft(runs);
  EXPECT_EQ(draft.reference, "reference");
  ASSERT_EQ(draft.runs.size(), 3U);
  EXPECT_EQ(draft.runs[1].name, "bf16");
  EXPECT_EQ(draft.runs[1].status, report::RunStatus::Pending);
  EXPECT_TRUE(std::isnan(draft.runs[1].loss));
  EXPECT_EQ(draft.runs[1].overrides.at("precision.compute_dtype"), "bfloat16");
  EXPECT_EQ(draft.metrics.size(), numerics::elementMetrics().all().size());
}

TEST(VariantFailures, HaveTheCodeThatAllHaveWhereItIsNotOfTheVariants) {
  using enum ErrorCode;
  report::Report draft = draftOf(*planRuns(parsedStudy(), {}));
  const auto codeOf = [&draft](std::optional<ErrorCode> bf16, std::optional<ErrorCode> fp16) {
    draft.runs[1].errorCode = bf16;
    draft.runs[2].errorCode = fp16;
    return variantFailures(draft).error().code();
  };
  EXPECT_TRUE(variantFailures(draft));
  draft.runs[1].status = report::RunStatus::Failed;
  draft.runs[2].status = report::RunStatus::Failed;
  for (const ErrorCode code : {Io, OutOfMemory, Device, Internal}) {
    EXPECT_EQ(codeOf(code, code), code);
    EXPECT_EQ(codeOf(code, Unsupported), RunFailed);
    EXPECT_EQ(codeOf(code, std::nullopt), RunFailed);
  }
  EXPECT_EQ(codeOf(Unsupported, Unsupported), RunFailed);
  EXPECT_EQ(codeOf(std::nullopt, std::nullopt), RunFailed);
  EXPECT_EQ(codeOf(Device, OutOfMemory), RunFailed);
}

Result<> resumable(const report::Report& earlier,
                   const report::Report& now,
                   const std::vector<PlannedRun>& runs) {
  std::vector<std::string> differences;
  auto checked = checkResumable(earlier, now, runs, differences);
  EXPECT_TRUE(checked ? differences.empty()
                      : !differences.empty() || checked.error().code() == ErrorCode::CorruptData);
  return checked;
}

TEST(CheckResumable, NamesWhatOfTheDeviceHasChanged) {
  const auto runs = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(runs);
  earlier.provenance.deviceFacts = {{"cudnn", "9.19.0"}, {"CUBLAS_WORKSPACE_CONFIG", ":16:8"}};
  report::Report now = draftOf(runs);
  now.provenance.deviceFacts = {{"cudnn", "9.20.0"}, {"cublas", "13.1.0"}};
  const auto checked = resumable(earlier, now, runs);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message().find("CUBLAS_WORKSPACE_CONFIG was :16:8, is now not set; "
                                           "cudnn was 9.19.0, is now 9.20.0"),
            std::string::npos)
      << checked.error().message();
}

TEST(CheckResumable, AFunctionThatHasChangedIsNotWhatItWas) {
  const test::TempDir folder;
  const auto planned = [&folder](const std::string& code) {
    const auto file = folder.write("changes.py", code).string();
    return *planRuns(parsedStudy({"variants.bf16.python.prepare=" + file + ":halve"}), {});
  };
  const auto runs = planned("def halve(model): pass");
  report::Report earlier = makeDraft(runs);
  findRun(earlier, "bf16")->status = report::RunStatus::Failed;
  const auto changed = planned("def halve(model): model.halve()");
  EXPECT_TRUE(resumable(earlier, earlier, changed)) << "it runs again anyway";
  findRun(earlier, "bf16")->status = report::RunStatus::Finished;
  EXPECT_TRUE(resumable(earlier, earlier, runs));
  const auto refused = resumable(earlier, earlier, changed);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("bf16: the file of python.prepare: "),
            std::string::npos);
  // As earlier versions recorded it.
  std::vector<PlannedRun> old = runs;
  old[1].fileDigests.clear();
  earlier.effectiveJson = effectiveJson(old);
  EXPECT_TRUE(resumable(earlier, earlier, changed));
}

TEST(ChangedFiles, AreNamedByTheirKeyOnce) {
  const test::TempDir folder;
  const auto draftWith = [&folder](const std::string& code) {
    const auto file = folder.write("changes.py", code).string();
    const auto study = parsedStudy({"variants.bf16.python.prepare=" + file + ":halve",
                                    "variants.fp16.python.prepare=" + file + ":halve"});
    return makeDraft(*planRuns(study, {}));
  };
  const auto before = draftWith("def halve(model): pass");
  EXPECT_EQ(*changedFiles(before, before), std::set<std::string>());
  EXPECT_EQ(*changedFiles(before, draftWith("def halve(model): model.halve()")),
            std::set<std::string>{"python.prepare"});
}

TEST(AdoptSettledRuns, TakesOverWhatIsFinishedAndNothingElse) {
  const auto runs = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(runs);
  findRun(earlier, "bf16")->status = report::RunStatus::Finished;
  findRun(earlier, "bf16")->loss = 2;
  findRun(earlier, "fp16")->status = report::RunStatus::Failed;
  report::Report draft = makeDraft(runs);
  adoptSettledRuns(draft, earlier, false);
  EXPECT_EQ(findRun(draft, "bf16")->status, report::RunStatus::Finished);
  EXPECT_DOUBLE_EQ(findRun(draft, "bf16")->loss, 2);
  EXPECT_EQ(findRun(draft, "fp16")->status, report::RunStatus::Pending);
  EXPECT_EQ(draft.provenance.startedAt, "2026");
}

TEST(AdoptSettledRuns, ASkippedVariantStaysSkippedUnlessItIsNamed) {
  const auto runs = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(runs);
  findRun(earlier, "bf16")->status = report::RunStatus::Skipped;
  report::Report draft = makeDraft(runs);
  adoptSettledRuns(draft, earlier, false);
  reviveNamedRuns(draft, {"fp16"});
  EXPECT_EQ(findRun(draft, "bf16")->status, report::RunStatus::Skipped);
  reviveNamedRuns(draft, {"bf16"});
  EXPECT_EQ(findRun(draft, "bf16")->status, report::RunStatus::Pending);
}

TEST(DropUnasked, KeepsWhatIsAskedForOrFinished) {
  const auto runs = *planRuns(parsedStudy(), {"fp16"});
  report::Report draft = makeDraft(runs);
  dropUnasked(draft, runs);
  EXPECT_EQ(findRun(draft, "bf16"), nullptr);
  EXPECT_NE(findRun(draft, "fp16"), nullptr);
  EXPECT_NE(findRun(draft, "reference"), nullptr);
  draft = makeDraft(runs);
  findRun(draft, "bf16")->status = report::RunStatus::Finished;
  dropUnasked(draft, runs);
  EXPECT_NE(findRun(draft, "bf16"), nullptr);
}

TEST(CheckResumable, AgreesWithItself) {
  const auto runs = *planRuns(parsedStudy(), {});
  EXPECT_TRUE(resumable(draftOf(runs), draftOf(runs), runs));
}

TEST(CheckResumable, NamesEverythingThatDiffers) {
  const auto runs = *planRuns(parsedStudy(), {});
  const report::Report earlier = draftOf(runs);
  report::Report now = earlier;
  now.provenance.weightsDigest = "other";
  now.provenance.tokenDigest = "others";
  now.provenance.torchVersion = "3.0";
  now.provenance.device = "cuda:0";
  now.provenance.threads = 8;
  now.metrics.pop_back();
  const auto checked = resumable(earlier, now, runs);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), ErrorCode::InvalidArgument);
  for (const char* words : {"weights digest was w, is now other",
                            "token digest was t, is now others",
                            "LibTorch was 2.11.0, is now 3.0",
                            "device was cpu, is now cuda:0",
                            "threads was 2, is now 8",
                            "metrics"}) {
    EXPECT_NE(checked.error().message().find(words), std::string::npos)
        << checked.error().message();
  }
}

TEST(CheckResumable, SaysASettingOfAllFinishedRunsOnce) {
  const auto before = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(before);
  for (report::Run& run : earlier.runs) {
    run.status = report::RunStatus::Finished;
  }
  const auto checked =
      resumable(earlier, earlier, *planRuns(parsedStudy({"input.sequence_length=7"}), {}));
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message().find(
                "another study: input.sequence_length was 128, is now 7; undo the change"),
            std::string::npos)
      << checked.error().message();
}

TEST(CheckResumable, LooksAtTheSettingsOfFinishedRunsOnly) {
  const auto before = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(before);
  const auto now = *planRuns(parsedStudy({"input.sequence_length=7"}), {});
  EXPECT_TRUE(resumable(earlier, earlier, now));
  earlier.runs[1].status = report::RunStatus::Finished;
  const auto checked = resumable(earlier, earlier, now);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message().find("bf16: input.sequence_length was 128, is now 7"),
            std::string::npos)
      << checked.error().message();
}

TEST(CheckResumable, AStopIsNoDifferenceOfTheSettings) {
  const auto runs = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(runs);
  earlier.runs[1].status = report::RunStatus::Finished;
  earlier.effectiveJson.insert(1,
                               R"("another": {"key": {"value": )" + test::longJsonList() + "}}, ");
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto checked = resumable(earlier, earlier, runs);
  EXPECT_TRUE(checked) << checked.error().message();
}

TEST(CheckResumable, SettingsThatCannotBeReadAreNoOtherSettings) {
  const auto runs = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(runs);
  earlier.effectiveJson = R"({"bf16": 3})";
  EXPECT_EQ(resumable(earlier, earlier, runs).error().code(), ErrorCode::CorruptData);
}

TEST(CheckResumable, RefusesAFinishedVariantThatTheStudyNoLongerHas) {
  const auto runs = *planRuns(parsedStudy(), {});
  report::Report earlier = draftOf(runs);
  earlier.runs.push_back({.name = "gone",
                          .overrides = {},
                          .status = report::RunStatus::Finished,
                          .error = {},
                          .comparisons = {}});
  const auto checked = resumable(earlier, draftOf(runs), runs);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message().find("gone"), std::string::npos);
}

TEST(IsSameNumber, ComparesBitsAndTakesAnyNaNForOne) {
  EXPECT_TRUE(isSameNumber(1.5, 1.5));
  EXPECT_FALSE(isSameNumber(1.5, std::nextafter(1.5, 2)));
  EXPECT_FALSE(isSameNumber(0.0, -0.0));
  EXPECT_TRUE(isSameNumber(std::nan("1"), std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace ulp::worker
