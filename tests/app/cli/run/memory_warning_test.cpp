#include "app/cli/run/memory_warning.h"

#include <gtest/gtest.h>

#include "core/base/text/format_number.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

class MemoryWarningTest : public testing::Test {
 protected:
  [[nodiscard]] study::Study study(const std::string& config) const {
    m_folder.write("model/config.json", config);
    const auto parsed = study::parseStudy(
        "model: {path: " + (m_folder / "model").string() + "}\ninput: {sequence_length: 512}\n",
        "s.yaml");
    EXPECT_TRUE(parsed) << parsed.error().message();
    return *parsed;
  }

  test::TempDir m_folder;
};

constexpr const char* kLlama = R"({"model_type": "llama", "num_hidden_layers": 2,
  "hidden_size": 1024, "intermediate_size": 4096, "num_attention_heads": 8,
  "num_key_value_heads": 8, "vocab_size": 1024, "tie_word_embeddings": true})";

TEST_F(MemoryWarningTest, NamesWhatIsFreeWhatTakesMoreAndTheWayOut) {
  constexpr std::uint64_t kFree = std::uint64_t{256} << 20;
  const std::string warning = forecastMemory(study(kLlama), kFree).warning;
  // 2 layers of 4 x 1024² + 3 x 1024 x 4096 and two norms, the embedding and the last norm.
  constexpr std::uint64_t kParameters = 2 * (16 * 1048576 + 2 * 1024) + 1048576 + 1024;
  EXPECT_NE(warning.find("256.0 MiB are free"), std::string::npos) << warning;
  EXPECT_NE(warning.find("weights " + formatBytes(4 * kParameters)), std::string::npos) << warning;
  EXPECT_NE(warning.find("the run floor.repeat is going to take"), std::string::npos) << warning;
  EXPECT_NE(warning.find("capture.backward: false"), std::string::npos) << warning;
}

TEST_F(MemoryWarningTest, SaysNothingWhereThereIsEnoughOrNothingIsKnown) {
  EXPECT_EQ(forecastMemory(study(kLlama), std::uint64_t{8} << 30).warning, "");
  EXPECT_EQ(forecastMemory(study("{}"), 1).warning, "");
}

}  // namespace
}  // namespace ulp::cli
