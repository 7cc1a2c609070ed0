#include "app/gui/start/start_page.h"

#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QPointer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QCommandLinkButton>
#include <QtWidgets/QPushButton>

namespace ulp::app {
namespace {

TEST(StartPage, OffersTheExampleOnlyWhereThereIsOne) {
  const StartPage without(false);
  const StartPage with(true);
  EXPECT_EQ(without.findChildren<QCommandLinkButton*>().size(), 4);
  EXPECT_EQ(with.findChildren<QCommandLinkButton*>().size(), 5);
}

TEST(StartPage, EachChoiceAsksForItsThing) {
  StartPage page(true);
  const QSignalSpy open(&page, &StartPage::openRequested);
  const QSignalSpy made(&page, &StartPage::newStudyRequested);
  const QSignalSpy dumps(&page, &StartPage::dumpsRequested);
  const QSignalSpy record(&page, &StartPage::recordRequested);
  const QSignalSpy example(&page, &StartPage::exampleRequested);
  for (QCommandLinkButton* button : page.findChildren<QCommandLinkButton*>()) {
    QTest::mouseClick(button, Qt::LeftButton);
  }
  EXPECT_EQ(open.count(), 1);
  EXPECT_EQ(made.count(), 1);
  EXPECT_EQ(dumps.count(), 1);
  EXPECT_EQ(record.count(), 1);
  EXPECT_EQ(example.count(), 1);
}

TEST(StartPage, RecentFilesThatAreGoneCannotBeOpened) {
  const QTemporaryDir folder;
  const QString there = folder.filePath(QStringLiteral("there.yaml"));
  QFile file(there);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  StartPage page(false);
  page.setRecentFiles({{there, QStringLiteral("Study · SmolLM2-135M · 2026-11-25")},
                       {QStringLiteral("/nonexistent/gone.json")}});
  const QSignalSpy recent(&page, &StartPage::recentRequested);
  QList<QPushButton*> buttons;
  for (QPushButton* button : page.findChildren<QPushButton*>()) {
    if (qobject_cast<QCommandLinkButton*>(button) == nullptr) {
      buttons << button;
    }
  }
  ASSERT_EQ(buttons.size(), 2);
  EXPECT_TRUE(buttons[0]->isEnabled());
  EXPECT_EQ(buttons[0]->text(), there + QStringLiteral("\nStudy · SmolLM2-135M · 2026-11-25"));
  EXPECT_FALSE(buttons[1]->isEnabled());
  EXPECT_TRUE(buttons[1]->text().contains(QStringLiteral("missing")));
  QTest::mouseClick(buttons[0], Qt::LeftButton);
  ASSERT_EQ(recent.count(), 1);
  EXPECT_EQ(recent[0][0].toString(), there);
}

TEST(StartPage, RecentComparisonsAreMadeAgain) {
  StartPage page(false);
  const report::DumpOrigin origin{.baseline = {.path = "/dumps/golden"},
                                  .candidate = {.path = "/dumps/target", .units = {.step = 1}}};
  page.setRecentComparisons({origin});
  std::vector<report::DumpOrigin> wanted;
  QObject::connect(&page, &StartPage::comparisonRequested, [&](const report::DumpOrigin& one) {
    wanted.push_back(one);
  });
  QPushButton* button = nullptr;
  for (QPushButton* found : page.findChildren<QPushButton*>()) {
    button = found->text() == QStringLiteral("target (step 1) – golden") ? found : button;
  }
  ASSERT_NE(button, nullptr);
  EXPECT_FALSE(button->parentWidget()->isHidden());
  EXPECT_EQ(button->toolTip(), QStringLiteral("/dumps/golden\n/dumps/target (step 1)"));
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(wanted, std::vector<report::DumpOrigin>{origin});
}

TEST(StartPage, TheListMayChangeWhileAnEntryOfItIsClicked) {
  StartPage page(false);
  const report::DumpOrigin first{.baseline = {.path = "/dumps/golden"},
                                 .candidate = {.path = "/dumps/first"}};
  const report::DumpOrigin second{.baseline = {.path = "/dumps/golden"},
                                  .candidate = {.path = "/dumps/second"}};
  page.setRecentComparisons({first, second});
  QPointer<QPushButton> clicked;
  for (QPushButton* found : page.findChildren<QPushButton*>()) {
    clicked = found->text() == QStringLiteral("second – golden") ? found : clicked.data();
  }
  ASSERT_FALSE(clicked.isNull());
  bool isThere = false;
  QObject::connect(&page, &StartPage::comparisonRequested, [&](const report::DumpOrigin& one) {
    page.setRecentComparisons({one, first});
    isThere = !clicked.isNull();
  });
  QTest::mouseClick(clicked.data(), Qt::LeftButton);
  EXPECT_TRUE(isThere) << "its signal was not over yet";
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  QStringList texts;
  for (QPushButton* found : page.findChildren<QPushButton*>()) {
    if (qobject_cast<QCommandLinkButton*>(found) == nullptr) {
      texts << found->text();
    }
  }
  EXPECT_EQ(texts,
            (QStringList{QStringLiteral("second – golden"), QStringLiteral("first – golden")}));
}

}  // namespace
}  // namespace ulp::app
