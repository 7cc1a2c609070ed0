#include "runner/worker/parts/shared_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

using testing::HasSubstr;

const ReferenceIdentity kIdentity{{"content of loss.path", "l"}, {"tokens", "t"}, {"weights", "w"}};

class SharedReferenceFile : public ::testing::Test {
 protected:
  void SetUp() override {
    engine::RunOutcome outcome;
    outcome.loss = 2.5;
    outcome.codeFiles = {{"/code/helper.py", "h"}};
    ASSERT_TRUE(writeReference(m_folder.path(), 0, kIdentity, ReferenceCaptures(), outcome));
  }
  [[nodiscard]] Result<engine::RunOutcome> read(const ReferenceIdentity& identity) const {
    ReferenceCaptures captures;
    return readReference(m_folder.path(), 0, identity, captures);
  }

  test::TempDir m_folder;
};

TEST_F(SharedReferenceFile, SaysWhichCodeItRan) {
  const auto outcome = read(kIdentity);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->loss, 2.5);
  EXPECT_EQ(outcome->codeFiles, (std::map<std::string, std::string>{{"/code/helper.py", "h"}}));
}

TEST_F(SharedReferenceFile, IsRefusedWhereSomethingWasChanged) {
  for (const auto& [of, digest] : kIdentity) {
    ReferenceIdentity other = kIdentity;
    other[of] = "other";
    const auto refused = read(other);
    ASSERT_FALSE(refused) << of;
    EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(refused.error().message(), HasSubstr("the " + of + " changed since it was made"));
  }
  ReferenceIdentity more = kIdentity;
  more["content of python.prepare"] = "p";
  EXPECT_FALSE(read(more));
}

}  // namespace
}  // namespace ulp::worker
