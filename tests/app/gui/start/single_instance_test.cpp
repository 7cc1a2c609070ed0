#include "app/gui/start/single_instance.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QUuid>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QSignalSpy>

#include "tests/support/machine/environment_variable.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/machine/without_rights.h"
#include "tests/support/window/wait_for.h"

namespace ulp::app {
namespace {

struct SingleInstanceTest : testing::Test {
  /// A second start has a thread of its own here: it waits for the answer of the first.
  [[nodiscard]] bool handOver(const QStringList& paths) const {
    auto done =
        std::async(std::launch::async, [&] { return SingleInstance(name).handOver(paths); });
    EXPECT_TRUE(test::waitFor(
        [&] { return done.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
    return done.get();
  }
  /// The other side ends the connection.
  [[nodiscard]] static bool isLetGo(const QLocalSocket& socket) {
    return test::waitFor([&] { return socket.state() == QLocalSocket::UnconnectedState; });
  }
  test::TempDir runtime;
  test::EnvironmentVariable variable{"XDG_RUNTIME_DIR", runtime.path().string()};
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
  socket.connectToServer(first.socketFile());
  socket.write("rm -rf /\n");
  EXPECT_TRUE(isLetGo(socket));
  EXPECT_EQ(received.count(), 0);
}

TEST_F(SingleInstanceTest, NobodyIsWaitedForWhoSaysNothingOrTooMuch) {
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  QLocalSocket silent;
  silent.connectToServer(first.socketFile());
  EXPECT_TRUE(handOver({QStringLiteral("/a")})) << "others are answered meanwhile";
  EXPECT_TRUE(isLetGo(silent));
  QLocalSocket endless;
  endless.connectToServer(first.socketFile());
  endless.write(QByteArray(4 << 20, 'x'));
  EXPECT_TRUE(isLetGo(endless));
}

TEST_F(SingleInstanceTest, TheSocketOfAWindowThatCrashedIsTakenOver) {
  const QString file = SingleInstance(name).socketFile();
  const int left = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT(static_cast<std::size_t>(file.size()), sizeof(address.sun_path));
  std::ranges::copy(file.toStdString(), address.sun_path);
  ASSERT_EQ(::bind(left, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ::close(left);
  ASSERT_TRUE(QFileInfo::exists(file));
  EXPECT_FALSE(handOver({QStringLiteral("/a")}));
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  EXPECT_TRUE(handOver({QStringLiteral("/a")}));
}

TEST_F(SingleInstanceTest, AWindowThatDoesNotAnswerKeepsItsName) {
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  // No event of the first is handled here, as if it hung.
  EXPECT_FALSE(SingleInstance(name).handOver({QStringLiteral("/a")}));
  SingleInstance second(name);
  EXPECT_FALSE(second.listen());
  EXPECT_TRUE(handOver({QStringLiteral("/a")})) << "its socket is still the first's";
}

TEST_F(SingleInstanceTest, TheSocketLiesWhereOthersDoNotCome) {
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  struct stat folder {};
  ASSERT_EQ(::stat(QFileInfo(first.socketFile()).path().toUtf8().constData(), &folder), 0);
  EXPECT_EQ(folder.st_uid, ::geteuid());
  EXPECT_EQ(folder.st_mode & 07777U, 0700U);
}

TEST_F(SingleInstanceTest, AnotherUserIsNotListenedTo) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root can be another user";
  }
  SingleInstance first(name);
  ASSERT_TRUE(first.listen());
  const QSignalSpy received(&first, &SingleInstance::received);
  // Even where the way to the socket is open.
  const QByteArray file = first.socketFile().toUtf8();
  ASSERT_EQ(::chmod(file.constData(), 0777), 0);
  const QString link = QDir::tempPath() + QLatin1Char('/') + name;
  ASSERT_EQ(::link(file.constData(), link.toUtf8().constData()), 0);
  QLocalSocket socket;
  {
    const test::WithoutRootsRights nobody;
    socket.connectToServer(link);
    ASSERT_TRUE(socket.waitForConnected(10000)) << socket.errorString().toStdString();
  }
  socket.write("[\"/a\"]\n");
  EXPECT_TRUE(isLetGo(socket));
  EXPECT_EQ(received.count(), 0);
  QFile::remove(link);
}

}  // namespace
}  // namespace ulp::app
