#include "views/plugins/compare/compare_view.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "tests/support/data/report_builder.h"
#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

class CompareViewTest : public testing::Test {
 protected:
  CompareViewTest() {
    m_view.resize(1000, 700);
    m_view.show();
    QObject::connect(&m_fixture.workspace.reports, &ReportSet::documentChanged, &m_view, [this] {
      m_view.setReport(m_fixture.workspace.reports.document());
    });
  }

  /// A report whose layers are called block.N, beside one in which they are decoder.N.
  void openTwo() {
    m_fixture.openReport(test::sampleReport(2, {"bf16"}));
    report::Report other = test::sampleReport(2, {"fp16"});
    other.provenance.tokenDigest = "sha256:cc";
    for (report::Comparison& row : other.runs[1].comparisons) {
      if (row.site.name.starts_with("decoder.")) {
        row.site.name.replace(0, 8, "decoder.block.");
      }
    }
    const auto folder = path("other");
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(report::saveReport(other, folder).has_value());
    m_fixture.workspace.reports.openBeside({QString::fromStdString(folder.string())});
    m_fixture.settle();
  }

  std::filesystem::path path(const std::string& name) const {
    return std::filesystem::path(m_fixture.folder.path().toStdString()) / name;
  }

  QTableView& table(const char* name) const {
    for (auto* found : m_view.findChildren<QTableView*>()) {
      if (found->accessibleName() == QLatin1String(name)) {
        return *found;
      }
    }
    throw std::runtime_error(name);
  }

  void press(const QString& text) {
    for (auto* button : m_view.findChildren<QPushButton*>()) {
      if (button->text() == text) {
        ASSERT_TRUE(button->isEnabled()) << text.toStdString();
        QTest::mouseClick(button, Qt::LeftButton);
        m_fixture.settle();
        return;
      }
    }
    FAIL() << text.toStdString();
  }

  bool says(const QString& text) const {
    const auto labels = m_view.findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* l) { return l->text() == text; });
  }

  QString cell(const char* name, int row, int column) const {
    return table(name).model()->index(row, column).data().toString();
  }

  test::ContextFixture m_fixture;
  CompareView m_view{m_fixture.context()};
};

constexpr const char* kFirst = "Tensors only in the first report";
constexpr const char* kOther = "Tensors only in the other report";
constexpr const char* kMapping = "Rules and pairs of names";
const QString kAll = QStringLiteral("All 10 tensors correspond.");

TEST_F(CompareViewTest, ListsReportsAndWhatOnlyOneOfThemHas) {
  openTwo();
  const QAbstractItemModelTester tester(table("Open reports").model());
  EXPECT_EQ(table("Open reports").model()->rowCount(), 2);
  EXPECT_EQ(cell("Open reports", 1, 0), QStringLiteral("other"));
  EXPECT_TRUE(cell("Open reports", 1, 3).contains(QStringLiteral("another")));
  EXPECT_EQ(table(kFirst).model()->rowCount(), 4);
  EXPECT_EQ(cell(kFirst, 0, 0), QStringLiteral("decoder.0"));
  EXPECT_EQ(cell(kOther, 0, 0), QStringLiteral("decoder.block.0"));
  const QString first = QFileInfo(m_fixture.folder.path()).fileName();
  EXPECT_TRUE(says(QStringLiteral("6 tensors correspond, 0 differ in shape, 4 are only in %1, 4 "
                                  "only in other.")
                       .arg(first)));
  ASSERT_EQ(m_view.exhibits().size(), 2U);
  EXPECT_EQ(m_view.exhibits()[1].table().rows.size(), 4U);
}

TEST_F(CompareViewTest, PairsAllThatAreAlike) {
  openTwo();
  press(QStringLiteral("Pair 4 alike"));
  EXPECT_TRUE(says(kAll));
  EXPECT_EQ(m_fixture.workspace.reports.document()->findSite("decoder.block.0", Pass::Forward), -1);
  EXPECT_EQ(table(kMapping).model()->rowCount(), 2);
}

TEST_F(CompareViewTest, PairsTheTwoChosenAndUnpairsThem) {
  openTwo();
  table(kFirst).setCurrentIndex(table(kFirst).model()->index(1, 0));
  table(kOther).setCurrentIndex(table(kOther).model()->index(1, 0));
  press(QStringLiteral("Pair the two chosen"));
  EXPECT_EQ(cell(kMapping, 0, 1), QStringLiteral("decoder.block.1"));
  EXPECT_EQ(cell(kMapping, 0, 2), QStringLiteral("decoder.1"));
  EXPECT_EQ(table(kOther).model()->rowCount(), 2);
  table(kMapping).setCurrentIndex(table(kMapping).model()->index(0, 0));
  press(QStringLiteral("Remove"));
  EXPECT_EQ(table(kMapping).model()->rowCount(), 0);
  EXPECT_EQ(table(kOther).model()->rowCount(), 4);
}

