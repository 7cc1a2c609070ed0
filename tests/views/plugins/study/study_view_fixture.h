#pragma once

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include <QtCore/QTimer>
#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "tests/support/window/wait_for.h"
#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"
#include "views/framework/view/view_registry.h"
#include "views/plugins/study/form/study_form.h"
#include "views/plugins/study/text/yaml_editor.h"
#include "views/plugins/study/variants/variants_panel.h"

namespace ulp::views {

inline const QString& startText() {
  static const QString kText = QStringLiteral(
      "# Why\n"
      "model:\n"
      "  path: m  # the model\n"
      "input: {sequence_length: 64}\n"
      "variants:\n"
      "  # plain\n"
      "  bf16: {precision.compute_dtype: bfloat16}\n"
      "  fp16: {precision.compute_dtype: float16}  # half\n");
  return kText;
}

/// The view of a study that was never saved, as a user has it before the eyes.
class StudyViewFixture : public testing::Test {
 protected:
  void SetUp() override {
    // Opened before the view is made, as the window does at its start.
    m_fixture.workspace.study.restore({}, startText(), startText());
    const ViewRegistry registry = builtinViews();
    m_host =
        std::make_unique<ViewHost>(*registry.find(QStringLiteral("study")), m_fixture.context());
    m_host->resize(1100, 900);
    m_host->show();
    settle();
  }

  void settle() {
    // The check waits for a pause in the typing.
    ASSERT_TRUE(test::waitFor([this] { return !isCheckDue(); }));
    m_fixture.settle();
    m_fixture.settle();
  }
  [[nodiscard]] bool isCheckDue() const {
    const auto timers = m_host->view()->findChildren<QTimer*>(Qt::FindDirectChildrenOnly);
    return std::ranges::any_of(timers, [](const QTimer* timer) { return timer->isActive(); });
  }
  [[nodiscard]] QString text() const { return m_fixture.workspace.study.content().text; }
  [[nodiscard]] QString lines(qsizetype from, qsizetype count) const {
    return text().split(QLatin1Char('\n')).mid(from, count).join(QLatin1Char('\n'));
  }
  template <class T>
  T& find(const QString& name = {}) {
    T* found = m_host->findChild<T*>(name);
    EXPECT_NE(found, nullptr);
    return *found;
  }
  template <class T>
  T& control(std::string_view key) {
    return *find<StudyForm>().field(key)->findChild<T*>();
  }
  YamlEditor& editor() { return find<YamlEditor>(); }
  void openTab(int index) { find<QTabWidget>().setCurrentIndex(index); }
  void clickButton(const QString& text) {
    for (auto* button : find<VariantsPanel>().findChildren<QToolButton*>()) {
      if (button->text() == text) {
        QTest::mouseClick(button, Qt::LeftButton);
        return;
      }
    }
    FAIL() << text.toStdString();
  }
  /// As the mouse does it.
  void openCell(int row, int column) {
    QTableView& table = find<VariantsPanel>().table();
    const QPoint place = table.visualRect(table.model()->index(row, column)).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place);
    ASSERT_NE(cellEditor(), nullptr);
  }
  /// Null: no cell is being edited.
  [[nodiscard]] QLineEdit* cellEditor() {
    for (auto* line : find<VariantsPanel>().table().findChildren<QLineEdit*>()) {
      if (line->isVisible()) {
        return line;
      }
    }
    return nullptr;
  }
  /// As the keyboard does it: an open list of choices gets the keys first.
  void press(Qt::Key key) { QTest::keyClick(m_host->windowHandle(), key); }
  void type(const QString& typed) {
    for (const QChar each : typed) {
      QTest::keyClick(m_host->windowHandle(), each.toLatin1());
    }
  }
  void undo() { m_fixture.workspace.study.history().undo(); }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

}  // namespace ulp::views
