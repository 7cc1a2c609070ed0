#include "views/framework/widgets/message_bar.h"

#include <gtest/gtest.h>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QTest>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolBar>
#include <QtWidgets/QToolButton>

namespace ulp::views {
namespace {

Message message(const QString& text, const QString& topic = {}) {
  return {.severity = Severity::Broken, .text = text, .topic = topic, .actions = {}};
}

TEST(MessageBar, ShowsAtMostThreeAndHidesWhenEmpty) {
  MessageBar bar;
  EXPECT_TRUE(bar.isHidden());
  for (int i = 0; i < 5; ++i) {
    bar.show(message(QString::number(i)));
  }
  EXPECT_EQ(bar.count(), 3);
  EXPECT_FALSE(bar.isHidden());
  bar.clear();
  EXPECT_EQ(bar.count(), 0);
  EXPECT_TRUE(bar.isHidden());
}

TEST(MessageBar, IsAsTallAsItsLines) {
  MessageBar bar;
  bar.resize(800, 10);
  bar.QWidget::show();
  bar.show(message(QStringLiteral("one line of a few words that fit into it")));
  const int line = bar.fontMetrics().height();
  ASSERT_TRUE(QTest::qWaitFor([&] { return bar.sizeHint().height() <= 3 * line; }))
      << bar.sizeHint().height();
  bar.clear();
  bar.show(message(QStringLiteral("word ").repeated(200)));
  EXPECT_TRUE(QTest::qWaitFor([&] { return bar.sizeHint().height() >= 6 * line; }))
      << bar.sizeHint().height();
}

TEST(MessageBar, TakesALineOfAToolBarForALineAndMoreForMore) {
  QMainWindow window;
  window.resize(1200, 400);
  auto* bar = new MessageBar;
  QToolBar* tools = window.addToolBar(QStringLiteral("Messages"));
  bar->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  QAction* action = tools->addWidget(bar);
  action->setVisible(false);
  QObject::connect(bar, &MessageBar::countChanged, action, [bar, action] {
    action->setVisible(bar->count() > 0);
  });
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  bar->show(message(QStringLiteral("word ").repeated(20)));
  const int line = bar->fontMetrics().height();
  EXPECT_TRUE(QTest::qWaitFor([&] { return bar->width() > 800 && bar->height() <= 3 * line; }))
      << bar->width() << " x " << bar->height();
  bar->clear();
  bar->show(message(QStringLiteral("word ").repeated(200)));
  EXPECT_TRUE(QTest::qWaitFor([&] { return bar->height() >= 5 * line; })) << bar->height();
}

TEST(MessageBar, ReplacesMessagesOfTheSameTopic) {
  MessageBar bar;
  bar.show(message(QStringLiteral("a"), QStringLiteral("open")));
  bar.show(message(QStringLiteral("b"), QStringLiteral("open")));
  bar.show(message(QStringLiteral("c"), QStringLiteral("run")));
  EXPECT_EQ(bar.count(), 2);
  bar.dismiss(QStringLiteral("open"));
  EXPECT_EQ(bar.count(), 1);
}

TEST(MessageBar, RunsTheChosenActionOnceAndCopiesTheText) {
  MessageBar bar;
  int ran = 0;
  Message question = message(QStringLiteral("what; where; remedy"));
  question.actions = {{QStringLiteral("Resume"), [&ran] { ++ran; }}};
  bar.show(question);
  const auto tools = bar.findChildren<QToolButton*>();
  ASSERT_EQ(tools.size(), 2);
  QTest::mouseClick(tools[0], Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), question.text);
  QTest::mouseClick(bar.findChild<QPushButton*>(), Qt::LeftButton);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(bar.count(), 0);
}

}  // namespace
}  // namespace ulp::views
