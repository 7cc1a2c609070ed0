#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QApplication>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QCompleter>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QTreeWidget>

#include "tests/support/window/wait_for.h"
#include "tests/views/plugins/study/study_view_fixture.h"
#include "views/plugins/study/form/number_box.h"
#include "views/plugins/study/form/study_form.h"
#include "views/plugins/study/text/yaml_editor.h"
#include "views/plugins/study/variants/effective_panel.h"
#include "views/plugins/study/variants/grid_dialog.h"
#include "views/plugins/study/variants/variants_panel.h"

namespace ulp::views {
namespace {

class StudyViewTest : public StudyViewFixture {};

TEST_F(StudyViewTest, BeingMadeAndThemedChangesNothing) {
  EXPECT_EQ(text(), startText());
  EXPECT_EQ(editor().toPlainText(), startText());
  m_fixture.themes.setChoice(ThemeChoice::Dark);
  settle();
  EXPECT_EQ(text(), startText());
  EXPECT_FALSE(m_fixture.workspace.study.hasUnsavedEdits());
  m_fixture.themes.setChoice(ThemeChoice::Light);
}

TEST_F(StudyViewTest, TheFormShowsWhatTheTextSays) {
  EXPECT_EQ(control<QLineEdit>("model.path").text(), QStringLiteral("m"));
  EXPECT_EQ(control<NumberBox>("input.sequence_length").text(), QStringLiteral("64"));
  EXPECT_EQ(control<QComboBox>("capture.level").currentText(), QStringLiteral("module (default)"));
  editor().showText(startText());
  m_fixture.workspace.study.setText(startText() + QStringLiteral("capture: {level: layer}\n"));
  settle();
  EXPECT_EQ(control<QComboBox>("capture.level").currentText(), QStringLiteral("layer"));
}

TEST_F(StudyViewTest, SavingTakesOverACellThatIsBeingEdited) {
  openTab(1);
  openCell(2, 1);
  type(QStringLiteral("float64"));
  ASSERT_TRUE(m_fixture.saveStudy(m_fixture.folder.filePath(QStringLiteral("typed.yaml"))));
  EXPECT_EQ(lines(7, 1), QStringLiteral("  fp16: {precision.compute_dtype: float64}  # half"));
  EXPECT_EQ(cellEditor(), nullptr);
}

TEST_F(StudyViewTest, TypingInTheTextIsOneStepAndReachesTheForm) {
  editor().setFocus();
  editor().moveCursor(QTextCursor::End);
  QTest::keyClicks(&editor(), QStringLiteral("device: cpu"));
  QTest::keyClick(&editor(), Qt::Key_Escape);
  settle();
  EXPECT_EQ(lines(8, 1), QStringLiteral("device: cpu"));
  EXPECT_EQ(control<QComboBox>("device").currentText(), QStringLiteral("cpu"));
  EXPECT_EQ(m_fixture.workspace.study.history().undoText(), QStringLiteral("typing"));
  undo();
  EXPECT_EQ(text(), startText());
}

TEST_F(StudyViewTest, AMistakeIsMarkedListedAndFoundByAClick) {
  auto& problems = *[this] {
    for (auto* table : m_host->findChildren<QTableView*>()) {
      if (table->accessibleName() == QStringLiteral("Problems")) {
        return table;
      }
    }
    return static_cast<QTableView*>(nullptr);
  }();
  EXPECT_FALSE(problems.isVisible());
  m_fixture.workspace.study.setText(
      QString(startText()).replace(QStringLiteral("bfloat16"), QStringLiteral("bf17")));
  settle();
  ASSERT_TRUE(problems.isVisible());
  ASSERT_EQ(problems.model()->rowCount(), 1);
  ASSERT_NE(editor().problemAt(7), nullptr);
  EXPECT_EQ(editor().problemAt(6), nullptr);
  const QList<QTextEdit::ExtraSelection> marks = editor().extraSelections();
  ASSERT_EQ(marks.size(), 2);
  EXPECT_EQ(marks[1].cursor.selectedText(), QStringLiteral("bf17"));
  EXPECT_EQ(marks[1].format.underlineStyle(), QTextCharFormat::WaveUnderline);
  QTest::mouseClick(problems.viewport(),
                    Qt::LeftButton,
                    {},
                    problems.visualRect(problems.model()->index(0, 1)).center());
  EXPECT_EQ(editor().textCursor().selectedText(), QStringLiteral("bf17"));
  // What is wrong in a variant does not stand below the study's key of that name.
  for (const auto* label : find<StudyForm>().findChildren<QLabel*>()) {
    EXPECT_FALSE(label->isVisible() && label->text().contains(QStringLiteral("bf17")));
  }
}

TEST_F(StudyViewTest, CompletionOffersAndInserts) {
  editor().setFocus();
  editor().moveCursor(QTextCursor::End);
  QTest::keyClicks(&editor(), QStringLiteral("ou"));
  ASSERT_TRUE(editor().completer()->popup()->isVisible());
  QTest::keyClick(editor().completer()->popup(), Qt::Key_Tab);
  EXPECT_EQ(lines(8, 1), QStringLiteral("output_dir: "));
  QTest::keyClicks(&editor(), QStringLiteral("x"));
  QTest::keyClick(&editor(), Qt::Key_Return);
  QTest::keyClick(&editor(), Qt::Key_Space, Qt::ControlModifier);
  EXPECT_TRUE(editor().completer()->popup()->isVisible());
  editor().completer()->popup()->hide();
}

TEST_F(StudyViewTest, ANewLineIsIndentedLikeTheOneBefore) {
  editor().setFocus();
  editor().moveCursor(QTextCursor::End);
  QTest::keyClicks(&editor(), QStringLiteral("capture:"));
  QTest::keyClick(&editor(), Qt::Key_Return);
  QTest::keyClicks(&editor(), QStringLiteral("tensors: none"));
  QTest::keyClick(&editor(), Qt::Key_Escape);
  EXPECT_EQ(lines(8, 2), QStringLiteral("capture:\n  tensors: none"));
}

TEST_F(StudyViewTest, VariantsAreAddedDuplicatedMovedAndDeleted) {
  openTab(1);
  QTableView& table = find<VariantsPanel>().table();
  table.selectRow(1);
  clickButton(QStringLiteral("Duplicate"));
  settle();
  EXPECT_EQ(lines(7, 2),
            QStringLiteral("  # plain\n  bf16_copy: {precision.compute_dtype: bfloat16}"));
  EXPECT_EQ(table.currentIndex().row(), 2);
  clickButton(QStringLiteral("Move down"));
  settle();
  EXPECT_EQ(lines(7, 3),
            QStringLiteral("  fp16: {precision.compute_dtype: float16}  # half\n  # plain\n"
                           "  bf16_copy: {precision.compute_dtype: bfloat16}"));
  EXPECT_EQ(table.currentIndex().row(), 3);
  clickButton(QStringLiteral("Delete"));
  settle();
  EXPECT_EQ(text(), startText());
  clickButton(QStringLiteral("Add"));
  EXPECT_EQ(lines(8, 1), QStringLiteral("  variant: {precision.compute_dtype: bfloat16}"));
  EXPECT_EQ(m_fixture.workspace.study.history().undoText(),
            QStringLiteral("addition of variant variant"));
}

TEST_F(StudyViewTest, TypingInACellGoesOnUntilEnter) {
  openTab(1);
  openCell(2, 1);
  type(QStringLiteral("f"));
  EXPECT_EQ(text(), startText()) << "nothing is taken over before Enter";
  type(QStringLiteral("loat64"));
  ASSERT_NE(cellEditor(), nullptr);
  EXPECT_EQ(cellEditor()->text(), QStringLiteral("float64"));
  EXPECT_EQ(text(), startText());
  press(Qt::Key_Return);
  EXPECT_EQ(lines(7, 1), QStringLiteral("  fp16: {precision.compute_dtype: float64}  # half"));
  EXPECT_EQ(m_fixture.workspace.study.history().undoText(),
            QStringLiteral("change of variant fp16"));
  EXPECT_EQ(cellEditor(), nullptr);
  undo();
  EXPECT_EQ(text(), startText()) << "one step";
}

TEST_F(StudyViewTest, ChoicesOfACellAreListedAndTakenOverByKeyAndByClick) {
  openTab(1);
  openCell(2, 1);
  ASSERT_TRUE(test::waitFor([] { return QApplication::activePopupWidget() != nullptr; }));
  type(QStringLiteral("64"));
  press(Qt::Key_Down);
  EXPECT_EQ(text(), startText()) << "walking through the list chooses nothing";
  press(Qt::Key_Return);
  EXPECT_EQ(lines(7, 1), QStringLiteral("  fp16: {precision.compute_dtype: float64}  # half"));
  settle();
  openCell(2, 1);
  ASSERT_TRUE(test::waitFor([] { return QApplication::activePopupWidget() != nullptr; }));
  auto* list = qobject_cast<QAbstractItemView*>(QApplication::activePopupWidget());
  ASSERT_NE(list, nullptr);
  const QModelIndex first = list->model()->index(0, 0);
  const QString chosen = first.data().toString();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(first).center());
  EXPECT_EQ(lines(7, 1),
            QStringLiteral("  fp16: {precision.compute_dtype: %1}  # half").arg(chosen));
}

TEST_F(StudyViewTest, WhoLeavesACellWithoutEnterLeavesItAsItWas) {
  openTab(1);
  openCell(2, 1);
  type(QStringLiteral("float64"));
  if (QWidget* list = QApplication::activePopupWidget()) {
    list->close();  // as a click beside it does
  }
  editor().setFocus(Qt::MouseFocusReason);
  EXPECT_EQ(cellEditor(), nullptr);
  openCell(2, 1);
  type(QStringLiteral("float64"));
  press(Qt::Key_Escape);
  press(Qt::Key_Escape);
  EXPECT_EQ(cellEditor(), nullptr);
  openCell(1, 0);
  type(QStringLiteral("brain"));
  press(Qt::Key_Escape);
  settle();
  EXPECT_EQ(text(), startText());
}

TEST_F(StudyViewTest, ACellIsEmptiedAndANameIsTyped) {
  openTab(1);
  openCell(1, 0);
  type(QStringLiteral("brain"));
  press(Qt::Key_Return);
  EXPECT_EQ(lines(6, 1), QStringLiteral("  brain: {precision.compute_dtype: bfloat16}"));
  settle();
  openCell(1, 1);
  press(Qt::Key_Delete);
  press(Qt::Key_Return);
  EXPECT_EQ(lines(6, 1), QStringLiteral("  brain: {}"));
  settle();
  const auto* model = find<VariantsPanel>().table().model();
  EXPECT_EQ(model->index(1, 1).data().toString(), QStringLiteral("float32"));
}

TEST_F(StudyViewTest, AddStartsRenaming) {
  openTab(1);
  clickButton(QStringLiteral("Add"));
  settle();
  ASSERT_NE(cellEditor(), nullptr);
  EXPECT_EQ(cellEditor()->text(), QStringLiteral("variant"));
  type(QStringLiteral("mine"));
  EXPECT_EQ(lines(8, 1), QStringLiteral("  variant: {precision.compute_dtype: bfloat16}"));
  press(Qt::Key_Return);
  EXPECT_EQ(lines(8, 1), QStringLiteral("  mine: {precision.compute_dtype: bfloat16}"));
  settle();
  EXPECT_EQ(cellEditor(), nullptr);
  EXPECT_EQ(find<VariantsPanel>().table().currentIndex().data().toString(), QStringLiteral("mine"));
}

TEST_F(StudyViewTest, WhatCannotBeChangedIsSaidAndChangesNothing) {
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  openTab(1);
  auto* model = find<VariantsPanel>().table().model();
  model->setData(model->index(1, 0), QStringLiteral("fp16"), Qt::EditRole);
  EXPECT_EQ(text(), startText());
  ASSERT_EQ(messages.count(), 1);
  EXPECT_EQ(messages[0][0].value<Message>().text.section(QLatin1Char(' '), 0, 5),
            QStringLiteral("The study stays as it is:"));
}

TEST_F(StudyViewTest, AGridAddsAllCombinations) {
  openTab(1);
  clickButton(QStringLiteral("Grid…"));
  auto* dialog = m_host->findChild<GridDialog*>();
  ASSERT_NE(dialog, nullptr);
  auto* tree = dialog->findChild<QTreeWidget*>();
  QPushButton* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  EXPECT_FALSE(ok->isEnabled());
  const auto tick = [tree](const QString& value) {
    for (QTreeWidgetItem* item : tree->findItems(value, Qt::MatchExactly | Qt::MatchRecursive)) {
      const QString key = item->parent()->text(0);
      if (key == QLatin1String("precision.compute_dtype") ||
          key == QLatin1String("attention.implementation")) {
        item->setCheckState(0, Qt::Checked);
      }
    }
  };
  for (const char* value : {"bfloat16", "float16", "eager", "sdpa"}) {
    tick(QLatin1String(value));
  }
  ASSERT_EQ(dialog->variants().size(), 4U);
  EXPECT_TRUE(ok->isEnabled());
  QTest::mouseClick(ok, Qt::LeftButton);
  settle();
  EXPECT_EQ(lines(8, 1),
            QStringLiteral("  bf16_eager: {precision.compute_dtype: bfloat16, "
                           "attention.implementation: eager}"));
  EXPECT_EQ(find<VariantsPanel>().table().model()->rowCount(), 7);
  EXPECT_EQ(m_fixture.workspace.study.history().undoText(),
            QStringLiteral("addition of 4 variants"));
  undo();
  EXPECT_EQ(text(), startText());
}

TEST_F(StudyViewTest, TheEffectiveConfigurationSaysWhoSetEachKey) {
  openTab(2);
  auto& panel = find<EffectivePanel>();
  auto* model = panel.findChild<QTableView*>()->model();
  EXPECT_EQ(model->columnCount(), 4);
  EXPECT_EQ(model->rowCount(), static_cast<int>(study::schemaKeys().size()));
  QTest::mouseClick(panel.findChild<QCheckBox*>(), Qt::LeftButton, {}, QPoint(6, 8));
  // The followers of the compute dtype differ with it.
  ASSERT_EQ(model->rowCount(), 11);
  EXPECT_EQ(model->index(0, 1).data().toString(), QStringLiteral("float32  · fp32 everywhere"));
  EXPECT_EQ(model->index(0, 2).data().toString(), QStringLiteral("bfloat16  · variant"));
  m_fixture.workspace.study.setText(startText() + QStringLiteral("colour: red\n"));
  settle();
  EXPECT_EQ(model->rowCount(), 11);
  ASSERT_EQ(m_host->view()->exhibits().size(), 1U);
  EXPECT_EQ(m_host->view()->exhibits()[0].table().rows.size(), study::schemaKeys().size());
}

TEST_F(StudyViewTest, TellsTheSitesAndTheCostBeforeRunning) {
  const QString model = m_fixture.folder.filePath(QStringLiteral("model"));
  QDir().mkpath(model);
  std::ofstream((model + QStringLiteral("/config.json")).toStdString())
      << R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 8, "vocab_size": 32,
             "intermediate_size": 16, "num_attention_heads": 2})";
  m_fixture.workspace.study.setText(
      QStringLiteral("model: {path: %1}\ndevice: cpu\nvariants: {a: {}}\n"
                     "capture: {include: [mlp], exclude: [act_fn]}\n")
          .arg(model));
  settle();
  const auto remark = [this](std::string_view key) {
    return find<StudyForm>().field(key)->findChild<QLabel*>()->text();
  };
  // Per layer: five modules of the MLP forward and backward, three weights.
  EXPECT_TRUE(remark("capture.include").startsWith(QStringLiteral("22 of 81 sites")))
      << remark("capture.include").toStdString();
  EXPECT_TRUE(remark("capture.exclude").startsWith(QStringLiteral("Takes 4 of 26")))
      << remark("capture.exclude").toStdString();
  bool found = false;
  for (const auto* label : m_host->findChildren<QLabel*>()) {
    found = found || (label->text().contains(QStringLiteral("of memory")) &&
                      label->text().contains(QStringLiteral("rough")));
  }
  EXPECT_TRUE(found);
}

