#include "views/studies/study_guard.h"

#include <fstream>
#include <future>

#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTimer>
#include <QtTest/QSignalSpy>

#include "tests/support/machine/content_of.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

class StudyGuardTest : public testing::Test {
 protected:
  void SetUp() override {
    QObject::connect(&m_fixture.workspace.messages,
                     &Messages::raise,
                     &m_fixture.workspace.messages,
                     [this](const Message& m) { m_messages.push_back(m); });
  }
  void write(const QString& path, const char* text) const {
    std::ofstream(path.toStdString()) << text;
  }
  [[nodiscard]] QString state() const { return m_fixture.folder.filePath(QStringLiteral("state")); }
  void openStudy() {
    write(m_path, "a: 1\n");
    m_fixture.workspace.open({m_path});
    m_fixture.settle();
  }
  bool waitForMessage() {
    return test::waitFor([this] { return !m_messages.empty(); });
  }

  test::ContextFixture m_fixture;
  std::vector<Message> m_messages;
  QString m_path = m_fixture.folder.filePath(QStringLiteral("s.yaml"));
};

TEST_F(StudyGuardTest, KeepsACopyOfUnsavedEditsAndRemovesItOnSave) {
  StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  openStudy();
  EXPECT_FALSE(QFile::exists(guard.copyFile()));
  m_fixture.workspace.study.setText(QStringLiteral("a: 2\n"));
  ASSERT_TRUE(test::waitFor([&] { return QFile::exists(guard.copyFile()); }));
  m_fixture.settle();
  ASSERT_TRUE(m_fixture.saveStudy(m_path).has_value());
  EXPECT_FALSE(QFile::exists(guard.copyFile()));
}

TEST_F(StudyGuardTest, RemovesACopyThatIsBeingWrittenWhenTheStudyIsSaved) {
  StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  openStudy();
  m_fixture.workspace.study.setText(QStringLiteral("a: 2\n"));
  ASSERT_TRUE(test::waitFor([&] { return QFile::exists(guard.copyFile()); }));
  m_fixture.settle();
  // The next copy, on a slow disk.
  std::promise<void> goOn;
  std::promise<void> isWriting;
  std::promise<void> isWritten;
  m_fixture.background.run<bool>(
      QStringLiteral("autosave"),
      &m_fixture.workspace.messages,
      [&, file = guard.copyFile()](const std::stop_token& /*stop*/) {
        isWriting.set_value();
        goOn.get_future().wait();
        write(file, "a copy");
        isWritten.set_value();
        return true;
      },
      [](bool) {});
  isWriting.get_future().wait();
  bool isSaved = false;
  m_fixture.workspace.study.save(m_path,
                                 [&](const Result<>& saved) { isSaved = saved.has_value(); });
  ASSERT_TRUE(test::waitFor([&] { return isSaved; }));
  goOn.set_value();
  isWritten.get_future().wait();
  m_fixture.settle();
  EXPECT_FALSE(QFile::exists(guard.copyFile()));
}

TEST_F(StudyGuardTest, OffersWhatACrashLeftAndTakesNothingUnasked) {
  openStudy();
  QDir().mkpath(state());
  const QString left = state() + QStringLiteral("/unsaved-1.json");
  const QString json = QStringLiteral(R"({"path": "%1", "text": "a: edited\n"})").arg(m_path);
  write(left, json.toUtf8().constData());
  StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  guard.offerRecovery();
  m_fixture.settle();
  ASSERT_EQ(m_messages.size(), 1U);
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("a: 1\n"));
  EXPECT_TRUE(m_messages[0].text.contains(m_path));
  m_messages[0].actions[0].run();
  m_fixture.settle();
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("a: edited\n"));
  EXPECT_EQ(m_fixture.workspace.study.content().savedText, QStringLiteral("a: 1\n"));
  EXPECT_TRUE(m_fixture.workspace.study.hasUnsavedEdits());
  EXPECT_FALSE(QFile::exists(left));
  EXPECT_TRUE(QFile::exists(guard.copyFile()));
  m_fixture.workspace.study.history().undo();
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("a: 1\n"));
}

