#include "views/plugins/details/dump_record.h"

#include <algorithm>
#include <latch>
#include <memory>

#include <gtest/gtest.h>

#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>

#include "tests/support/data/compared_report.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/model_checks.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/context_fixture.h"
#include "views/plugins/details/details_view.h"
#include "views/plugins/details/dump_record_pane.h"

namespace ulp::views {
namespace {

class DumpRecordTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* side : {"golden", "target"}) {
      test::writeStatisticsDump(
          m_dumps / side / "step0" / "rank0",
          {{"model.layers.0", 1}, {"model.layers.1", side[0] == 'g' ? 1.0 : 2.5}});
    }
  }
  [[nodiscard]] report::Report compared() const {
    return test::comparedReport(
        {.baseline = {.path = m_dumps / "golden"}, .candidate = {.path = m_dumps / "target"}});
  }
  void select(DetailsView& view, const char* site) {
    Selection selection;
    selection.runs = {m_fixture.workspace.reports.document()->variantName(0)};
    selection.site = QString::fromLatin1(site);
    view.setSelection(selection);
    m_fixture.settle();
  }

  test::TempDir m_dumps;
  test::ContextFixture m_fixture;
};

QStringList column(const QAbstractItemModel& model, int column) {
  QStringList texts;
  for (int row = 0; row < model.rowCount(); ++row) {
    texts << model.index(row, column).data().toString();
  }
  return texts;
}

TEST_F(DumpRecordTest, DetailsShowWhatWasRecordedAndWhereItWasMade) {
  m_fixture.openReport(compared());
  DetailsView view(m_fixture.context());
  view.resize(420, 900);
  view.setReport(m_fixture.workspace.reports.document());
  view.show();
  select(view, "decoder.1");
  auto* recorded = view.findChild<QTableView*>(QStringLiteral("recorded"));
  auto* calls = view.findChild<QTableView*>(QStringLiteral("calls"));
  ASSERT_TRUE(recorded != nullptr && calls != nullptr);
  EXPECT_TRUE(calls->isVisible()) << "the stack is in front";
  const test::ModelChecks recordedChecks(recorded->model());
  const test::ModelChecks callChecks(calls->model());
  const QStringList titles = column(*recorded->model(), 0);
  const auto maximum = static_cast<int>(titles.indexOf(QStringLiteral("Maximum")));
  ASSERT_GE(maximum, 0) << titles.join(QLatin1Char('|')).toStdString();
  EXPECT_EQ(recorded->model()->index(maximum, 1).data().toString(), QStringLiteral("1"));
  EXPECT_EQ(recorded->model()->index(maximum, 2).data().toString(), QStringLiteral("2.5"));
  EXPECT_FALSE(recorded->model()->index(maximum, 2).data(DimRole).toBool()) << "it differs";
  EXPECT_EQ(column(*calls->model(), 0),
            (QStringList{QStringLiteral("call"),
                         QStringLiteral("inside"),
                         QStringLiteral("frame"),
                         QStringLiteral("frame")}));
  const QStringList places = column(*calls->model(), 1);
  EXPECT_EQ(places[0], QStringLiteral("Module.model.layers.1.Layer.forward.0"));
  EXPECT_EQ(places[1], QStringLiteral("Module.model.Model.forward.0"));
  EXPECT_EQ(places[2], QStringLiteral("model.py:7 in forward: x = self.layer(x)"));
  EXPECT_EQ(places[3], QStringLiteral("train.py:3 in step: model(batch)"));
  EXPECT_TRUE(calls->model()
                  ->index(2, 1)
                  .data(Qt::ToolTipRole)
                  .toString()
                  .startsWith(QStringLiteral("File model.py, line 7")));
  const auto exhibits = view.exhibits();
  EXPECT_TRUE(std::ranges::any_of(exhibits, [](const Exhibit& exhibit) {
    return exhibit.id == QStringLiteral("calls") && exhibit.table().rows.size() == 4U;
  }));
}

TEST_F(DumpRecordTest, NothingOfTheTensorBeforeStandsUnderTheNameOfTheNext) {
  m_fixture.openReport(compared());
  const DocumentPtr document = m_fixture.workspace.reports.document();
  const QString run = document->variantName(0);
  const int first = document->findSite("decoder.0", Pass::Forward);
  const int second = document->findSite("decoder.1", Pass::Forward);
  ASSERT_TRUE(first >= 0 && second >= 0);
  const auto siteAt = [&](int site) { return document->sites()[static_cast<std::size_t>(site)]; };
  DumpRecordPane pane(m_fixture.context());
  auto* recorded = pane.findChild<QTableView*>(QStringLiteral("recorded"));
  ASSERT_NE(recorded, nullptr);
  pane.showTensor(document, run, siteAt(second));
  m_fixture.settle();
  ASSERT_EQ(pane.exhibits(QStringLiteral("decoder.1")).size(), 2U);
  pane.showTensor(document, run, siteAt(second));
  EXPECT_GT(recorded->model()->rowCount(), 0) << "a newer state of the same tensor";
  pane.showTensor(document, run, siteAt(first));
  EXPECT_EQ(recorded->model()->rowCount(), 0);
  EXPECT_TRUE(pane.exhibits(QStringLiteral("decoder.0")).empty());
  m_fixture.settle();
  const QStringList titles = column(*recorded->model(), 0);
  const auto maximum = static_cast<int>(titles.indexOf(QStringLiteral("Maximum")));
  ASSERT_GE(maximum, 0);
  EXPECT_EQ(recorded->model()->index(maximum, 2).data().toString(), QStringLiteral("1"));
  EXPECT_EQ(pane.exhibits(QStringLiteral("decoder.0")).size(), 2U);
}

