#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runner/worker/session/study_runner_fixture.h"

/// Runs that had different versions of one file of Python code are not compared.
namespace ulp::worker {
namespace {

using testing::HasSubstr;

class ChangedCodeTest : public StudyRunnerTest {
 protected:
  /// Runs in this format have the helper in this version, and no code in others.
  void haveHelper(DType dtype, const std::string& digest) {
    m_helpers[dtype] = digest;
    m_engine.config().codeOf = [this](const engine::RunRequest& request) {
      const auto found =
          m_helpers.find(numerics::carrierOf(*request.plan.formats[numerics::Operation::Compute]));
      return found == m_helpers.end()
                 ? std::map<std::string, std::string>()
                 : std::map<std::string, std::string>{{"/code/helper.py", found->second}};
    };
  }
  [[nodiscard]] std::string errorOf(const std::string& run) const {
    return saved()->findRun(run)->error;
  }

  std::map<DType, std::string> m_helpers;
  RunOptions m_resume{.existing = ExistingResults::Resume};
};

TEST_F(ChangedCodeTest, IsRecordedWithEachRun) {
  haveHelper(DType::Float32, "old");
  ASSERT_TRUE(run(study()));
  EXPECT_EQ(saved()->findRun("reference")->codeFiles.at("/code/helper.py"), "old");
  EXPECT_TRUE(saved()->findRun("bf16")->codeFiles.empty());
}

TEST_F(ChangedCodeTest, FailsAVariantBesideTheReference) {
  haveHelper(DType::Float32, "old");
  haveHelper(DType::Float16, "new");
  EXPECT_FALSE(run(study()));
  EXPECT_THAT(errorOf("fp16"), HasSubstr("/code/helper.py was changed since reference ran it"));
  EXPECT_EQ(saved()->findRun("bf16")->status, RunStatus::Finished);
}

TEST_F(ChangedCodeTest, FailsAVariantBesideAnotherOne) {
  haveHelper(DType::BFloat16, "old");
  haveHelper(DType::Float16, "new");
  EXPECT_FALSE(run(study()));
  EXPECT_THAT(errorOf("fp16"), HasSubstr("/code/helper.py was changed since bf16 ran it"));
}

TEST_F(ChangedCodeTest, OfTheReferenceIsSeenWhereItRunsAgainForMoreVariants) {
  for (const char* sequences : {"input.sequences=1", "input.sequences=3"}) {
    SCOPED_TRACE(sequences);
    fs::remove_all(out());
    haveHelper(DType::Float32, "old");
    ASSERT_TRUE(run(study({sequences}), {.variants = {"bf16"}}));
    haveHelper(DType::Float32, "new");
    const auto resumed = run(study({sequences}), m_resume);
    ASSERT_FALSE(resumed);
    EXPECT_THAT(resumed.error().message(),
                HasSubstr("reference: /code/helper.py was changed since it ran before"));
    EXPECT_EQ(saved()->findRun("reference")->codeFiles.at("/code/helper.py"), "old");
  }
}

}  // namespace
}  // namespace ulp::worker
