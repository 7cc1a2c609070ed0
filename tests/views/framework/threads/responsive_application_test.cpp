#include "views/framework/threads/responsive_application.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QElapsedTimer>
#include <QtCore/QEventLoop>
#include <QtCore/QLocale>
#include <QtCore/QThread>
#include <QtCore/QTimer>
#include <QtGui/QPainter>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QToolTip>
#include <QtWidgets/QWidget>

#include "core/base/handed_over.h"
#include "tests/support/window/event_passes.h"
#include "tests/support/window/stall_listener.h"
#include "tests/support/window/wait_for.h"
#include "views/framework/threads/background.h"

namespace ulp::views {
namespace {

using namespace std::chrono_literals;

class ResponsiveApplicationTest : public testing::Test {
 protected:
  /// Whatever the machine and the sanitizers: nothing is computed here.
  static constexpr double kLimitMs = 100;

  void SetUp() override {
    m_application = qobject_cast<ResponsiveApplication*>(qApp);
    ASSERT_NE(m_application, nullptr);
    test::allowStalls(10000, "these events block on purpose");
    m_application->watch(kLimitMs);
    m_connection = QObject::connect(
        m_application, &ResponsiveApplication::stalled, m_application, [this](const Stall& stall) {
          // A busy machine makes other events wait for a processor.
          if (stall.ownMs > kLimitMs) {
            m_stalls.push_back(stall);
          }
        });
  }
  void TearDown() override {
    QObject::disconnect(m_connection);
    m_application->watch(test::kStallLimitMs);
  }

  /// One event that runs `work`, and the wait until it has been handled.
  template <class Work>
  void handle(Work work) {
    bool isDone = false;
    QTimer::singleShot(0, m_application, [&] {
      work();
      isDone = true;
    });
    ASSERT_TRUE(test::waitFor([&] { return isDone; }));
  }

  /// Computes until the thread has had a processor for that long.
  static void compute(double ms) {
    for (const double end = test::EventPasses::processorSeconds() + (ms * 1e-3);
         test::EventPasses::processorSeconds() < end;) {
    }
  }

  ResponsiveApplication* m_application = nullptr;
  QMetaObject::Connection m_connection;
  std::vector<Stall> m_stalls;
};

TEST_F(ResponsiveApplicationTest, NoticesAnEventThatComputes) {
  handle([] { compute(150); });
  ASSERT_EQ(m_stalls.size(), 1U);
  EXPECT_GE(m_stalls[0].ownMs, 145) << "however busy the machine was";
  EXPECT_LE(m_stalls[0].ownMs, m_stalls[0].ms);
}

TEST_F(ResponsiveApplicationTest, NoticesAnEventThatWaits) {
  handle([] { std::this_thread::sleep_for(300ms); });
  ASSERT_EQ(m_stalls.size(), 1U);
  EXPECT_GE(m_stalls[0].ms, 300);
  EXPECT_GE(m_stalls[0].ownMs, 250) << "sleeping is not waiting for a processor";
}

TEST_F(ResponsiveApplicationTest, ShortEventsAreFine) {
  handle([] {});
  EXPECT_TRUE(m_stalls.empty());
}

TEST_F(ResponsiveApplicationTest, WaitingForAProcessorIsNotTheEventsFault) {
  // More threads than processors, so that the event has to share them.
  std::atomic<bool> isOver = false;
  std::vector<std::jthread> others;
  for (unsigned i = 0; i < 6 * std::thread::hardware_concurrency(); ++i) {
    others.emplace_back([&isOver] {
      while (!isOver) {
      }
    });
  }
  handle([] { compute(150); });
  isOver = true;
  ASSERT_EQ(m_stalls.size(), 1U);
  EXPECT_GE(m_stalls[0].ownMs, 145);
  EXPECT_LT(m_stalls[0].ownMs, m_stalls[0].ms / 2) << "it shared the processor with six others";
}

TEST_F(ResponsiveApplicationTest, AnEventLoopInAnEventIsNotAStall) {
  double outerMs = 0;
  handle([&] {
    QElapsedTimer outer;
    outer.start();
    QEventLoop dialog;
    QTimer::singleShot(300, &dialog, &QEventLoop::quit);
    QTimer::singleShot(0, m_application, [] { std::this_thread::sleep_for(150ms); });
    dialog.exec();
    outerMs = static_cast<double>(outer.nsecsElapsed()) * 1e-6;
  });
  ASSERT_EQ(m_stalls.size(), 1U) << "the event in the loop, not the one around it";
  EXPECT_LT(m_stalls[0].ms, outerMs);
}

TEST_F(ResponsiveApplicationTest, SaysWhatWasHandled) {
  Background background;
  background.run<int>(
      QStringLiteral("load-bookmarks"),
      m_application,
      [](const std::stop_token&) { return 1; },
      [](int) { std::this_thread::sleep_for(120ms); });
  ASSERT_TRUE(test::waitFor([&] { return background.isIdle(); }));
  ASSERT_EQ(m_stalls.size(), 1U);
  EXPECT_EQ(m_stalls[0].work, QStringLiteral("MetaCall of ulp::views::Background: load-bookmarks"));
}

TEST_F(ResponsiveApplicationTest, TheLogNamesTheTime) {
  QTest::ignoreMessage(QtWarningMsg,
                       "the window did not answer for 1234 ms (567 ms without waiting for a "
                       "processor) while handling: Timer of QTimer");
  logStall({.work = QStringLiteral("Timer of QTimer"), .ms = 1234, .ownMs = 567});
}

/// Cannot be painted at first.
class OddWidget : public QWidget {
 public:
  int paints = 0;

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    const QPainter painter(this);
    if (++paints == 1) {
      throw std::out_of_range("no pixel 7");
    }
  }
};

TEST_F(ResponsiveApplicationTest, WhatAnEventThrowsEndsThatEventAlone) {
  test::allowFailedEvents();
  QSignalSpy failed(m_application, &ResponsiveApplication::failed);
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, m_application, [] { throw std::bad_alloc(); });
  timer.setSingleShot(true);
  timer.start(0);
  ASSERT_TRUE(test::waitFor([&] { return failed.count() == 1; }));
  EXPECT_EQ(failed[0][0].toString(),
            QStringLiteral("Timer of QTimer: there is not enough memory; close other programs, or "
                           "open less at a time"));
  OddWidget widget;
  widget.show();
  ASSERT_TRUE(test::waitFor([&] { return failed.count() == 2; }));
  EXPECT_EQ(failed[1][0].toString(), QStringLiteral("Paint of QWidget: no pixel 7"));
  widget.update();
  ASSERT_TRUE(test::waitFor([&] { return widget.paints > 1; }));
  handle([] {});
  EXPECT_EQ(failed.count(), 2);
}

