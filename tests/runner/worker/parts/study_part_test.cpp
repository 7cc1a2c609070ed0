#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/worker/parts/sample_pieces.h"
#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class StudyPartTest : public StudyRunnerTest {
 protected:
  std::vector<std::string> runNames(const report::Report& report) {
    std::vector<std::string> names;
    for (const report::Run& run : report.runs) {
      names.push_back(run.name);
    }
    return names;
  }

  study::Study m_study = study({"input.sequences=5"});
};

TEST_F(StudyPartTest, MakesItsRunsOnItsSamplesAlone) {
  RunOptions options{.part = StudyPart{.runs = {"fp16"}, .firstSample = 1, .samples = 2}};
  const auto result = run(m_study, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_THAT(runNames(**result), ElementsAre("reference", "fp16"));
  EXPECT_EQ((*result)->runs[1].samples, 2U);
  EXPECT_EQ((*result)->runs[1].status, RunStatus::Finished);
  EXPECT_EQ((*result)->provenance.samples, 5U);
  const auto all = m_engine.randomTokens(100, 5, 5, 0)->ids;
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_EQ(requests[0].microBatches.back().ids,
            std::vector<std::int64_t>(all.begin() + 6, all.begin() + 12));
  EXPECT_EQ(requests[2].microBatches.back().ids,
            std::vector<std::int64_t>(all.begin() + 12, all.begin() + 18));
}

TEST_F(StudyPartTest, KeepsWhatEachSampleGave) {
  RunOptions options{.part = StudyPart{.runs = {"fp16"}, .firstSample = 1, .samples = 2}};
  ASSERT_TRUE(run(m_study, options));
  const auto whole = run(study(), {.outputDir = m_folder / "one"});
  const auto report = saved();
  const auto first = readPiece(out(), *report, "fp16", 1);
  const auto second = readPiece(out(), *report, "fp16", 2);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->run.loss, second->run.loss);
  const double mean = saved()->findRun("fp16")->loss;
  EXPECT_DOUBLE_EQ(mean, (first->run.loss + second->run.loss) / 2);
  EXPECT_FALSE(first->run.comparisons.empty());
  EXPECT_GT(first->tops.rows, 0U);
  EXPECT_FALSE(first->run.logProbabilities.has_value());
  EXPECT_FALSE(readPiece(out(), *report, "fp16", 0));
  report::Report other = *report;
  other.provenance.tokenDigest = "of other tokens";
  EXPECT_EQ(readPiece(out(), other, "fp16", 1).error().code(), ErrorCode::CorruptData);
  fs::copy_file(out() / kPieceFolder / "fp16.1.json",
                out() / kPieceFolder / "fp16.2.json",
                fs::copy_options::overwrite_existing);
  const auto swapped = readPiece(out(), *report, "fp16", 2);
  ASSERT_FALSE(swapped);
  EXPECT_THAT(swapped.error().message(),
              HasSubstr("is not what 'fp16' gave on sample 2 in this study; remove the folder"));
  EXPECT_FALSE(fs::exists(m_folder / "one" / kPieceFolder));
}

TEST_F(StudyPartTest, GoesOnWhereItWasStopped) {
  RunOptions options{.part = StudyPart{.runs = {"fp16"}, .firstSample = 2, .samples = 3}};
  m_engine.config().runErrors.emplace(3, Error(ErrorCode::Cancelled, "stopped"));
  const auto stopped = run(m_study, options);
  ASSERT_FALSE(stopped);
  m_engine.config().runErrors.clear();
  options.existing = ExistingResults::Resume;
  const auto result = run(m_study, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ((*result)->findRun("fp16")->samples, 3U);
  RunOptions afresh{.outputDir = m_folder / "afresh", .part = options.part};
  const auto whole = run(m_study, afresh);
  ASSERT_TRUE(whole);
  EXPECT_EQ((*result)->findRun("fp16")->loss, (*whole)->findRun("fp16")->loss);
}

TEST_F(StudyPartTest, PassesOverANoiseFloorThatTheDeviceDoesNotNeed) {
  RunOptions options{
      .part = StudyPart{.runs = {"floor.repeat"}, .samples = 5, .keepsReference = false}};
  const auto result = run(m_study, options);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(m_engine.log()->requests.size(), 0U);
}

TEST_F(StudyPartTest, RefusesSamplesThatThereAreNot) {
  RunOptions options{.part = StudyPart{.runs = {"fp16"}, .firstSample = 4, .samples = 2}};
  const auto result = run(m_study, options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("the study has 5"));
}

}  // namespace
}  // namespace ulp::worker
