#include "views/framework/threads/background.h"

#include <atomic>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include <QtCore/QThread>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

namespace ulp::views {
namespace {

bool wait(const std::function<bool()>& done) {
  return QTest::qWaitFor(done, 10000);
}

TEST(Background, WorksElsewhereAndDeliversHere) {
  Background background;
  QObject receiver;
  QThread* worked = nullptr;
  QThread* delivered = nullptr;
  int result = 0;
  background.run<int>(
      QStringLiteral("t"),
      &receiver,
      [&](const std::stop_token&) {
        worked = QThread::currentThread();
        return 42;
      },
      [&](int value) {
        delivered = QThread::currentThread();
        result = value;
      });
  EXPECT_TRUE(background.isBusy(QStringLiteral("t")));
  ASSERT_TRUE(wait([&] { return background.isIdle(); }));
  EXPECT_EQ(result, 42);
  EXPECT_NE(worked, QThread::currentThread());
  EXPECT_EQ(delivered, QThread::currentThread());
}

TEST(Background, NewerWorkOfTheSameTagReplacesOlder) {
  Background background;
  QObject receiver;
  std::vector<int> delivered;
  std::atomic<bool> stopped = false;
  std::promise<void> started;
  background.run<int>(
      QStringLiteral("t"),
      &receiver,
      [&](const std::stop_token& stop) {
        started.set_value();
        while (!stop.stop_requested()) {
          std::this_thread::yield();
        }
        stopped = true;
        return 1;
      },
      [&](int value) { delivered.push_back(value); });
  started.get_future().wait();
  for (int i = 2; i < 6; ++i) {
    background.run<int>(
        QStringLiteral("t"),
        &receiver,
        [i](const std::stop_token&) { return i; },
        [&](int value) { delivered.push_back(value); });
  }
  ASSERT_TRUE(wait([&] { return background.isIdle(); }));
  EXPECT_TRUE(stopped);
  EXPECT_EQ(delivered, std::vector<int>{5});
}

TEST(Background, LongWorkDoesNotHoldUpShortWork) {
  Background background;
  QObject receiver;
  std::promise<void> started;
  bool isShortDone = false;
  background.run<int>(
      QStringLiteral("long"),
      &receiver,
      [&](const std::stop_token& stop) {
        started.set_value();
        while (!stop.stop_requested()) {
          std::this_thread::yield();
        }
        return 1;
      },
      [](int) {});
  started.get_future().wait();
  background.run<int>(
      QStringLiteral("short"),
      &receiver,
      [](const std::stop_token&) { return 2; },
      [&](int) { isShortDone = true; });
  ASSERT_TRUE(wait([&] { return isShortDone; }));
  EXPECT_TRUE(background.isBusy(QStringLiteral("long")));
  background.cancel(QStringLiteral("long"));
  EXPECT_TRUE(background.isIdle());
}

TEST(Background, BringsNewsInOrderBeforeTheResult) {
  Background background;
  QObject receiver;
  std::vector<int> seen;
  background.run<int, int>(
      QStringLiteral("t"),
      &receiver,
      [](const std::stop_token&, const std::function<void(int)>& news) {
        for (int i = 0; i < 5; ++i) {
          news(i);
        }
        return 100;
      },
      [&](int item) { seen.push_back(item); },
      [&](int result) { seen.push_back(result); });
  ASSERT_TRUE(wait([&] { return background.isIdle(); }));
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4, 100}));
}

TEST(Background, NeverCallsAReceiverThatDied) {
  Background background;
  auto receiver = std::make_unique<QObject>();
  bool called = false;
  background.run<int>(
      QStringLiteral("t"),
      receiver.get(),
      [](const std::stop_token&) { return 1; },
      [&](int) { called = true; });
  receiver.reset();
  ASSERT_TRUE(wait([&] { return background.isIdle(); }));
  EXPECT_FALSE(called);
}

TEST(Background, CancelledWorkNeverArrives) {
  Background background;
  QObject receiver;
  bool called = false;
  QSignalSpy busy(&background, &Background::busyChanged);
  background.run<int>(
      QStringLiteral("t"),
      &receiver,
      [](const std::stop_token&) { return 1; },
      [&](int) { called = true; });
  background.cancel(QStringLiteral("t"));
  EXPECT_TRUE(background.isIdle());
  EXPECT_EQ(busy.count(), 2);
  // What is posted arrives in order.
  bool isLaterHere = false;
  background.run<int>(
      QStringLiteral("later"),
      &receiver,
      [](const std::stop_token&) { return 2; },
      [&](int) { isLaterHere = true; });
  ASSERT_TRUE(wait([&] { return isLaterHere; }));
  EXPECT_FALSE(called);
}

TEST(Background, DestructionStopsTheRunningWork) {
  std::promise<void> started;
  QObject receiver;
  std::atomic<bool> stopped = false;
  {
    Background background;
    background.run<int>(
        QStringLiteral("t"),
        &receiver,
        [&](const std::stop_token& stop) {
          started.set_value();
          while (!stop.stop_requested()) {
            std::this_thread::yield();
          }
          stopped = true;
          return 1;
        },
        [](int) {});
    started.get_future().wait();
  }
  EXPECT_TRUE(stopped);
}

TEST(Background, DestructionSavesWhatWaitsAndDropsTheRest) {
  QObject receiver;
  std::atomic<int> saved = 0;
  std::atomic<int> looked = 0;
  {
    Background background;
    const auto untilStopped = [](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::this_thread::yield();
      }
      return 0;
    };
    for (int i = 0; i < 5; ++i) {
      background.run<int>(QStringLiteral("long %1").arg(i), &receiver, untilStopped, [](int) {});
    }
    background.run<int>(
        QStringLiteral("look"),
        &receiver,
        [&](const std::stop_token&) { return ++looked; },
        [](int) {});
    background.save<int>(
        QStringLiteral("a"), &receiver, [&] { return ++saved; }, [](int) {});
    background.save<int>(
        QStringLiteral("b"), &receiver, [&] { return ++saved; }, [](int) {});
    background.save<int>(
        QStringLiteral("b"), &receiver, [&] { return saved += 10; }, [](int) {});
  }
  EXPECT_EQ(saved, 11) << "the newer state of b took the place of the older";
  EXPECT_EQ(looked, 0);
}

}  // namespace
}  // namespace ulp::views
