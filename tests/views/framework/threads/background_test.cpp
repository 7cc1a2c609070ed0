#include "views/framework/threads/background.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <new>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <QtCore/QThread>
#include <QtTest/QSignalSpy>

#include "core/base/stop_scope.h"
#include "tests/support/window/wait_for.h"

namespace ulp::views {
namespace {

int workUntilStopped(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::yield();
  }
  return 1;
}

class BackgroundTest : public testing::Test {
 protected:
  using Work = std::function<int(const std::stop_token&)>;

  void run(
      const char* tag, const Work& work, const std::function<void(int)>& done = [](int) {}) {
    m_background->run<int>(QLatin1String(tag), &m_receiver, work, done);
  }
  void save(const char* tag, const std::function<int()>& work) {
    m_background->save<int>(QLatin1String(tag), &m_receiver, work, [](int) {});
  }
  /// Runs something that goes on until it is asked to stop, and waits for its begin.
  void runUntilStopped(
      const char* tag, const std::function<void(int)>& done = [](int) {}) {
    const auto started = std::make_shared<std::promise<void>>();
    run(
        tag,
        [started, this](const std::stop_token& stop) {
          started->set_value();
          const int result = workUntilStopped(stop);
          m_stopped = true;
          return result;
        },
        done);
    started->get_future().wait();
  }
  [[nodiscard]] bool waitUntilIdle() {
    return test::waitFor([this] { return m_background->isIdle(); });
  }

  QObject m_receiver;
  std::atomic<bool> m_stopped = false;
  std::unique_ptr<Background> m_background =
      std::make_unique<Background>(nullptr, std::chrono::seconds(60));
};

TEST_F(BackgroundTest, WorksElsewhereAndDeliversHere) {
  QThread* worked = nullptr;
  QThread* delivered = nullptr;
  int result = 0;
  run(
      "t",
      [&](const std::stop_token&) {
        worked = QThread::currentThread();
        return 42;
      },
      [&](int value) {
        delivered = QThread::currentThread();
        result = value;
      });
  EXPECT_TRUE(m_background->isBusy(QStringLiteral("t")));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(result, 42);
  EXPECT_NE(worked, QThread::currentThread());
  EXPECT_EQ(delivered, QThread::currentThread());
}

TEST_F(BackgroundTest, NewerWorkOfTheSameTagReplacesOlder) {
  std::vector<int> delivered;
  const auto deliver = [&](int value) { delivered.push_back(value); };
  runUntilStopped("t", deliver);
  for (int i = 2; i < 6; ++i) {
    run(
        "t", [i](const std::stop_token&) { return i; }, deliver);
  }
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_TRUE(m_stopped);
  EXPECT_EQ(delivered, std::vector<int>{5});
}

TEST_F(BackgroundTest, LongWorkDoesNotHoldUpShortWork) {
  bool isShortDone = false;
  runUntilStopped("long");
  run(
      "short", [](const std::stop_token&) { return 2; }, [&](int) { isShortDone = true; });
  ASSERT_TRUE(test::waitFor([&] { return isShortDone; }));
  EXPECT_TRUE(m_background->isBusy(QStringLiteral("long")));
  m_background->cancel(QStringLiteral("long"));
  EXPECT_TRUE(m_background->isIdle());
}

TEST_F(BackgroundTest, BringsNewsInOrderBeforeTheResult) {
  std::vector<int> seen;
  m_background->run<int, int>(
      QStringLiteral("t"),
      &m_receiver,
      [](const std::stop_token&, const std::function<void(int)>& news) {
        for (int i = 0; i < 5; ++i) {
          news(i);
        }
        return 100;
      },
      [&](int item) { seen.push_back(item); },
      [&](int result) { seen.push_back(result); });
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4, 100}));
}

TEST_F(BackgroundTest, NeverCallsAReceiverThatDied) {
  auto receiver = std::make_unique<QObject>();
  bool called = false;
  m_background->run<int>(
      QStringLiteral("t"),
      receiver.get(),
      [](const std::stop_token&) { return 1; },
      [&](int) { called = true; });
  receiver.reset();
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_FALSE(called);
}

TEST_F(BackgroundTest, CancelledWorkNeverArrives) {
  bool called = false;
  QSignalSpy busy(m_background.get(), &Background::busyChanged);
  run(
      "t", [](const std::stop_token&) { return 1; }, [&](int) { called = true; });
  m_background->cancel(QStringLiteral("t"));
  EXPECT_TRUE(m_background->isIdle());
  EXPECT_EQ(busy.count(), 2);
  // What is posted arrives in order.
  bool isLaterHere = false;
  run(
      "later", [](const std::stop_token&) { return 2; }, [&](int) { isLaterHere = true; });
  ASSERT_TRUE(test::waitFor([&] { return isLaterHere; }));
  EXPECT_FALSE(called);
}

TEST_F(BackgroundTest, DestructionStopsTheRunningWork) {
  runUntilStopped("t");
  m_background.reset();
  EXPECT_TRUE(m_stopped);
}

