#include <gtest/gtest.h>

#include "tests/support/compared_report.h"
#include "tests/support/dump_files.h"
#include "tests/support/temp_dir.h"
#include "tests/views/context_fixture.h"
#include "views/plugins/heatmap/part_job.h"

namespace ulp::views {
namespace {

/// Tokens of a comparison of dumps are compared from the elements in the dumps.
class DumpPartsTest : public testing::Test {
 protected:
  void SetUp() override {
    test::writeNpy(m_dumps / "golden" / "a.npy", {2, 2}, {3, 4, 3, 4});
    test::writeNpy(m_dumps / "target" / "a.npy", {2, 2}, {3, 4, 3, 9});
    m_fixture.openReport(test::comparedReport(
        {.baseline = {.path = m_dumps / "golden"}, .candidate = {.path = m_dumps / "target"}}));
  }
  [[nodiscard]] PartBatch compare() {
    const DocumentPtr& document = m_fixture.workspace.document();
    const numerics::MetricRegistry metrics = numerics::builtinMetrics();
    const PartRequest request{.document = document,
                              .reference = QString::fromStdString(document->report().reference),
                              .variant = document->variantName(0),
                              .metric = metrics.all()[*metrics.indexOf("rms_rel")],
                              .sites = document->sites()};
    return computeParts(request, 0, nullptr, {});
  }

  test::TempDir m_dumps;
  test::ContextFixture m_fixture;
};

TEST_F(DumpPartsTest, EveryTokenIsComparedByItself) {
  const PartBatch batch = compare();
  EXPECT_FALSE(batch.error) << batch.error->message();
  ASSERT_EQ(batch.columns.size(), 1U);
  ASSERT_TRUE(batch.columns[0]);
  EXPECT_EQ(batch.columns[0]->values, (std::vector<double>{0, 1}));
}

TEST_F(DumpPartsTest, DumpsThatAreGoneAreAnErrorThatNamesThem) {
  std::filesystem::rename(m_dumps / "target", m_dumps / "moved");
  const PartBatch batch = compare();
  ASSERT_TRUE(batch.error);
  EXPECT_EQ(batch.error->code(), ErrorCode::NotFound);
  EXPECT_NE(batch.error->message().find((m_dumps / "target").string()), std::string::npos);
}

}  // namespace
}  // namespace ulp::views
