#include "views/plugins/study/study_forecast.h"

#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include <QtCore/QLocale>

#include "tests/support/machine/temp_dir.h"
#include "tests/views/realistic_report.h"

namespace ulp::views {
namespace {

class StudyForecastTest : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(m_folder / "config.json")
        << R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64,
               "intermediate_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2,
               "vocab_size": 256, "tie_word_embeddings": true})";
  }

  analysis::StudyEstimate estimateOf(const std::vector<std::string>& sets) {
    const auto study =
        study::parseStudy("model: {path: " + m_folder.path().string() +
                              "}\n"
                              "input: {sequence_length: 32, micro_batch_size: 2}\n"
                              "device: cpu\n"
                              "variants: {bf16: {precision.compute_dtype: bfloat16}}",
                          "s.yaml",
                          sets);
    EXPECT_TRUE(study) << study.error().message();
    ForecastCache cache;
    m_forecast =
        forecastStudy(*study, {.outputDir = m_folder / m_output, .recent = m_recent}, cache);
    EXPECT_TRUE(m_forecast.estimate.has_value()) << m_forecast.basis.toStdString();
    return m_forecast.estimate.value_or(analysis::StudyEstimate{});
  }

  /// A finished report of a model with so many parameters.
  std::filesystem::path reportIn(const std::string& folder, std::uint64_t parameters) {
    report::Report report = test::realisticReport({.layers = 2, .variants = {"bf16"}});
    report.model.parameters = parameters;
    report.provenance.device = "cpu (AMD EPYC)";
    report.provenance.seconds = 12;
    std::filesystem::create_directories(m_folder / folder);
    EXPECT_TRUE(report::saveReport(report, m_folder / folder));
    return m_folder / folder / "precision_report.json";
  }

  std::string m_output = "out";
  std::vector<std::filesystem::path> m_recent;
  StudyForecast m_forecast;

  test::TempDir m_folder;
};

TEST_F(StudyForecastTest, SaysThatPythonRunsWhatTheNativeEngineDoesNotKnow) {
  const auto basisOf = [this](const std::string& settings) {
    const auto study = study::parseStudy(settings, "s.yaml");
    EXPECT_TRUE(study) << study.error().message();
    ForecastCache cache;
    const StudyForecast forecast = forecastStudy(*study, {.outputDir = m_folder / m_output}, cache);
    EXPECT_TRUE(forecast.missing.isEmpty()) << forecast.missing.toStdString();
    return forecast.basis;
  };
  m_folder.write("other/config.json", R"({"model_type": "qwen3"})");
  const std::string other = "model.path: " + (m_folder / "other").string() + "\n";
  EXPECT_TRUE(basisOf(other).startsWith(QStringLiteral("the model runs in Python (")));
  EXPECT_FALSE(
      basisOf(other + "engine: native\n").startsWith(QStringLiteral("the model runs in Python")));
  EXPECT_EQ(basisOf("model.factory: mine.py:make\n"),
            QStringLiteral("the model runs in Python (mine.py:make)"));
}

TEST_F(StudyForecastTest, TimeGrowsWithTheSamplesAndMemoryDoesNot) {
  const analysis::StudyEstimate one = estimateOf({});
  const analysis::StudyEstimate four = estimateOf({"input.sequences=8"});
  ASSERT_TRUE(one.seconds && four.seconds);
  EXPECT_DOUBLE_EQ(*four.seconds, 4 * *one.seconds) << "of two sequences each";
  EXPECT_EQ(four.memoryBytes, one.memoryBytes);
  EXPECT_GT(four.diskBytes, one.diskBytes);
}

TEST_F(StudyForecastTest, RunsOfTheNoiseFloorTakeTheirTime) {
  const analysis::StudyEstimate two = estimateOf({});
  const analysis::StudyEstimate four = estimateOf({"noise_floor=[repeat, float64]"});
  EXPECT_DOUBLE_EQ(*four.seconds, 2 * *two.seconds);
  EXPECT_GT(four.memoryBytes, two.memoryBytes) << "float64";
}

