#include <gtest/gtest.h>

#include "tests/support/data/compared_report.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/elements_of.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/views/context_fixture.h"
#include "views/framework/document/tensor_pair_source.h"

namespace ulp::views {
namespace {

using test::elementsOf;
using ProblemKind = TensorPairProblem::Kind;

/// A report of a comparison that was saved and is opened again later.
class DumpTensorPairTest : public testing::Test {
 protected:
  void SetUp() override {
    test::writeNpy(m_dumps / "golden" / "a.npy", {2, 2}, {1, 2, 3, 4});
    test::writeNpy(m_dumps / "target" / "a.npy", {2, 2}, {1, 2, 3, 5});
    test::writeNpy(m_dumps / "golden" / "b.npy", {1, 3}, {1, 2, 3});
    test::writeNpy(m_dumps / "target" / "b.npy", {3, 1}, {1, 2, 4});
    QObject::connect(
        &m_source, &TensorPairSource::pairReady, [this](const auto& pair) { m_pair = pair; });
    QObject::connect(&m_source, &TensorPairSource::pairMissing, [this](const auto& problem) {
      m_problem = problem;
    });
  }
  void open(const char* baseline = "golden", const char* candidate = "target") {
    m_fixture.openReport(test::comparedReport(
        {.baseline = {.path = m_dumps / baseline}, .candidate = {.path = m_dumps / candidate}}));
    m_source.setReport(m_fixture.workspace.reports.document());
  }
  void request(const char* site, Pass pass = Pass::Forward) {
    m_pair = nullptr;
    m_problem.reset();
    Selection selection;
    selection.runs = {m_fixture.workspace.reports.document()->variantName(0)};
    selection.site = QString::fromLatin1(site);
    selection.pass = pass;
    m_source.request(selection);
    m_fixture.settle();
  }

  test::TempDir m_dumps;
  test::ContextFixture m_fixture;
  TensorPairSource m_source{m_fixture.background};
  analysis::TensorPairPtr m_pair;
  std::optional<TensorPairProblem> m_problem;
};

TEST_F(DumpTensorPairTest, GivesTheElementsOfBothDumps) {
  open();
  request("a");
  ASSERT_NE(m_pair, nullptr) << m_problem->text.toStdString();
  EXPECT_EQ(m_pair->shape(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(elementsOf(m_pair->reference), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(elementsOf(m_pair->variant), (std::vector<double>{1, 2, 3, 5}));
  EXPECT_FALSE(m_pair->isSample());
}

TEST_F(DumpTensorPairTest, DimensionsOfSizeOneDoNotStandInTheWay) {
  open();
  request("b");
  ASSERT_NE(m_pair, nullptr) << m_problem->text.toStdString();
  EXPECT_EQ(m_pair->shape(), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(elementsOf(m_pair->variant), (std::vector<double>{1, 2, 4}));
}

TEST_F(DumpTensorPairTest, SaysWhereTheDumpsWereThatAreGone) {
  open();
  std::filesystem::rename(m_dumps / "golden", m_dumps / "moved");
  request("a");
  ASSERT_TRUE(m_problem);
  EXPECT_EQ(m_problem->kind, ProblemKind::Unreadable);
  EXPECT_EQ(m_problem->title, QStringLiteral("The dumps are not where they were"));
  EXPECT_TRUE(m_problem->text.contains(QString::fromStdString((m_dumps / "golden").string())));
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("Compare dumps")));
  std::filesystem::rename(m_dumps / "moved", m_dumps / "golden");
  request("a");
  EXPECT_NE(m_pair, nullptr) << "they are looked for again";
}

TEST_F(DumpTensorPairTest, AFileThatIsGoneIsNamed) {
  open();
  request("a");
  std::filesystem::remove(m_dumps / "target" / "a.npy");
  request("a");
  ASSERT_TRUE(m_problem);
  EXPECT_EQ(m_problem->kind, ProblemKind::Unreadable);
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("candidate")));
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("a.npy")));
}

TEST_F(DumpTensorPairTest, AFileThatWasChangedSinceIsNoDifferenceOfShapes) {
  open();
  request("a");
  test::writeNpy(m_dumps / "target" / "a.npy", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  request("a");
  ASSERT_TRUE(m_problem);
  EXPECT_EQ(m_problem->kind, ProblemKind::Unreadable);
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("[2, 2]"))) << m_problem->text.toStdString();
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("[4, 2]"))) << m_problem->text.toStdString();
}

TEST_F(DumpTensorPairTest, OfStatisticsSaysThatNothingElseWasRecorded) {
  for (const char* side : {"one", "two"}) {
    test::writeStatisticsDump(m_dumps / side / "step0" / "rank0",
                              {{"model.layers.0", side[0] == 'o' ? 1.0 : 2.0}});
  }
  open("one", "two");
  request("decoder.0");
  ASSERT_TRUE(m_problem);
  EXPECT_EQ(m_problem->kind, ProblemKind::NoTensors);
  EXPECT_EQ(m_problem->title,
            QStringLiteral("Of decoder.0 only statistics or checksums were recorded"));
  EXPECT_TRUE(m_problem->text.contains(QStringLiteral("Details")));
}

}  // namespace
}  // namespace ulp::views
