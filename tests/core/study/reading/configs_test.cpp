#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study.h"

namespace ulp::study {
namespace {

namespace fs = std::filesystem;

TEST(Configs, AreStudiesWithoutWarnings) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(ULP_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") {
      continue;
    }
    ++files;
    const auto study = loadStudy(entry.path());
    ASSERT_TRUE(study.has_value()) << study.error().message();
    EXPECT_THAT(study->warnings, testing::IsEmpty()) << entry.path();
    EXPECT_THAT(study->variants, testing::Not(testing::IsEmpty())) << entry.path();
    EXPECT_EQ(study->outputDir, "runs/" + entry.path().stem().string());
  }
  EXPECT_GE(files, 3);
}

TEST(Configs, SweepsHaveTheVariantsOfTheOriginal) {
  int sweeps = 0;
  for (const char* name : {"smol.yaml", "smol_gspo.yaml"}) {
    const fs::path file = fs::path(ULP_SOURCE_DIR "/configs") / name;
    if (!fs::exists(file)) {
      continue;
    }
    ++sweeps;
    const auto study = loadStudy(file);
    ASSERT_TRUE(study.has_value()) << study.error().message();
    std::vector<std::string> names;
    std::ranges::transform(study->variants, std::back_inserter(names), &Variant::name);
    EXPECT_THAT(names,
                testing::ElementsAre(
                    "bf16", "bf16_fp32_lm_head", "bf16_fp32_residual", "bf16_max_precision"));
  }
  EXPECT_GE(sweeps, 1);
}

}  // namespace
}  // namespace ulp::study
