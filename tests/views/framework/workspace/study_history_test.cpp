#include "views/framework/workspace/study_history.h"

#include <gtest/gtest.h>

#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

class StudyHistory : public testing::Test {
 protected:
  void SetUp() override { m_fixture.workspace.study.restore({}, QStringLiteral("a: 1\n"), {}); }
  Workspace& workspace() { return m_fixture.workspace; }
  QUndoStack& history() { return m_fixture.workspace.study.history(); }
  [[nodiscard]] QString text() const { return m_fixture.workspace.study.content().text; }

  test::ContextFixture m_fixture;
};

TEST_F(StudyHistory, NamesItsSteps) {
  workspace().study.edit(QStringLiteral("a: 2\n"), QStringLiteral("change of a"));
  workspace().study.edit(QStringLiteral("a: 3\n"), QStringLiteral("change of b"));
  EXPECT_EQ(history().undoText(), QStringLiteral("change of b"));
  history().undo();
  EXPECT_EQ(text(), QStringLiteral("a: 2\n"));
  EXPECT_EQ(history().undoText(), QStringLiteral("change of a"));
  EXPECT_EQ(history().redoText(), QStringLiteral("change of b"));
  history().redo();
  EXPECT_EQ(text(), QStringLiteral("a: 3\n"));
}

TEST_F(StudyHistory, OneStepForOneStretchOfTyping) {
  const int before = history().count();
  for (const char* typed : {"x", "xy", "xyz"}) {
    workspace().study.setText(QLatin1String(typed));
  }
  EXPECT_EQ(history().count(), before + 1);
  workspace().study.setText(QStringLiteral("_xyz"));
  EXPECT_EQ(history().count(), before + 2);
  history().undo();
  EXPECT_EQ(text(), QStringLiteral("xyz"));
  history().undo();
  EXPECT_EQ(text(), QString());
}

TEST_F(StudyHistory, OneStepForTheStepsOfOneSpinBox) {
  const EditMerge merge{.id = QStringLiteral("seed"), .isTyping = false};
  const int before = history().count();
  for (const char* value : {"1", "2", "3"}) {
    workspace().study.edit(QLatin1String(value), QStringLiteral("change of seed"), merge);
  }
  EXPECT_EQ(history().count(), before + 1);
  history().undo();
  EXPECT_EQ(text(), QString());
}

TEST_F(StudyHistory, KnowsWhatIsNotSaved) {
  const QString path = m_fixture.folder.filePath(QStringLiteral("s.yaml"));
  EXPECT_TRUE(workspace().study.hasUnsavedEdits());
  ASSERT_TRUE(m_fixture.saveStudy(path).has_value());
  EXPECT_FALSE(workspace().study.hasUnsavedEdits());
  workspace().study.setText(QStringLiteral("b"));
  EXPECT_TRUE(workspace().study.hasUnsavedEdits());
  history().undo();
  EXPECT_FALSE(workspace().study.hasUnsavedEdits());
  workspace().study.openNew();
  EXPECT_FALSE(workspace().study.hasUnsavedEdits());
}

TEST_F(StudyHistory, EditsOfAStudyThatIsReplacedCanBeBroughtBack) {
  std::vector<Message> messages;
  QObject::connect(
      &workspace().messages, &Messages::raise, &workspace().messages, [&](const Message& m) {
        messages.push_back(m);
      });
  workspace().study.setText(QStringLiteral("precious"));
  workspace().study.openNew();
  ASSERT_EQ(messages.size(), 1U);
  ASSERT_EQ(messages[0].actions.size(), 1U);
  messages[0].actions[0].run();
  EXPECT_EQ(text(), QStringLiteral("precious"));
  EXPECT_TRUE(workspace().study.hasUnsavedEdits());
}

}  // namespace
}  // namespace ulp::views
