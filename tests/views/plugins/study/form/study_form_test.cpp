#include "views/plugins/study/form/study_form.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QtGui/QKeyEvent>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>

#include "tests/views/plugins/study/study_view_fixture.h"
#include "views/plugins/study/form/number_box.h"

namespace ulp::views {
namespace {

class StudyFormTest : public StudyViewFixture {};

TEST_F(StudyFormTest, EveryKeyHasItsControl) {
  for (const study::Key& key : study::schemaKeys()) {
    const FormField* field = find<StudyForm>().field(key.path);
    ASSERT_NE(field, nullptr) << key.path;
    EXPECT_TRUE(field->toolTip().contains(
        QString::fromUtf8(key.path.data(), static_cast<qsizetype>(key.path.size()))));
    EXPECT_NE(field->focusProxy(), nullptr);
  }
}

TEST_F(StudyFormTest, ANarrowFormPutsNamesAboveFieldsAndCutsNone) {
  auto& form = find<StudyForm>();
  FormField* field = form.field("input.sequence_length");
  const auto isAbove = [&] {
    const auto labels = form.findChildren<QLabel*>();
    const auto* label = *std::ranges::find(labels, field, &QLabel::buddy);
    return label->geometry().bottom() < field->geometry().top();
  };
  const auto isWhole = [&](std::string_view key) {
    const FormField* each = form.field(key);
    return each->width() >= each->minimumSizeHint().width() &&
           each->geometry().right() < form.viewport()->width();
  };
  EXPECT_FALSE(isAbove());
  m_host->resize(680, 900);
  settle();
  ASSERT_LT(form.width(), 345);
  EXPECT_TRUE(isAbove());
  for (const study::Key& key : study::schemaKeys()) {
    EXPECT_TRUE(isWhole(key.path)) << key.path;
  }
  m_host->resize(1100, 900);
  settle();
  EXPECT_FALSE(isAbove());
}

TEST_F(StudyFormTest, AChangeInTheFormChangesOneWordOfTheText) {
  auto& length = control<NumberBox>("input.sequence_length");
  length.setFocus();
  length.selectAll();
  QTest::keyClicks(&length, QStringLiteral("256"));
  QTest::keyClick(&length, Qt::Key_Return);
  EXPECT_EQ(text(), QString(startText()).replace(QStringLiteral("64"), QStringLiteral("256")));
  EXPECT_EQ(editor().toPlainText(), text());
  EXPECT_EQ(m_fixture.workspace.study.history().undoText(),
            QStringLiteral("change of input.sequence_length"));
  undo();
  settle();
  EXPECT_EQ(text(), startText());
  EXPECT_EQ(length.text(), QStringLiteral("64"));
}

TEST_F(StudyFormTest, ADeviceThatIsOfferedAgainHasItsNewName) {
  auto& device = control<QComboBox>("device");
  FormField& field = *find<StudyForm>().field("device");
  field.offer(QStringLiteral("cuda:0"), QStringLiteral("cuda:0"));
  field.offer(QStringLiteral("cuda:1"), QStringLiteral("cuda:1"));
  const int count = device.count();
  field.offer(QStringLiteral("cuda:0"), QStringLiteral("cuda:0 (H200)"));
  EXPECT_EQ(device.count(), count);
  EXPECT_EQ(device.itemText(count - 2), QStringLiteral("cuda:0 (H200)"));
  EXPECT_EQ(device.itemData(count - 2), QStringLiteral("cuda:0"));
}

TEST_F(StudyFormTest, SavingTakesOverWhatIsStillBeingTypedInTheForm) {
  const QString file = m_fixture.folder.filePath(QStringLiteral("typed.yaml"));
  auto& length = control<NumberBox>("input.sequence_length");
  length.setFocus();
  length.selectAll();
  QTest::keyClicks(&length, QStringLiteral("33"));
  ASSERT_TRUE(m_fixture.saveStudy(file));
  EXPECT_EQ(lines(3, 1), QStringLiteral("input: {sequence_length: 33}"));
  EXPECT_EQ(m_fixture.workspace.study.content().savedText, text());
  auto& folder = control<QLineEdit>("output_dir");
  folder.setFocus();
  QTest::keyClicks(&folder, QStringLiteral("elsewhere"));
  ASSERT_TRUE(m_fixture.saveStudy(file));
  EXPECT_EQ(lines(8, 1), QStringLiteral("output_dir: elsewhere"));
  auto& device = control<QComboBox>("device");
  device.setFocus();
  device.lineEdit()->selectAll();
  QTest::keyClicks(&device, QStringLiteral("cpu"));
  ASSERT_TRUE(m_fixture.saveStudy(file));
  EXPECT_TRUE(text().contains(QStringLiteral("device: cpu"))) << text().toStdString();
  EXPECT_EQ(m_fixture.workspace.study.content().savedText, text());
}

TEST_F(StudyFormTest, AStudyThatIsReplacedTakesItsLastTypingAlong) {
  MessageAction offered;
  QObject::connect(
      &m_fixture.workspace.messages, &Messages::raise, m_host.get(), [&](const Message& message) {
        offered = message.actions.at(0);
      });
  auto& length = control<NumberBox>("input.sequence_length");
  length.setFocus();
  length.selectAll();
  QTest::keyClicks(&length, QStringLiteral("33"));
  m_fixture.workspace.study.openNew();
  ASSERT_EQ(offered.text, QStringLiteral("Bring it back"));
  offered.run();
  EXPECT_EQ(lines(3, 1), QStringLiteral("input: {sequence_length: 33}"));
}

TEST_F(StudyFormTest, AnEditOfAFieldThatWasLeftIsAStepOfItsOwn) {
  auto& length = control<NumberBox>("input.sequence_length");
  length.setFocus();
  length.selectAll();
  QTest::keyClicks(&length, QStringLiteral("96"));
  QTest::keyClick(&length, Qt::Key_Tab);
  EXPECT_EQ(lines(3, 1), QStringLiteral("input: {sequence_length: 96}"));
  length.setFocus();
  QTest::keyClick(&length, Qt::Key_Up);
  QTest::keyClick(&length, Qt::Key_Up);
  EXPECT_EQ(lines(3, 1), QStringLiteral("input: {sequence_length: 98}"));
  undo();
  EXPECT_EQ(lines(3, 1), QStringLiteral("input: {sequence_length: 96}"));
  undo();
  EXPECT_EQ(text(), startText());
}

TEST_F(StudyFormTest, SmallNumbersKeepTheirDigits) {
  m_fixture.workspace.study.setText(
      startText() +
      QStringLiteral("optimizer: {type: adamw, learning_rate: 2e-7, epsilon: 1e-9}\n"));
  settle();
  auto& rate = control<NumberBox>("optimizer.learning_rate");
  auto& epsilon = control<NumberBox>("optimizer.epsilon");
  EXPECT_EQ(rate.text(), QStringLiteral("2e-7"));
  EXPECT_EQ(epsilon.text(), QStringLiteral("1e-9"));
  EXPECT_EQ(control<NumberBox>("optimizer.weight_decay").text(), QString());
  EXPECT_EQ(control<NumberBox>("optimizer.weight_decay").line().placeholderText(),
            QStringLiteral("0.01"));
  EXPECT_EQ(control<NumberBox>("optimizer.beta1").line().placeholderText(), QStringLiteral("0.9"));
  rate.setFocus();
  rate.selectAll();
  QTest::keyClicks(&rate, QStringLiteral("3e-7"));
  QTest::keyClick(&rate, Qt::Key_Return);
  epsilon.setFocus();
  QTest::keyClick(&epsilon, Qt::Key_Up);
  EXPECT_EQ(lines(8, 1),
            QStringLiteral("optimizer: {type: adamw, learning_rate: 3e-7, epsilon: 1.1e-9}"));
  rate.setFocus();
  rate.selectAll();
  QTest::keyClicks(&rate, QStringLiteral("0.0000005"));
  QTest::keyClick(&rate, Qt::Key_Return);
  settle();
  EXPECT_EQ(lines(8, 1),
            QStringLiteral("optimizer: {type: adamw, learning_rate: 0.0000005, epsilon: 1.1e-9}"));
  EXPECT_EQ(rate.text(), QStringLiteral("0.0000005"));
}

TEST_F(StudyFormTest, WhatIsNoNumberOrOutOfRangeIsMarkedAndNotChanged) {
  m_fixture.workspace.study.setText(startText() + QStringLiteral("model.seed: 9007199254740993\n"));
  settle();
  auto& seed = control<NumberBox>("model.seed");
  EXPECT_EQ(seed.text(), QStringLiteral("9007199254740993"));
  const auto isMarked = [this](const QString& problem) {
    const auto labels = find<StudyForm>().findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) {
      return label->isVisibleTo(&find<StudyForm>()) && label->text().contains(problem);
    });
  };
  EXPECT_TRUE(isMarked(QStringLiteral("at most 9007199254740992, not '9007199254740993'")));
  seed.setFocus();
  QTest::keyClick(&seed, Qt::Key_Down);
  EXPECT_EQ(lines(8, 1), QStringLiteral("model.seed: 9007199254740992"));
  auto& rate = control<NumberBox>("optimizer.learning_rate");
  rate.setFocus();
  QTest::keyClicks(&rate, QStringLiteral("3e-x"));
  QTest::keyClick(&rate, Qt::Key_Return);
  settle();
  EXPECT_EQ(rate.text(), QStringLiteral("3e-"));
  EXPECT_TRUE(isMarked(QStringLiteral("must be a number, not '3e-'")));
}