TEST_F(BackgroundTest, DestructionSavesWhatWaitsAndDropsTheRest) {
  std::atomic<int> saved = 0;
  std::atomic<int> looked = 0;
  for (int i = 0; i < 5; ++i) {
    run(std::to_string(i).c_str(), &workUntilStopped);
  }
  run("look", [&](const std::stop_token&) { return ++looked; });
  save("a", [&] { return ++saved; });
  save("b", [&] { return ++saved; });
  save("b", [&] { return saved += 10; });
  m_background.reset();
  EXPECT_EQ(saved, 11) << "the newer state of b took the place of the older";
  EXPECT_EQ(looked, 0);
}

TEST_F(BackgroundTest, WhatWorkThrowsIsItsResultWhereThatMayBeAnError) {
  std::vector<Error> errors;
  const QSignalSpy failed(m_background.get(), &Background::failed);
  const auto keep = [&](const Result<int>& result) { errors.push_back(result.error()); };
  m_background->run<Result<int>>(
      QStringLiteral("load-bookmarks#140291"),
      &m_receiver,
      [](const std::stop_token&) -> Result<int> { throw std::bad_alloc(); },
      keep);
  m_background->save<Result<int>>(
      QStringLiteral("save"),
      &m_receiver,
      []() -> Result<int> { throw std::out_of_range("no place 7"); },
      keep);
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(errors.size(), 2U);
  std::ranges::sort(errors, {}, &Error::message);
  EXPECT_EQ(errors[0].code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(errors[0].message(),
            "load-bookmarks: there is not enough memory; close other programs, or open less at a "
            "time");
  EXPECT_EQ(errors[1].message(), "save: no place 7");
  EXPECT_EQ(failed.count(), 0);
}

TEST_F(BackgroundTest, WhatNoResultCanTellIsToldByItself) {
  const QSignalSpy failed(m_background.get(), &Background::failed);
  const QSignalSpy busy(m_background.get(), &Background::busyChanged);
  bool isDone = false;
  run(
      "t",
      [](const std::stop_token&) -> int { throw std::out_of_range("no place 7"); },
      [&](int) { isDone = true; });
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_FALSE(isDone);
  ASSERT_EQ(failed.count(), 1);
  EXPECT_EQ(failed[0][0].toString(), QStringLiteral("t"));
  EXPECT_EQ(failed[0][1].toString(), QStringLiteral("t: no place 7"));
  EXPECT_FALSE(busy.last()[1].toBool());
  run(
      "t", [](const std::stop_token&) { return 1; }, [&](int) { isDone = true; });
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_TRUE(isDone) << "the thread lives on";
}

TEST_F(BackgroundTest, WhatShowsAResultMayThrow) {
  const QSignalSpy failed(m_background.get(), &Background::failed);
  const QSignalSpy busy(m_background.get(), &Background::busyChanged);
  run(
      "t",
      [](const std::stop_token&) { return 1; },
      [](int) { throw std::out_of_range("no row 7"); });
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(failed.count(), 1);
  EXPECT_EQ(failed[0][1].toString(), QStringLiteral("t: no row 7"));
  EXPECT_FALSE(busy.last()[1].toBool());
}

TEST_F(BackgroundTest, DestructionIsPatientWithSavingAloneAndNothingOfTheRestArrives) {
  m_background = std::make_unique<Background>(nullptr, std::chrono::milliseconds(0));
  // Files that hang, as those on a server that is gone, on every thread.
  constexpr int kHanging = 3;
  const auto begun = std::make_shared<std::latch>(kHanging);
  const auto goOn = std::make_shared<std::latch>(1);
  const auto ended = std::make_shared<std::latch>(kHanging);
  bool isDelivered = false;
  for (int i = 0; i < kHanging; ++i) {
    run(
        std::to_string(i).c_str(),
        [=](const std::stop_token&) {
          begun->count_down();
          goOn->wait();
          ended->count_down();
          return 1;
        },
        [&](int) { isDelivered = true; });
  }
  begun->wait();
  std::atomic<bool> isSaved = false;
  save("slow", [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    isSaved = true;
    return 1;
  });
  m_background.reset();
  EXPECT_TRUE(isSaved);
  goOn->count_down();
  ended->wait();
  QCoreApplication::processEvents();
  EXPECT_FALSE(isDelivered);
}

/// What has no token and waits for something asks for that of the work.
TEST_F(BackgroundTest, WhatWorkCallsSeesThatItIsStopped) {
  const auto started = std::make_shared<std::promise<void>>();
  run("read", [started, this](const std::stop_token& /*stop*/) {
    started->set_value();
    const int result = workUntilStopped(currentStop());
    m_stopped = true;
    return result;
  });
  started->get_future().wait();
  m_background->cancel(QStringLiteral("read"));
  ASSERT_TRUE(test::waitFor([this] { return m_stopped.load(); }));
}

#if defined(__SANITIZE_THREAD__)

/// The other tests prove that it sees nothing where nothing is wrong.
TEST_F(BackgroundTest, TheThreadSanitizerSeesWhatWorkSharesWithTheWindow) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto share = [this] {
    std::atomic<bool> isLooking = false;
    volatile int shared = 0;
    run("t", [&](const std::stop_token&) {
      while (!isLooking) {
      }
      // It may overlook what happens in the very same moment.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      shared = 1;
      return 1;
    });
    isLooking = true;
    while (shared == 0) {
    }
    std::exit(waitUntilIdle() ? 0 : 1);
  };
  EXPECT_EXIT(share(), testing::ExitedWithCode(66), "data race");
}

#endif

}  // namespace
}  // namespace ulp::views
