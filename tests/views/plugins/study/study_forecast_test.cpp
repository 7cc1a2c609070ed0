#include "views/plugins/study/study_forecast.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <QtCore/QLocale>

#include "tests/support/machine/temp_dir.h"

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
    const StudyForecast forecast = forecastStudy(*study, m_folder / "out", nullptr, cache);
    EXPECT_TRUE(forecast.estimate.has_value()) << forecast.basis.toStdString();
    return forecast.estimate.value_or(analysis::StudyEstimate{});
  }

  test::TempDir m_folder;
};

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

TEST(StudyForecast, NamesTheMemoryOfTheGpuAndSaysWhereItSeemsTooSmall) {
  constexpr std::uint64_t kGiga = 1000000000;
  StudyForecast forecast;
  forecast.estimate = analysis::StudyEstimate{.memoryBytes = 2 * kGiga, .diskBytes = kGiga};
  EXPECT_FALSE(estimateText(forecast).contains(QStringLiteral("GPU")));
  forecast.device = analysis::DeviceMemory{.weights = 32 * kGiga,
                                           .gradients = 16 * kGiga,
                                           .activations = 8 * kGiga,
                                           .workspace = 4 * kGiga};
  const QLocale locale;
  const auto size = [&locale](std::uint64_t bytes) {
    return locale.formattedDataSize(static_cast<qint64>(bytes), 1);
  };
  EXPECT_TRUE(estimateText(forecast).contains(size(60 * kGiga))) << "in all";
  EXPECT_TRUE(shortageText(forecast).isEmpty()) << "nobody knows what is free";
  forecast.freeOnDevice = 61 * kGiga;
  EXPECT_TRUE(shortageText(forecast).isEmpty());
  forecast.freeOnDevice = 40 * kGiga;
  const QString text = shortageText(forecast);
  for (const std::uint64_t part : {40, 60, 32, 16, 8, 4}) {
    EXPECT_TRUE(text.contains(size(part * kGiga))) << text.toStdString();
  }
}

}  // namespace
}  // namespace ulp::views
