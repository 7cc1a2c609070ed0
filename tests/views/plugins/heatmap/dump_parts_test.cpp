#include <gtest/gtest.h>

#include "tests/support/data/compared_report.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/views/context_fixture.h"
#include "views/plugins/heatmap/part_errors.h"

namespace ulp::views {
namespace {

/// What test::writeNpy() writes before the elements.
constexpr std::uintmax_t kNpyHeader = 128;

/// Tokens of a comparison of dumps are compared from the elements in the dumps.
class DumpPartsTest : public testing::Test {
 protected:
  void SetUp() override {
    test::writeNpy(m_dumps / "golden" / "a.npy", {2, 2}, {3, 4, 3, 4});
    test::writeNpy(m_dumps / "target" / "a.npy", {2, 2}, {3, 4, 3, 9});
    open();
  }
  void open() {
    m_fixture.openReport(test::comparedReport(
        {.baseline = {.path = m_dumps / "golden"}, .candidate = {.path = m_dumps / "target"}}));
  }
  [[nodiscard]] PartBatch compare() {
    const DocumentPtr& document = m_fixture.workspace.reports.document();
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

TEST_F(DumpPartsTest, OneFileThatCannotBeReadLeavesItsOwnColumnEmpty) {
  test::writeNpy(m_dumps / "golden" / "b.npy", {2, 2}, {3, 4, 3, 4});
  test::writeNpy(m_dumps / "target" / "b.npy", {2, 2}, {3, 9, 3, 4});
  open();
  std::filesystem::resize_file(m_dumps / "target" / "a.npy", kNpyHeader);
  const PartBatch batch = compare();
  EXPECT_FALSE(batch.error) << batch.error->message();
  ASSERT_EQ(batch.columns.size(), 2U);
  EXPECT_FALSE(batch.columns[0]);
  ASSERT_TRUE(batch.columns[1]);
  EXPECT_EQ(batch.columns[1]->values, (std::vector<double>{1, 0}));
  ASSERT_EQ(batch.unreadable.size(), 1U);
  EXPECT_NE(batch.unreadable[0].message().find("a.npy"), std::string::npos)
      << batch.unreadable[0].message();
}

TEST_F(DumpPartsTest, WhatHasNoSuchPartsIsNotRead) {
  test::writeNpy(m_dumps / "golden" / "a.npy", {4}, {3, 4, 3, 4});
  test::writeNpy(m_dumps / "target" / "a.npy", {4}, {3, 4, 3, 9});
  open();
  std::filesystem::resize_file(m_dumps / "target" / "a.npy", kNpyHeader);
  const PartBatch batch = compare();
  EXPECT_FALSE(batch.error);
  ASSERT_EQ(batch.columns.size(), 1U);
  EXPECT_FALSE(batch.columns[0]);
  EXPECT_TRUE(batch.unreadable.empty()) << batch.unreadable[0].message();
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
