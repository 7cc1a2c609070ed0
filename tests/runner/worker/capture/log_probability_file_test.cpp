#include "runner/worker/capture/log_probability_file.h"

#include <gtest/gtest.h>

#include "core/report/model/log_probabilities.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

class LogProbabilityFileTest : public testing::Test {
 protected:
  [[nodiscard]] tensors::TensorArchivePtr archive() const {
    return tensors::openSafetensors(m_folder / std::string(report::kLogProbabilityFile)).value();
  }
  [[nodiscard]] double at(const std::string& name, std::size_t index) const {
    return numerics::elementAt(archive()->read(name).value().view, index);
  }

  test::TempDir m_folder;
};

TEST_F(LogProbabilityFileTest, HoldsEveryRunBySequences) {
  LogProbabilityFile file(m_folder.path());
  ASSERT_TRUE(file.load());
  file.put("reference", 0, {{-1, -2, -3, -4}, {1, 0, 1, 1}});
  ASSERT_TRUE(file.save(2));
  file.put("bf16", 0, {{-1.5, -2, -3, -4}, {1, 0, 1, 1}});
  ASSERT_TRUE(file.save(2));
  const auto stored = archive()->read("runs/bf16").value();
  EXPECT_EQ(stored.view.shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(stored.view.dtype, DType::Float64);
  EXPECT_EQ(at("runs/bf16", 0), -1.5);
  EXPECT_EQ(at("runs/reference", 3), -4);
  EXPECT_EQ(at("is_label", 1), 0);
}

TEST_F(LogProbabilityFileTest, KeepsTheRunsOfAStudyThatIsResumed) {
  LogProbabilityFile first(m_folder.path());
  first.put("reference", 0, {{-1, -2}, {1, 1}});
  ASSERT_TRUE(first.save(2));
  LogProbabilityFile second(m_folder.path());
  ASSERT_TRUE(second.load());
  second.put("bf16", 0, {{-3, -4}, {1, 1}});
  ASSERT_TRUE(second.save(2));
  EXPECT_EQ(at("runs/reference", 1), -2);
  EXPECT_EQ(at("runs/bf16", 0), -3);
}

TEST_F(LogProbabilityFileTest, SamplesLieOneBehindTheOther) {
  LogProbabilityFile first(m_folder.path());
  first.put("reference", 0, {{-1, -2}, {1, 1}});
  first.put("reference", 1, {{-3, -4}, {1, 0}});
  ASSERT_TRUE(first.save(2));
  EXPECT_EQ(archive()->read("runs/reference").value().view.shape,
            (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(at("runs/reference", 2), -3);
  EXPECT_EQ(at("is_label", 3), 0);
  LogProbabilityFile second(m_folder.path());
  ASSERT_TRUE(second.load());
  second.put("reference", 1, {{-5, -6}, {1, 0}});
  ASSERT_TRUE(second.save(2));
  EXPECT_EQ(at("runs/reference", 1), -2);
  EXPECT_EQ(at("runs/reference", 2), -5) << "made again";
  EXPECT_EQ(at("is_label", 3), 0);
}

TEST_F(LogProbabilityFileTest, ComparesARunWithTheReferenceOverTheSamplesThatBothHave) {
  LogProbabilityFile file(m_folder.path());
  file.put("reference", 0, {{-1, -2}, {1, 1}});
  file.put("reference", 1, {{-3, -4}, {1, 0}});
  file.put("bf16", 0, {{-1.5, -2}, {1, 1}});
  const auto first = file.errorOf("bf16", "reference");
  ASSERT_TRUE(first) << first.error().message();
  ASSERT_TRUE(*first);
  EXPECT_EQ((*first)->tokens, 2U);
  EXPECT_EQ((*first)->mean, -0.25);
  EXPECT_EQ((*first)->largest, 0.5);
  file.put("bf16", 1, {{-3, -9}, {1, 0}});
  EXPECT_EQ((*file.errorOf("bf16", "reference"))->tokens, 3U);
  EXPECT_EQ((*file.errorOf("bf16", "reference"))->largest, 0.5) << "the last token has no label";
  EXPECT_FALSE(*file.errorOf("fp16", "reference"));
}

TEST_F(LogProbabilityFileTest, IsNotMadeForRunsWithoutThem) {
  LogProbabilityFile file(m_folder.path());
  file.put("reference", 0, {});
  ASSERT_TRUE(file.save(2));
  EXPECT_FALSE(std::filesystem::exists(m_folder / std::string(report::kLogProbabilityFile)));
}

}  // namespace
}  // namespace ulp::worker
