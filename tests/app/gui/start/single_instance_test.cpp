#include "app/gui/start/single_instance.h"

#include <chrono>
#include <future>

#include <gtest/gtest.h>

#include <QtCore/QUuid>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

namespace ulp::app {
namespace {

struct SingleInstanceTest : testing::Test {
  /// A second start has a thread of its own here: it waits for the answer of the first.
  [[nodiscard]] bool handOver(const QStringList& paths) const {
    auto done =
        std::async(std::launch::async, [&] { return SingleInstance(name).handOver(paths); });
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return done.wait_for(std::chrono::seconds(0)) == std::future_status::ready; },
        10000));
    return done.get();
  }
  QString name = QStringLiteral("ulpscope-test-") + QUuid::createUuid().toString(QUuid::Id128);
};

TEST_F(SingleInstanceTest, ASecondStartHandsItsFilesToTheFirst) {
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  const QSignalSpy received(&first, &SingleInstance::received);
  const QStringList paths{QStringLiteral("/a b/报告.json"), QStringLiteral("/c")};
  EXPECT_TRUE(handOver(paths));
  ASSERT_EQ(received.count(), 1);
  EXPECT_EQ(received[0][0].toStringList(), paths);
  EXPECT_TRUE(handOver({}));
  EXPECT_EQ(received.count(), 2);
}

TEST_F(SingleInstanceTest, WithoutAWindowThereIsNobodyToHandTo) {
  EXPECT_FALSE(handOver({QStringLiteral("/a")}));
}

TEST_F(SingleInstanceTest, OnlyOneWindowListens) {
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  SingleInstance second(name);
  EXPECT_FALSE(second.listen());
}

TEST_F(SingleInstanceTest, WhatIsNotAListOfPathsIsRefused) {
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  const QSignalSpy received(&first, &SingleInstance::received);
  QLocalSocket socket;
  socket.connectToServer(name);
  socket.write("rm -rf /\n");
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return socket.state() == QLocalSocket::UnconnectedState; }, 10000));
  EXPECT_EQ(received.count(), 0);
}

}  // namespace
}  // namespace ulp::app