TEST_F(StudyViewTest, SaysThatAModelThatIsNotThereCannotRun) {
  bool found = false;
  for (const auto* label : m_host->findChildren<QLabel*>()) {
    found =
        found || label->text().contains(QStringLiteral("Cannot run yet: model.path 'm' not found"));
  }
  EXPECT_TRUE(found);
}

TEST_F(StudyViewTest, WindowsLineEndsSurviveTheEditor) {
  const QString text = QStringLiteral("model: {path: m}\r\ndevice: cpu\r\n");
  m_fixture.workspace.study.restore({}, text, text);
  settle();
  editor().setFocus();
  editor().moveCursor(QTextCursor::End);
  QTest::keyClicks(&editor(), QStringLiteral("# x"));
  QTest::keyClick(&editor(), Qt::Key_Return);
  EXPECT_EQ(this->text(), text + QStringLiteral("# x\r\n"));
}

TEST_F(StudyViewTest, TheStudyOfAReportIsForReading) {
  m_fixture.workspace.closeAll();
  report::Report report = test::realisticReport({.layers = 2});
  report.studyYaml = startText().toStdString();
  m_fixture.openReport(report);
  settle();
  EXPECT_TRUE(editor().isReadOnly());
  EXPECT_EQ(editor().toPlainText(), startText());
  EXPECT_FALSE(control<QComboBox>("capture.level").isEnabled());
  for (const auto* button : find<VariantsPanel>().findChildren<QToolButton*>()) {
    EXPECT_FALSE(button->isEnabled()) << button->text().toStdString();
  }
  for (auto* button : m_host->findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("Edit a copy")) {
      QTest::mouseClick(button, Qt::LeftButton);
    }
  }
  EXPECT_EQ(text(), startText());
  EXPECT_FALSE(editor().isReadOnly());
}

TEST_F(StudyViewTest, TheStudyOfAReportShowsWhatItsRunsUsed) {
  m_fixture.workspace.closeAll();
  report::Report report = test::realisticReport({.layers = 2});
  report.studyYaml = startText().toStdString();
  report.effectiveJson =
      R"({"reference":{"input.sequence_length":{"value":"32","origin":"command_line"}},)"
      R"("bf16":{"input.sequence_length":{"value":"32","origin":"command_line"}}})";
  m_fixture.openReport(report);
  settle();
  const study::EffectiveTable& table = find<EffectivePanel>().content();
  const auto row =
      std::ranges::find(table.rows, "input.sequence_length", &study::EffectiveRow::key);
  ASSERT_NE(row, table.rows.end());
  EXPECT_EQ(row->cells[0].value, "32");
  EXPECT_EQ(row->cells[0].origin, study::Origin::CommandLine);
  EXPECT_EQ(row->cells[1].value, "32");
  // Of a run that the report knows nothing of stands what the text says.
  EXPECT_EQ(row->cells[2].value, "64");
  EXPECT_TRUE(row->differs);
}

}  // namespace
}  // namespace ulp::views