TEST_F(StudyForecastTest, AStepComputesAllItsMicroBatches) {
  EXPECT_GT(*estimateOf({"schedule.micro_batches=2"}).seconds, *estimateOf({}).seconds);
  const analysis::StudyEstimate step = estimateOf({"schedule.micro_batches=2"});
  EXPECT_DOUBLE_EQ(*estimateOf({"schedule.micro_batches=2", "input.sequences=8"}).seconds,
                   2 * *step.seconds);
}

TEST_F(StudyForecastTest, LearnsFromTheLastRunOfTheSameModelWhereverItsResultsLie) {
  EXPECT_FALSE(estimateOf({}).isCalibrated);
  const auto model = analysis::readModelOutline(m_folder.path(), "");
  ASSERT_TRUE(model) << model.error().message();
  m_recent = {reportIn("large", 7000000),
              m_folder / "gone.json",
              reportIn("same", analysis::parameterCount(*model))};
  EXPECT_TRUE(estimateOf({}).isCalibrated) << m_forecast.basis.toStdString();
  m_recent.pop_back();
  EXPECT_FALSE(estimateOf({}).isCalibrated) << "that of another model tells nothing";
}

TEST_F(StudyForecastTest, SaysThatTheOutputFolderCannotBeMade) {
  estimateOf({});
  EXPECT_EQ(m_forecast.missing, QString());
  m_output = "config.json/out";
  estimateOf({});
  EXPECT_EQ(m_forecast.missing,
            QString::fromStdString((m_folder / "config.json").string()) +
                QStringLiteral(" is no folder, and output_dir lies there"));
  if (::geteuid() != 0) {
    std::filesystem::create_directory(m_folder / "shut");
    std::filesystem::permissions(m_folder / "shut", std::filesystem::perms::owner_read);
    m_output = "shut/out";
    estimateOf({});
    EXPECT_TRUE(m_forecast.missing.startsWith(QStringLiteral("output_dir cannot be made")));
  }
}

TEST(StudyForecast, NamesTheMemoryOfTheGpuAndSaysWhereItSeemsTooSmall) {
  constexpr std::uint64_t kGiga = 1000000000;
  StudyForecast forecast;
  forecast.estimate = analysis::StudyEstimate{.memoryBytes = 2 * kGiga, .diskBytes = kGiga};
  EXPECT_FALSE(estimateText(forecast).contains(QStringLiteral("GPU")));
  EXPECT_TRUE(deviceText(forecast).isEmpty());
  forecast.device = analysis::LargestRun{"bf16",
                                         {.weights = 32 * kGiga,
                                          .gradients = 16 * kGiga,
                                          .captures = 8 * kGiga,
                                          .workspace = 4 * kGiga}};
  const QLocale locale;
  const auto size = [&locale](std::uint64_t bytes) {
    return locale.formattedDataSize(static_cast<qint64>(bytes), 1);
  };
  EXPECT_TRUE(estimateText(forecast).contains(size(60 * kGiga))) << "in all";
  EXPECT_EQ(deviceText(forecast),
            QStringLiteral("The GPU's memory at the peak of bf16: weights %1, their gradients %2, "
                           "captures %3, operations %4")
                .arg(size(32 * kGiga), size(16 * kGiga), size(8 * kGiga), size(4 * kGiga)))
      << "what is nothing is left out";
  EXPECT_TRUE(shortageText(forecast).isEmpty()) << "nobody knows what is free";
  forecast.freeOnDevice = 61 * kGiga;
  EXPECT_TRUE(deviceText(forecast).endsWith(QStringLiteral("; %1 are free").arg(size(61 * kGiga))));
  EXPECT_TRUE(shortageText(forecast).isEmpty());
  forecast.freeOnDevice = 60 * kGiga + kGiga / 2;
  EXPECT_FALSE(shortageText(forecast).isEmpty()) << "CUDA takes some for itself";
  forecast.freeOnDevice = 40 * kGiga;
  EXPECT_TRUE(shortageText(forecast).contains(size(60 * kGiga)));
}

}  // namespace
}  // namespace ulp::views
