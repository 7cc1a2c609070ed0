#include "views/plugins/dump/dump_view.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "core/report/model/one_dump.h"
#include "tests/support/data/compared_report.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/one_dump_report.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/plugins/dump/finding_line.h"

namespace ulp::views {
namespace {

class DumpViewTest : public testing::Test {
 protected:
  /// Opens a dump alone and shows it.
  void open(const std::filesystem::path& path) { showReport(test::reportOfOneDump(path)); }

  void showReport(const report::Report& report) {
    m_fixture.openReport(report);
    m_view = std::make_unique<DumpView>(m_fixture.context());
    m_view->resize(1100, 600);
    m_view->setReport(m_fixture.workspace.reports.document());
    m_view->show();
    QObject::connect(&m_fixture.selection,
                     &SelectionContext::selectionChanged,
                     m_view.get(),
                     [this](const Selection& selection) { m_view->setSelection(selection); });
    m_view->setSelection(m_fixture.selection.selection());
    settle();
  }

  void settle() {
    m_fixture.settle();
    ASSERT_TRUE(test::waitFor([this] { return m_view->isSettled(); }));
  }

  [[nodiscard]] QTableView& table() {
    return *m_view->findChild<QTableView*>(QStringLiteral("dumpTensors"));
  }
  [[nodiscard]] QString cell(int row, const QString& title, int role = Qt::DisplayRole) {
    const QAbstractItemModel& model = *table().model();
    for (int column = 0; column < model.columnCount(); ++column) {
      if (model.headerData(column, Qt::Horizontal).toString() == title) {
        return model.index(row, column).data(role).toString();
      }
    }
    ADD_FAILURE() << "no column " << title.toStdString();
    return {};
  }
  [[nodiscard]] int rowOf(const QString& call, const QString& tensor) {
    for (int row = 0; row < table().model()->rowCount(); ++row) {
      if (cell(row, QStringLiteral("Call")).contains(call) &&
          cell(row, QStringLiteral("Tensor")) == tensor) {
        return row;
      }
    }
    return -1;
  }
  void filter(const QString& text) {
    auto* line = m_view->findChild<QLineEdit*>();
    line->setFocus();
    line->selectAll();
    text.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, text);
    settle();
  }
  [[nodiscard]] std::vector<FindingLine*> shownLines() {
    std::vector<FindingLine*> shown;
    for (FindingLine* line : m_view->findChildren<FindingLine*>()) {
      if (line->isVisible()) {
        shown.push_back(line);
      }
    }
    return shown;
  }
  [[nodiscard]] static QString textOf(const FindingLine& line) {
    return line.findChild<QLabel*>()->text();
  }
  /// Three quiet steps, and one whose second layer has a maximum a hundred times as large.
  [[nodiscard]] std::filesystem::path steps() {
    const std::filesystem::path dump = m_folder.path() / "steps";
    for (int step = 0; step < 4; ++step) {
      test::writeStatisticsDump(
          dump / ("step" + std::to_string(step)) / "rank0",
          {{"model.layers.0", 1}, {"model.layers.1", step == 3 ? 100.0 : 1.0}});
    }
    return dump;
  }
  /// The same with the norm of the second layer.
  [[nodiscard]] std::filesystem::path spikingSteps() {
    const std::filesystem::path dump = m_folder.path() / "spiking";
    for (int step = 0; step < 4; ++step) {
      test::writeStatisticsDump(
          dump / ("step" + std::to_string(step)) / "rank0",
          {{"model.layers.0", 1}, {"model.layers.1", 1, step == 3 ? 200.0 : 2.0}});
    }
    return dump;
  }