TEST_F(CompareViewTest, ARuleIsTypedAndAWrongOneIsExplained) {
  openTwo();
  const auto edits = m_view.findChildren<QLineEdit*>();
  ASSERT_EQ(edits.size(), 2);
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  QTest::keyClicks(edits[0], QStringLiteral("("));
  press(QStringLiteral("Add rule"));
  ASSERT_EQ(messages.count(), 1);
  EXPECT_TRUE(messages.first().first().value<Message>().text.startsWith(
      QStringLiteral("'(' is not a regular expression")));
  edits[0]->clear();
  QTest::keyClicks(edits[0], QStringLiteral("block\\."));
  QTest::keyClick(edits[1], Qt::Key_Return);
  m_fixture.settle();
  EXPECT_TRUE(says(kAll));
  EXPECT_EQ(cell(kMapping, 0, 0), QStringLiteral("Rule"));
}

TEST_F(CompareViewTest, ClosesTheChosenReport) {
  openTwo();
  m_view.viewActions().at(1)->trigger();
  m_fixture.settle();
  EXPECT_EQ(m_fixture.workspace.reports.sources().size(), 1U);
  EXPECT_EQ(table("Open reports").model()->rowCount(), 1);
  EXPECT_TRUE(table(kFirst).isHidden() || !table(kFirst).isVisible());
}

TEST_F(CompareViewTest, WhatIsListedOfOneReportIsNotPairedInTheMappingOfAnother) {
  openTwo();
  const auto folder = path("third");
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(report::saveReport(test::sampleReport(2, {"int8"}), folder).has_value());
  m_fixture.workspace.reports.openBeside({QString::fromStdString(folder.string())});
  m_fixture.settle();
  QTableView& reports = table("Open reports");
  ASSERT_EQ(reports.model()->rowCount(), 3);
  reports.setCurrentIndex(reports.model()->index(1, 0));
  m_fixture.settle();
  ASSERT_EQ(table(kFirst).model()->rowCount(), 4);
  const auto gate = std::make_shared<std::latch>(1);
  constexpr int kThreads = 3;
  for (int i = 0; i < kThreads; ++i) {
    m_fixture.background.run<bool>(
        QStringLiteral("occupied/%1").arg(i),
        &m_view,
        [gate](const std::stop_token& /*stop*/) {
          gate->wait();
          return true;
        },
        [](bool) {});
  }
  reports.setCurrentIndex(reports.model()->index(2, 0));
  EXPECT_EQ(table(kFirst).model()->rowCount(), 0);
  EXPECT_EQ(table(kOther).model()->rowCount(), 0);
  const auto buttons = m_view.findChildren<QPushButton*>();
  EXPECT_TRUE(std::ranges::none_of(buttons, [](const QPushButton* button) {
    return button->isEnabled() && button->text().startsWith(QStringLiteral("Pair "));
  }));
  reports.setCurrentIndex(reports.model()->index(0, 0));
  gate->count_down();
  m_fixture.settle();
  EXPECT_EQ(table(kFirst).model()->rowCount(), 0)
      << "the first report has nothing to correspond to";
  reports.setCurrentIndex(reports.model()->index(1, 0));
  m_fixture.settle();
  EXPECT_EQ(table(kFirst).model()->rowCount(), 4);
}

TEST_F(CompareViewTest, WithoutAReportThereIsNoMappingToLoadOrSave) {
  const QList<QAction*> actions = m_view.viewActions();
  const auto enabled = [&actions] {
    std::vector<bool> states;
    for (const QAction* action : actions) {
      states.push_back(action->isEnabled());
    }
    return states;
  };
  EXPECT_EQ(enabled(), (std::vector<bool>{true, false, false, false}));
  openTwo();
  press(QStringLiteral("Pair 4 alike"));
  EXPECT_EQ(enabled(), (std::vector<bool>{true, true, true, true}));
  m_fixture.workspace.closeAll();
  EXPECT_EQ(enabled(), (std::vector<bool>{true, false, false, false}));
}

TEST_F(CompareViewTest, OfOneReportSaysWhatAnotherWouldBringAndOffersIt) {
  m_fixture.openReport(test::sampleReport(3, {"a"}));
  m_view.setReport(m_fixture.workspace.reports.document());
  EXPECT_TRUE(says(QStringLiteral("One report is open")));
  const QSignalSpy asked(&m_fixture.workspace.requests, &WindowRequests::askForReportBeside);
  for (auto* button : m_view.findChildren<QPushButton*>()) {
    if (button->isVisible()) {
      button->click();
    }
  }
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(CompareViewTest, SaysWhatWouldBeHere) {
  m_view.setReport(nullptr);
  EXPECT_TRUE(says(QStringLiteral("Here any number of reports are compared with each other.")));
}

}  // namespace
}  // namespace ulp::views
