#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;
using testing::Not;

/// A study of two variants over four tokens, three of which were to be predicted.
class LogprobsCommand : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::int64_t> shape{1, 4};
    const auto written =
        tensors::writeSafetensors(m_dir.path() / "log_probabilities.safetensors",
                                  {{{"runs/reference", {m_reference.data(), DType::Float64, shape}},
                                    {"runs/bf16", {m_bf16.data(), DType::Float64, shape}},
                                    {"runs/fp16", {m_fp16.data(), DType::Float64, shape}},
                                    {"is_label", {m_labels.data(), DType::UInt8, shape}}}});
    ASSERT_TRUE(written) << written.error().message();
  }
  [[nodiscard]] std::string folder() const { return m_dir.path().string(); }

  const std::vector<double> m_reference{-1, -2, -3, -4};
  const std::vector<double> m_bf16{-1.5, -2.25, 9, -4};
  const std::vector<double> m_fp16{-1, -2.125, 9, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<std::uint8_t> m_labels{1, 1, 0, 1};
  test::TempDir m_dir;
};

TEST_F(LogprobsCommand, ComparesEveryVariantWithTheReference) {
  const auto outcome = runCli({"logprobs", folder(), "--epsilon", "0.3"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("=== Log-probabilities against reference ==="));
  EXPECT_THAT(outcome.out, HasSubstr("above 0.3, %"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("bf16 +3 +0 +-0.25"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("fp16 +2 +1 +-0.06"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("whole vocabulary"))) << "no logits were kept";
}

TEST_F(LogprobsCommand, TellsWhetherTwoVariantsErrAlike) {
  const auto outcome = runCli({"logprobs", folder(), "--baseline", "bf16", "--variant", "fp16"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Log-probabilities against bf16"));
  EXPECT_THAT(outcome.out, HasSubstr("of the errors"));
}

TEST_F(LogprobsCommand, TakesTheFileOfAnotherEngine) {
  const std::vector<float> sampler{-1, -2, std::numeric_limits<float>::quiet_NaN(), -4.5F};
  const auto file = m_dir.path() / "vllm.safetensors";
  ASSERT_TRUE(
      tensors::writeSafetensors(file, {{{"logprobs", {sampler.data(), DType::Float32, {1, 4}}}}}));
  const auto outcome = runCli({"logprobs", folder(), file.string(), "--format", "csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("vllm,3,0,-0.16666666666666666,"));
}

TEST_F(LogprobsCommand, ComparesDistributionsWhereLogitsWereKept) {
  const std::vector<float> reference{0, 0, 1, 0, 0, 1, 1, 0};
  const std::vector<float> variant{0, 0, 0, 1, 0, 1, 1, 0};
  auto writer = tensors::CaptureWriter::create(m_dir.path());
  ASSERT_TRUE(writer);
  const Site site{"logits", "lm_head", -1, Level::Layer, Pass::Forward};
  for (const auto& [run, values] : {std::pair{"reference", &reference}, {"bf16", &variant}}) {
    ASSERT_TRUE((*writer)->beginRun(run));
    ASSERT_TRUE((*writer)->put(site, {values->data(), DType::Float32, {1, 4, 2}}, 0));
    ASSERT_TRUE((*writer)->finishRun());
  }
  const auto outcome = runCli({"logprobs", folder(), "--format", "csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("same top token"));
  // KL of one token of four is tanh(1/2), and its most likely token is another one.
  EXPECT_THAT(
      outcome.out,
      testing::ContainsRegex("bf16,.*,4,0\\.11552928931500[0-9]*,0\\.46211715726000[0-9]*,75"));
}

TEST_F(LogprobsCommand, TokensOfWhichNoneIsFiniteAreCounted) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> broken(4, kNan);
  const std::vector<std::int64_t> shape{1, 4};
  ASSERT_TRUE(
      tensors::writeSafetensors(m_dir.path() / "log_probabilities.safetensors",
                                {{{"runs/reference", {m_reference.data(), DType::Float64, shape}},
                                  {"runs/bf16", {m_bf16.data(), DType::Float64, shape}},
                                  {"runs/fp8", {broken.data(), DType::Float64, shape}},
                                  {"is_label", {m_labels.data(), DType::UInt8, shape}}}}));
  EXPECT_THAT(runCli({"logprobs", folder(), "--format", "csv"}).out,
              HasSubstr("fp8,0,3,NaN,NaN,NaN,NaN,NaN,,NaN"));
  const std::vector<float> logits{0, 0, 1, 0, 0, 1, 1, 0};
  const std::vector<float> none(8, static_cast<float>(kNan));
  auto writer = tensors::CaptureWriter::create(m_dir.path());
  ASSERT_TRUE(writer);
  const Site site{"logits", "lm_head", -1, Level::Layer, Pass::Forward};
  for (const auto& [run, values] : {std::pair{"reference", &logits}, {"fp8", &none}}) {
    ASSERT_TRUE((*writer)->beginRun(run));
    ASSERT_TRUE((*writer)->put(site, {values->data(), DType::Float32, {1, 4, 2}}, 0));
    ASSERT_TRUE((*writer)->finishRun());
  }
  const auto outcome = runCli({"logprobs", folder(), "--format", "csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("fp8,0,3,.*,0,NaN,NaN,NaN"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("bf16,3,0,-0.25,.*,,,,"));
}

/// With what the report of a study says of its input, its weights and the scale of its logits.
report::Report reportOf(const std::string& tokens, const std::string& weights, double scale) {
  report::Report report = test::sampleReport(1, {"bf16"});
  report.provenance.input = "random tokens";
  report.provenance.tokenDigest = tokens;
  report.provenance.weightsDigest = weights;
  const std::string keys = R"({"loss.logits_scale":{"value":)" + std::to_string(scale) + "}}";
  report.effectiveJson = R"({"reference":)" + keys + R"(,"bf16":)" + keys + "}";
  return report;
}

/// Logits of two tokens whose likelier one each variant has the other way round.
void keepLogits(const std::filesystem::path& folder, std::int64_t tokens) {
  std::vector<float> reference;
  std::vector<float> variant;
  for (std::int64_t i = 0; i < tokens; ++i) {
    reference.insert(reference.end(), {0, 1});
    variant.insert(variant.end(), {1, 0});
  }
  auto writer = tensors::CaptureWriter::create(folder);
  ASSERT_TRUE(writer);
  const Site site{"logits", "lm_head", -1, Level::Layer, Pass::Forward};
  for (const auto& [run, values] : {std::pair{"reference", &reference}, {"bf16", &variant}}) {
    ASSERT_TRUE((*writer)->beginRun(run));
    ASSERT_TRUE((*writer)->put(site, {values->data(), DType::Float32, {1, tokens, 2}}, 0));
    ASSERT_TRUE((*writer)->finishRun());
  }
}

/// KL between softmax(0, s) and softmax(s, 0) is s tanh(s / 2).
TEST_F(LogprobsCommand, TakesLogitsTimesTheScaleThatTheLossGivesThem) {
  ASSERT_TRUE(report::saveReport(reportOf("", "", 0.5), m_dir.path()));
  keepLogits(m_dir.path(), 4);
  const auto outcome = runCli({"logprobs", folder(), "--variant", "bf16", "--format", "csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex(",4,0\\.122459331[0-9]*,0\\.122459331[0-9]*,0\n"));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(LogprobsCommand, SaysOfWhichTokensLogitsWereKept) {
  keepLogits(m_dir.path(), 2);
  const auto outcome = runCli({"logprobs", folder(), "--variant", "bf16", "--format", "csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex(",2,0\\.462117157[0-9]*,0\\.462117157[0-9]*,0\n"));
  EXPECT_THAT(outcome.err,
              HasSubstr(": logits were kept of the last micro-batch of the first "
                        "sample; what is told of the whole vocabulary is of its 2 tokens, not of "
                        "all 4"));
}

/// A second study with the same log-probabilities.
class TwoStudies : public LogprobsCommand {
 protected:
  void SetUp() override {
    LogprobsCommand::SetUp();
    std::filesystem::copy(m_dir.path() / "log_probabilities.safetensors",
                          m_other.path() / "log_probabilities.safetensors");
  }
  test::CliOutcome outcomeOf(const report::Report& first, const report::Report& second) {
    EXPECT_TRUE(report::saveReport(first, m_dir.path()));
    EXPECT_TRUE(report::saveReport(second, m_other.path()));
    return runCli({"logprobs", folder(), m_other.path().string(), "--variant", "bf16"});
  }

  test::TempDir m_other;
};

TEST_F(TwoStudies, OfOtherTokensAreRefused) {
  const auto outcome = outcomeOf(reportOf("sha256:aaaa", "w", 1), reportOf("sha256:bbbb", "w", 1));
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              HasSubstr(folder() + " and " + m_other.path().string() +
                        ": are of other tokens (random tokens: aaaa; random tokens: bbbb); run "
                        "both studies on the same input"));
}

TEST_F(TwoStudies, OfOtherWeightsAndScalesAreComparedWithAWarning) {
  const auto outcome = outcomeOf(reportOf("t", "1234", 1), reportOf("t", "5678", 0.5));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("are of other weights (1234, 5678)"));
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: loss.logits_scale: " + folder() + "#reference has 1, " +
                        m_other.path().string() + "#bf16 0.5"));
  EXPECT_EQ(outcomeOf(reportOf("t", "w", 1), reportOf("t", "w", 1)).err, "");
}

TEST_F(LogprobsCommand, RefusesWhatItCannotAnswer) {
  EXPECT_THAT(runCli({"logprobs", "/nowhere.npy"}).err, HasSubstr("/nowhere.npy"));
  const auto outcome = runCli({"logprobs", folder(), "--variant", "bf17"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no log-probabilities of 'bf17'; it has "));
  EXPECT_EQ(runCli({"logprobs", folder(), "--baseline", "x"}).exitCode, 2);
  const test::TempDir empty;
  EXPECT_THAT(runCli({"logprobs", empty.path().string()}).err,
              HasSubstr("a model of model.factory has none"));
}

}  // namespace
}  // namespace ulp::cli