TEST_F(DumpRecordTest, ThatItReadsIsSaidOfTheFirstTensorToo) {
  m_fixture.openReport(compared());
  DetailsView view(m_fixture.context());
  view.resize(420, 900);
  view.setReport(m_fixture.workspace.reports.document());
  view.show();
  const auto gate = std::make_shared<std::latch>(1);
  constexpr int kThreads = 3;
  for (int i = 0; i < kThreads; ++i) {
    m_fixture.background.run<bool>(
        QStringLiteral("occupied/%1").arg(i),
        &view,
        [gate](const std::stop_token& /*stop*/) {
          gate->wait();
          return true;
        },
        [](bool) {});
  }
  Selection selection;
  selection.runs = {m_fixture.workspace.reports.document()->variantName(0)};
  selection.site = QStringLiteral("decoder.1");
  view.setSelection(selection);
  const auto isSaid = [&view] {
    return std::ranges::any_of(view.findChildren<QLabel*>(), [](const QLabel* label) {
      return label->isVisible() &&
             label->text() == QStringLiteral("Reading what the dumps recorded…");
    });
  };
  EXPECT_TRUE(test::waitFor(isSaid));
  gate->count_down();
  m_fixture.settle();
  EXPECT_FALSE(isSaid());
  EXPECT_GT(view.findChild<QTableView*>(QStringLiteral("recorded"))->model()->rowCount(), 0);
}

TEST(DumpRecordModels, ShowRowsAndWhatDiffers) {
  RecordedModel recorded;
  const test::ModelChecks recordedChecks(&recorded);
  recorded.setContent(recordedColumns(),
                      std::make_shared<const std::vector<RecordedRow>>(std::vector<RecordedRow>{
                          {QStringLiteral("Mean"), QStringLiteral("1"), QStringLiteral("2"), true},
                          {QStringLiteral("Shape"), QStringLiteral("4"), QStringLiteral("4")}}));
  EXPECT_EQ(column(recorded, 2), (QStringList{QStringLiteral("2"), QStringLiteral("4")}));
  EXPECT_FALSE(recorded.index(0, 2).data(DimRole).toBool());
  EXPECT_TRUE(recorded.index(1, 2).data(DimRole).toBool());
  CallModel calls;
  const test::ModelChecks callChecks(&calls);
  calls.setContent(callColumns(),
                   std::make_shared<const std::vector<CallRow>>(std::vector<CallRow>{
                       {CallRow::Kind::Frame, QStringLiteral("File a.py, line 1")}}));
  EXPECT_EQ(calls.index(0, 0).data().toString(), QStringLiteral("frame"));
  EXPECT_EQ(calls.index(0, 1).data().toString(), QStringLiteral("File a.py, line 1"));
  calls.setContent(callColumns(), nullptr);
  EXPECT_EQ(calls.rowCount(), 0);
}

TEST_F(DumpRecordTest, AStudyHasNoSuchPart) {
  m_fixture.openReport(test::sampleReport(1, {"bf16"}));
  DetailsView view(m_fixture.context());
  view.setReport(m_fixture.workspace.reports.document());
  view.show();
  select(view, "decoder.0");
  EXPECT_FALSE(view.findChild<DumpRecordPane*>()->isVisible());
}

TEST_F(DumpRecordTest, DumpsThatAreGoneAreSaid) {
  const report::Report report = compared();
  std::filesystem::rename(m_dumps / "target", m_dumps / "moved");
  m_fixture.openReport(report);
  DetailsView view(m_fixture.context());
  view.setReport(m_fixture.workspace.reports.document());
  view.show();
  select(view, "decoder.1");
  EXPECT_FALSE(view.findChild<QTableView*>(QStringLiteral("calls"))->isVisible());
  EXPECT_TRUE(std::ranges::any_of(view.findChildren<QLabel*>(), [&](const QLabel* label) {
    return label->isVisible() &&
           label->text().contains(QString::fromStdString((m_dumps / "target").string()));
  }));
}

}  // namespace
}  // namespace ulp::views