  test::TempDir m_folder;
  test::ContextFixture m_fixture;
  std::unique_ptr<DumpView> m_view;
};

TEST(DumpModelTest, KeepsTheContractOfModels) {
  test::TempDir folder;
  test::writeStatisticsDump(folder.path() / "step0" / "rank0",
                            {{"model.layers.0", 1}, {"model.layers.1", 2}});
  const DocumentPtr document = ReportDocument::build(
      {.report = std::make_shared<const report::Report>(test::reportOfOneDump(folder.path()))});
  const QString run = document->variantName(0);
  const auto read = readDumpTable(document, *document->captureOrigin(run, {}), run, {});
  ASSERT_TRUE(read) << read.error().message();
  DumpModel model;
  const test::ModelChecks checks(&model);
  const std::vector<DumpColumn> columns = dumpColumns(*read);
  model.setContent({columns.begin(), columns.end()},
                   std::make_shared<const std::vector<DumpLine>>((*read)->lines));
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.columnCount(), static_cast<int>(columns.size()));
  model.setContent({columns.begin(), columns.end()}, nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(DumpViewTest, CallsStandInOrderOfExecutionWithWhatWasRecorded) {
  open(steps());
  const test::ModelChecks checks(table().model());
  ASSERT_EQ(table().model()->rowCount(), 2);
  EXPECT_EQ(cell(0, QStringLiteral("Call")),
            QStringLiteral("Module.model.layers.0.Layer.forward.0"));
  EXPECT_EQ(cell(0, QStringLiteral("Tensor")), QStringLiteral("output 0"));
  EXPECT_EQ(cell(0, QStringLiteral("Shape")), QStringLiteral("2 × 4"));
  EXPECT_EQ(cell(0, QStringLiteral("Format")), QStringLiteral("float32"));
  EXPECT_EQ(cell(0, QStringLiteral("Max"), RawRole), QStringLiteral("1"));
  EXPECT_EQ(cell(0, QStringLiteral("Min"), RawRole), QStringLiteral("-1"));
  EXPECT_EQ(cell(0, QStringLiteral("Mean"), RawRole), QStringLiteral("0.5"));
  EXPECT_EQ(cell(0, QStringLiteral("Norm"), RawRole), QStringLiteral("2"));
  EXPECT_EQ(cell(0, QStringLiteral("NaN")), QStringLiteral("0"));
  EXPECT_EQ(cell(0, QStringLiteral("Elements")), QStringLiteral("–"));
}

TEST_F(DumpViewTest, AnotherUnitIsChosenInTheListAndBecomesTheSelection) {
  open(steps());
  auto* units = m_view->findChild<QComboBox*>();
  ASSERT_TRUE(units->isVisible());
  EXPECT_EQ(units->count(), 4);
  m_fixture.selection.selectRun(QStringLiteral("step 0, rank 0"));
  settle();
  EXPECT_EQ(cell(1, QStringLiteral("Max"), RawRole), QStringLiteral("1"));
  units->setFocus();
  QTest::keyClick(units, Qt::Key_End);
  settle();
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("step 3, rank 0"));
  EXPECT_EQ(cell(1, QStringLiteral("Max"), RawRole), QStringLiteral("100"));
}

TEST_F(DumpViewTest, WithOneUnitThereIsNothingToChoose) {
  test::writeNpy(m_folder.path() / "one" / "a.npy", {2, 2}, {1, 2, 3, 4});
  open(m_folder.path() / "one");
  EXPECT_FALSE(m_view->findChild<QComboBox*>()->isVisible());
  EXPECT_EQ(cell(0, QStringLiteral("Max"), RawRole), QStringLiteral("4")) << "of the elements";
  EXPECT_EQ(cell(0, QStringLiteral("Elements")), QStringLiteral("recorded"));
}

TEST_F(DumpViewTest, WordsAndNumbersFilterTheTensors) {
  open(steps());
  m_fixture.selection.selectRun(QStringLiteral("step 3, rank 0"));
  settle();
  filter(QStringLiteral("layers.1 output"));
  ASSERT_EQ(table().model()->rowCount(), 1);
  EXPECT_EQ(cell(0, QStringLiteral("Call")),
            QStringLiteral("Module.model.layers.1.Layer.forward.0"));
  filter(QStringLiteral("max>50"));
  ASSERT_EQ(table().model()->rowCount(), 1);
  filter(QStringLiteral("max<=50"));
  ASSERT_EQ(table().model()->rowCount(), 1);
  EXPECT_EQ(cell(0, QStringLiteral("Max"), RawRole), QStringLiteral("1"));
  filter(QStringLiteral("\"layers.1\" Max > 50"));
  ASSERT_EQ(table().model()->rowCount(), 1) << "as in the table of tensors";
  filter(QStringLiteral("nothing like this"));
  EXPECT_EQ(table().model()->rowCount(), 0);
  filter(QString());
  EXPECT_EQ(table().model()->rowCount(), 2);
}

TEST_F(DumpViewTest, AClickOnAHeadingSortsAndAThirdOneIsInOrderOfExecutionAgain) {
  open(steps());
  m_fixture.selection.selectRun(QStringLiteral("step 3, rank 0"));
  settle();
  QHeaderView* header = table().horizontalHeader();
  constexpr int kMax = 2;
  const QPoint at(header->sectionViewportPosition(kMax) + 5, header->height() / 2);
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(cell(0, QStringLiteral("Max"), RawRole), QStringLiteral("100"));
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(cell(0, QStringLiteral("Max"), RawRole), QStringLiteral("1"));
}

TEST_F(DumpViewTest, ASelectedRowIsTheSelectionOfTheWindow) {
  open(steps());
  const QRect second = table().visualRect(table().model()->index(1, 0));
  QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, second.center());
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.1"));
  m_fixture.selection.selectSite(QStringLiteral("decoder.0"), Pass::Forward);
  settle();
  EXPECT_EQ(table().currentIndex().row(), 0);
}