TEST_F(StudyFormTest, UndoInANumberFieldGoesThroughTheHistoryOfTheStudy) {
  auto& length = control<NumberBox>("input.sequence_length");
  length.setFocus();
  QTest::keyClick(&length, Qt::Key_Up);
  QKeyEvent undoes(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
  undoes.ignore();
  QApplication::sendEvent(&length, &undoes);
  EXPECT_FALSE(undoes.isAccepted()) << "is left to the shortcut of the window";
  QTest::keyClick(&length, Qt::Key_7);
  QApplication::sendEvent(&length, &undoes);
  EXPECT_TRUE(undoes.isAccepted()) << "takes back the digit";
}

TEST_F(StudyFormTest, APathIsTypedAndKeepsItsComment) {
  auto& path = control<QLineEdit>("model.path");
  path.setFocus();
  path.selectAll();
  QTest::keyClicks(&path, QStringLiteral("my model: v2"));
  QTest::keyClick(&path, Qt::Key_Return);
  EXPECT_EQ(lines(2, 1), QStringLiteral("  path: 'my model: v2'  # the model"));
  settle();
  EXPECT_EQ(path.text(), QStringLiteral("my model: v2"));
}

TEST_F(StudyFormTest, ChoicesAreSetAndReset) {
  auto& level = control<QComboBox>("capture.level");
  level.setFocus();
  QTest::keyClick(&level, Qt::Key_Down);
  EXPECT_EQ(lines(8, 2), QStringLiteral("capture:\n  level: layer"));
  settle();
  QTest::keyClick(&level, Qt::Key_Up);
  EXPECT_EQ(text(), startText());
}

TEST_F(StudyFormTest, PatternsAreALineEach) {
  auto& include = control<QPlainTextEdit>("capture.include");
  include.setFocus();
  QTest::keyClicks(&include, QStringLiteral("mlp"));
  QTest::keyClick(&include, Qt::Key_Return);
  QTest::keyClicks(&include, QStringLiteral("^a: b"));
  EXPECT_EQ(lines(8, 2), QStringLiteral("capture:\n  include: [mlp, '^a: b']"));
  settle();
  EXPECT_EQ(include.toPlainText(), QStringLiteral("mlp\n^a: b"));
}

}  // namespace
}  // namespace ulp::views