TEST_F(ResponsiveApplicationTest, WhatAnEventThrowsEndsNoOtherThread) {
  test::allowFailedEvents();
  QStringList problems;
  QObject here;
  QObject::connect(
      m_application,
      &ResponsiveApplication::failed,
      &here,
      [&problems](const QString& problem) { problems << problem; },
      Qt::QueuedConnection);
  QThread thread;
  QObject worker;
  worker.moveToThread(&thread);
  thread.start();
  std::atomic<bool> isReached = false;
  QMetaObject::invokeMethod(&worker, HandedOver([] { throw std::out_of_range("no job 7"); }));
  QMetaObject::invokeMethod(&worker, HandedOver([&isReached] { isReached = true; }));
  m_application->watch(kLimitMs);
  EXPECT_TRUE(test::waitFor([&] { return isReached && !problems.isEmpty(); }));
  thread.quit();
  thread.wait();
  EXPECT_EQ(problems, QStringList{QStringLiteral("MetaCall of QObject: no job 7")});
}

std::string printedHalf() {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%g", 0.5);
  return text.data();
}

/// Runs a second time for a user whose numbers have commas.
TEST(CommaLocale, IsNotThatOfTheCLibrary) {
  if (qEnvironmentVariable("LC_ALL").startsWith(QLatin1String("tr_TR"))) {
    EXPECT_EQ(QLocale::system().toString(0.5), QStringLiteral("0,5")) << "what the user reads";
  }
  EXPECT_EQ(printedHalf(), "0.5");
  std::string inThread;
  std::jthread([&inThread] { inThread = printedHalf(); }).join();
  EXPECT_EQ(inThread, "0.5");
}

TEST(LiteralTexts, LabelsAndMessageBoxesTakeNoNameForMarkup) {
  const QString name = QStringLiteral("<b>R&D</b>");
  QLabel label(name);
  label.show();
  EXPECT_EQ(label.textFormat(), Qt::PlainText);
  QMessageBox box(QMessageBox::Question, name, name);
  box.show();
  for (const QLabel* part : box.findChildren<QLabel*>()) {
    EXPECT_EQ(part->textFormat(), Qt::PlainText) << part->objectName().toStdString();
  }
  QLabel rich(QStringLiteral("<b>ours</b>"));
  rich.setTextFormat(Qt::RichText);
  rich.show();
  EXPECT_EQ(rich.textFormat(), Qt::RichText);
}

TEST(LiteralTexts, ToolTipsTakeNoNameForMarkup) {
  QWidget window;
  window.show();
  const QString name = QStringLiteral("<a href='x'>R&D</a>");
  QToolTip::showText(window.mapToGlobal(QPoint(1, 1)), name, &window);
  const QLabel* tip = nullptr;
  for (const QWidget* widget : QApplication::topLevelWidgets()) {
    tip = widget->inherits("QTipLabel") ? qobject_cast<const QLabel*>(widget) : tip;
  }
  ASSERT_NE(tip, nullptr);
  EXPECT_EQ(tip->text(), name);
  EXPECT_EQ(tip->textFormat(), Qt::PlainText);
  QToolTip::hideText();
}

}  // namespace
}  // namespace ulp::views