TEST_F(DumpViewTest, ADoubleClickAsksForTheElements) {
  open(steps());
  QSignalSpy deeper(&m_fixture.workspace.requests, &WindowRequests::goDeeper);
  const QRect first = table().visualRect(table().model()->index(0, 0));
  QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, first.center());
  QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, first.center());
  ASSERT_EQ(deeper.size(), 1);
  EXPECT_EQ(deeper[0][0].toInt(), 3) << "above the view of elements";
}

TEST_F(DumpViewTest, TheSelectedRowsAreCopied) {
  open(steps());
  table().selectRow(1);
  table().setFocus();
  QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
  const QString copied = QGuiApplication::clipboard()->text();
  EXPECT_TRUE(copied.contains(QStringLiteral("Module.model.layers.1.Layer.forward.0")))
      << copied.toStdString();
}

TEST_F(DumpViewTest, WhatIsListedIsExportedWithEveryDigit) {
  open(steps());
  filter(QStringLiteral("layers.0"));
  const std::vector<Exhibit> exhibits = m_view->exhibits();
  ASSERT_EQ(exhibits.size(), 1U);
  const report::DataTable exported = exhibits[0].table();
  ASSERT_EQ(exported.rows.size(), 1U);
  EXPECT_EQ(std::get<double>(exported.rows[0][2]), 1);
}

TEST_F(DumpViewTest, TheFirstCallThatMakesNanStandsOnTopAndShowMeLeadsThere) {
  open(test::msprobeCase("v26_stat_nan/target"));
  const auto lines = shownLines();
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(textOf(*lines[0]).startsWith(QStringLiteral("■ Not finite from ")))
      << textOf(*lines[0]).toStdString();
  const auto& findings = m_fixture.findings.findings();
  ASSERT_TRUE(findings && !findings->empty());
  const Site origin = findings->front().sites.front();
  auto* show = lines[0]->findChild<QPushButton*>();
  ASSERT_TRUE(show->isVisible());
  QTest::mouseClick(show, Qt::LeftButton);
  settle();
  EXPECT_EQ(m_fixture.selection.selection().site, QString::fromStdString(origin.name));
  const int row = table().currentIndex().row();
  ASSERT_GE(row, 0);
  EXPECT_TRUE(table().selectionModel()->isRowSelected(row));
}

TEST_F(DumpViewTest, OnlyWhatIsNotFiniteIsListedWhenAskedFor) {
  open(test::msprobeCase("v26_stat_nan/target"));
  const int all = table().model()->rowCount();
  auto* toggle = m_view->findChild<QToolButton*>();
  for (auto* button : m_view->findChildren<QToolButton*>()) {
    toggle = button->text() == QStringLiteral("Not finite") ? button : toggle;
  }
  QTest::mouseClick(toggle, Qt::LeftButton);
  settle();
  const int broken = table().model()->rowCount();
  EXPECT_GT(broken, 0);
  EXPECT_LT(broken, all);
  for (int row = 0; row < broken; ++row) {
    EXPECT_TRUE(cell(row, QStringLiteral("NaN")).startsWith(QStringLiteral("≥ ")) ||
                cell(row, QStringLiteral("Inf")).startsWith(QStringLiteral("≥ ")));
  }
}

