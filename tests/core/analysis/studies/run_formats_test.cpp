#include "core/analysis/studies/run_formats.h"

#include <string>

#include <gtest/gtest.h>

#include "core/study/reading/study.h"

namespace ulp::analysis {
namespace {

std::size_t runsIn(const std::string& yaml, bool isOnCuda) {
  const auto study = study::parseStudy("model: {path: m}\n" + yaml, "s.yaml");
  EXPECT_TRUE(study) << study.error().message();
  return runFormats(*study, isOnCuda).size();
}

TEST(RunFormatsTest, TheNoiseFloorCountsAsOftenAsItRuns) {
  EXPECT_EQ(runsIn("variants: {a: {}, b: {}}", false), 3U);
  EXPECT_EQ(runsIn("variants: {a: {}, b: {}}", true), 4U) << "the reference is repeated";
  EXPECT_EQ(runsIn("noise_floor: []", true), 1U);
  EXPECT_EQ(runsIn("noise_floor: [float64, attention]", true), 3U);
}

TEST(RunFormatsTest, Float64IsEightBytesEverywhere) {
  const auto study = study::parseStudy("model: {path: m}\nnoise_floor: [float64]", "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].compute, 4U);
  EXPECT_EQ(runs[1].compute, 8U);
  EXPECT_EQ(runs[1].head, 8U);
}

TEST(RunFormatsTest, OthersInTheBatchAndPaddingAreComputed) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "input: {micro_batch_size: 2, sequence_length: 10}\n"
      "variants: {a: {batch.among: 8}, b: {batch: {padding: 5}}, c: {batch.chunk_length: 1}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0].positions, 1);
  EXPECT_EQ(runs[1].positions, 4);
  EXPECT_EQ(runs[2].positions, 1.5);
  EXPECT_EQ(runs[3].positions, 1);
}

}  // namespace
}  // namespace ulp::analysis