TEST_F(StudyGuardTest, LeavesTheCopiesOfRunningProgramsAndNonsenseAlone) {
  StudyGuard other(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  openStudy();
  m_fixture.workspace.study.setText(QStringLiteral("a: 2\n"));
  ASSERT_TRUE(test::waitFor([&] { return QFile::exists(other.copyFile()); }));
  write(state() + QStringLiteral("/unsaved-2.json"), "{ not json");
  StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  guard.offerRecovery();
  m_fixture.settle();
  EXPECT_TRUE(m_messages.empty());
}

TEST_F(StudyGuardTest, AsksWhenAnotherProgramChangesTheFile) {
  const StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  openStudy();
  write(m_path, "a: other\n");
  ASSERT_TRUE(waitForMessage());
  ASSERT_EQ(m_messages[0].actions.size(), 2U);
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("a: 1\n"));
  m_messages[0].actions[0].run();
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("a: other\n"));
  EXPECT_FALSE(m_fixture.workspace.study.hasUnsavedEdits());
  m_fixture.workspace.study.history().undo();
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("a: 1\n"));
  EXPECT_TRUE(m_fixture.workspace.study.hasUnsavedEdits());
}

TEST_F(StudyGuardTest, SavingOverAnothersChangeNeedsAnAnswerFirst) {
  const StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  openStudy();
  m_fixture.workspace.study.setText(QStringLiteral("a: mine\n"));
  write(m_path, "a: theirs\n");
  const Result<> refused = m_fixture.saveStudy(m_path);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  ASSERT_FALSE(m_messages.empty());
  ASSERT_EQ(m_messages.back().actions.size(), 2U);
  m_messages.back().actions[1].run();
  EXPECT_TRUE(m_fixture.saveStudy(m_path).has_value());
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("a: mine\n"));
}

TEST_F(StudyGuardTest, SavingOverWhatIsNoTextIsRefusedWithItsPlace) {
  const StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  openStudy();
  m_fixture.workspace.study.setText(QStringLiteral("a: mine\n"));
  write(m_path, "a: 1\n# caf\xe9\n");
  const Result<> refused = m_fixture.saveStudy(m_path);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message().find("s.yaml:2:6: the byte 0xE9 is not UTF-8"),
            std::string::npos)
      << refused.error().message();
  EXPECT_EQ(test::contentOf(m_path.toStdString()), "a: 1\n# caf\xe9\n");
}

TEST_F(StudyGuardTest, OfTwoWindowsThatSaveAtOnceOneIsAsked) {
  openStudy();
  test::ContextFixture other;
  other.workspace.open({m_path});
  other.settle();
  m_fixture.workspace.study.setText(QStringLiteral("a: mine\n"));
  other.workspace.study.setText(QStringLiteral("a: theirs\n"));
  int answers = 0;
  int refused = 0;
  const auto take = [&](const Result<>& saved) {
    ++answers;
    refused += saved ? 0 : 1;
  };
  m_fixture.workspace.study.save(m_path, take);
  other.workspace.study.save(m_path, take);
  ASSERT_TRUE(test::waitFor([&] { return answers == 2; }));
  EXPECT_EQ(refused, 1) << test::contentOf(m_path.toStdString());
}

TEST_F(StudyGuardTest, SavingItselfAsksNothing) {
  const StudyGuard guard(
      m_fixture.workspace.study, m_fixture.workspace.messages, m_fixture.background, state());
  openStudy();
  m_fixture.workspace.study.setText(QStringLiteral("a: mine\n"));
  ASSERT_TRUE(m_fixture.saveStudy(m_path).has_value());
  const QSignalSpy looks(guard.findChild<QTimer*>(QStringLiteral("disk")), &QTimer::timeout);
  write(m_path, "a: mine\n");  // has it looked at, if saving has not
  ASSERT_TRUE(test::waitFor([&] { return looks.count() > 0; }));
  m_fixture.settle();
  EXPECT_TRUE(m_messages.empty());
}

}  // namespace
}  // namespace ulp::views
