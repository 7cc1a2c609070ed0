#include "app/gui/dumps/edit_mapping.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "core/analysis/mapping/site_mapping.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/window/wait_for.h"
#include "views/comparing/dump_comparer.h"
#include "views/framework/widgets/message_bar.h"
#include "views/mapping/mapping_editor.h"

namespace ulp::app {
namespace {

class EditMappingTest : public test::WindowFixture {
 protected:
  /// Two dumps of a model whose parts are called differently, but for one.
  void compare() {
    test::writeStatisticsDump(dump("golden"),
                              {{.path = "model.layers.0.mlp.up_proj"},
                               {.path = "model.layers.1.mlp.up_proj"},
                               {.path = "model.norm", .max = 2}});
    test::writeStatisticsDump(dump("run"),
                              {{.path = "transformer.h.0.mlp.c_fc"},
                               {.path = "transformer.h.1.mlp.c_fc"},
                               {.path = "model.norm", .max = 2}});
    workspace().requests.compareDumps(
        {.baseline = {.path = dump("golden")}, .candidate = {.path = dump("run")}});
    finish();
  }
  void finish() {
    ASSERT_TRUE(test::waitFor([this] { return !m_session->comparer().isRunning(); }));
    settle();
  }
  [[nodiscard]] std::filesystem::path dump(const char* name) const {
    return m_folder.filePath(QLatin1String(name)).toStdString();
  }
  [[nodiscard]] QAction& action() const {
    return *m_window->actions()[QStringLiteral("compare.mapping")];
  }
  [[nodiscard]] views::MappingEditor* openEditor() {
    action().trigger();
    settle();
    return m_window->findChild<views::MappingEditor*>();
  }
  static void press(const views::MappingEditor& editor, const char* start) {
    for (auto* button : editor.findChildren<QPushButton*>()) {
      if (button->text().remove(QLatin1Char('&')).startsWith(QLatin1String(start))) {
        ASSERT_TRUE(button->isEnabled()) << start;
        QTest::mouseClick(button, Qt::LeftButton);
        return;
      }
    }
    FAIL() << start;
  }
  [[nodiscard]] static bool says(const views::MappingEditor& editor, const QString& part) {
    return std::ranges::any_of(editor.findChildren<QLabel*>(),
                               [&](const QLabel* label) { return label->text().contains(part); });
  }
};

TEST_F(EditMappingTest, IsForComparisonsOfDumpsAlone) {
  EXPECT_FALSE(action().isEnabled());
  open({reportFolder(QStringLiteral("study"))});
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_FALSE(action().isEnabled());
  EXPECT_EQ(openEditor(), nullptr);
  compare();
  EXPECT_TRUE(action().isEnabled());
}

TEST_F(EditMappingTest, WhatIsMatchedIsComparedAgain) {
  compare();
  const auto sites = [this] { return workspace().reports.document()->sites().size(); };
  ASSERT_EQ(sites(), 1U);
  views::MappingEditor* editor = openEditor();
  ASSERT_NE(editor, nullptr);
  EXPECT_TRUE(says(*editor, QStringLiteral("Only in golden: 2")));
  press(*editor, "Match 2 sure");
  settle();
  press(*editor, "Compare again");
  finish();
  EXPECT_EQ(openEditor(), editor) << "it is still open";
  EXPECT_EQ(sites(), 3U);
  const report::DumpOrigin* origin = comparedDumps(workspace().reports);
  ASSERT_NE(origin, nullptr);
  const auto mapping = analysis::SiteMapping::parse(origin->mapping, "report");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(*mapping->map("transformer.h.1.mlp.c_fc"), "model.layers.1.mlp.up_proj");

  editor->close();
  settle();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  views::MappingEditor* again = openEditor();
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->mapping().pairs().size(), 2U) << "it begins with that of the comparison";
  EXPECT_TRUE(says(*again, QStringLiteral("Only in golden: 0")));
}

TEST_F(EditMappingTest, ClosingTheWindowAsksForWhatWasNeitherAppliedNorSaved) {
  compare();
  views::MappingEditor* editor = openEditor();
  ASSERT_NE(editor, nullptr);
  press(*editor, "Match 2 sure");
  settle();
  EXPECT_FALSE(m_window->close());
  auto* question = m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  ASSERT_NE(question, nullptr);
  EXPECT_EQ(question->text(),
            QStringLiteral("A mapping was changed and neither applied nor saved."));
  EXPECT_TRUE(m_window->isVisible());
  for (QAbstractButton* button : question->buttons()) {
    if (question->buttonRole(button) == QMessageBox::DestructiveRole) {
      QTest::mouseClick(button, Qt::LeftButton);
      break;
    }
  }
  EXPECT_TRUE(test::waitFor([this] { return !m_window->isVisible(); }));
}

TEST_F(EditMappingTest, SaysWhereADumpIsGone) {
  compare();
  std::filesystem::rename(dump("run"), dump("elsewhere"));
  const views::MappingEditor* editor = openEditor();
  ASSERT_NE(editor, nullptr);
  EXPECT_TRUE(says(*editor, QString::fromStdString(dump("run").string())));
  EXPECT_TRUE(says(*editor, QStringLiteral("The dumps cannot be opened.")));
}

}  // namespace
}  // namespace ulp::app