TEST_F(DumpViewTest, AFiniteDumpSaysSo) {
  open(steps());
  const auto lines = shownLines();
  ASSERT_EQ(lines.size(), 1U) << "the norms are alike";
  EXPECT_TRUE(textOf(*lines[0]).startsWith(QStringLiteral("● No call makes NaN")))
      << textOf(*lines[0]).toStdString();
  EXPECT_FALSE(lines[0]->findChild<QPushButton*>()->isVisible());
}

TEST_F(DumpViewTest, WhereASpikeBeginsIsTold) {
  open(spikingSteps());
  const auto lines = shownLines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(textOf(*lines[1]).contains(
      QStringLiteral("A spike begins at step 3: the norm of decoder.1, forward is 200, 100 times")))
      << textOf(*lines[1]).toStdString();
  QTest::mouseClick(lines[1]->findChild<QPushButton*>(), Qt::LeftButton);
  settle();
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("step 3, rank 0"));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.1"));
}

TEST_F(DumpViewTest, SeekingATensorClearsTheFilterThatHidesIt) {
  open(steps());
  filter(QStringLiteral("layers.0"));
  m_fixture.selection.selectSite(QStringLiteral("decoder.1"), Pass::Forward);
  QSignalSpy sought(m_view.get(), &View::placeSought);
  m_view->seekPlace();
  settle();
  ASSERT_EQ(sought.size(), 1);
  EXPECT_EQ(sought[0][0].value<Sight>(), Sight::Seen);
  EXPECT_EQ(table().model()->rowCount(), 2);
  const auto mark = m_view->placeMark();
  ASSERT_TRUE(mark);
  EXPECT_EQ(mark->site, QStringLiteral("decoder.1"));
}

TEST_F(DumpViewTest, WithoutADumpAFolderIsAskedFor) {
  showReport(test::realisticReport({.layers = 2}));
  const QSignalSpy asked(&m_fixture.workspace.requests, &WindowRequests::askForFolder);
  for (auto* button : m_view->findChildren<QPushButton*>()) {
    if (button->isVisible() && button->text() == QStringLiteral("Open a folder…")) {
      button->click();
    }
  }
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(DumpViewTest, AComparisonIsNotListedAndItsCandidateIsOffered) {
  const std::filesystem::path dump = steps();
  showReport(test::comparedReport({.baseline = {.path = dump}, .candidate = {.path = dump}}));
  QSignalSpy asked(&m_fixture.workspace.requests, &WindowRequests::compareDumps);
  QPushButton* open = nullptr;
  for (auto* button : m_view->findChildren<QPushButton*>()) {
    open = button->text() == QStringLiteral("Open the candidate alone") ? button : open;
  }
  ASSERT_TRUE(open != nullptr && open->isVisible());
  QTest::mouseClick(open, Qt::LeftButton);
  ASSERT_EQ(asked.size(), 1);
  const auto origin = asked[0][0].value<report::DumpOrigin>();
  EXPECT_EQ(origin.baseline.path, dump);
  EXPECT_TRUE(report::isOneDump(origin));
}

TEST_F(DumpViewTest, CompareWithAsksForTheOtherDump) {
  const std::filesystem::path dump = steps();
  open(dump);
  QSignalSpy asked(&m_fixture.workspace.requests, &WindowRequests::askForDumps);
  m_view->viewActions().front()->trigger();
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(asked[0][0].value<report::DumpOrigin>().baseline.path, dump);
}

TEST_F(DumpViewTest, ADumpThatIsGoneIsSaidInItsPlace) {
  const std::filesystem::path dump = steps();
  const report::Report report = test::reportOfOneDump(dump);
  std::filesystem::rename(dump, m_folder.path() / "elsewhere");
  showReport(report);
  const auto labels = m_view->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->isVisible() && label->text() == QStringLiteral("The dump is not where it was");
  }));
}

TEST_F(DumpViewTest, EveryFormatOfDumpsIsListed) {
  for (const auto& path : {test::msprobeCase("v26_stat_w/target"),
                           test::msprobeCase("v83_stat_w/target"),
                           test::msprobeCase("v26_tensor_L0_w/target"),
                           test::msprobeCase("v26_md5_w/target"),
                           test::msprobeCase("msit_full/my")}) {
    open(path);
    EXPECT_GT(table().model()->rowCount(), 3) << path;
    const test::ModelChecks checks(table().model());
    EXPECT_FALSE(cell(0, QStringLiteral("Call")).isEmpty()) << path;
    m_view.reset();
  }
}

}  // namespace
}  // namespace ulp::views
