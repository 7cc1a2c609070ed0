#include <set>

#include <gtest/gtest.h>

#include <QtCore/QFileInfo>
#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QKeySequenceEdit>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QTreeWidget>

#include "app/gui/session/session.h"
#include "app/gui/session/window_settings.h"
#include "app/gui/window/window_tools.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"
#include "views/commands/shortcut_editor.h"
#include "views/framework/settings/settings_dialog.h"
#include "views/framework/settings/settings_page.h"
#include "views/framework/threads/background.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

class SettingsWindowTest : public test::WindowFixture {
 protected:
  void SetUp() override {
    test::WindowFixture::SetUp();
    QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
    m_dialog = m_window->findChild<views::SettingsDialog*>();
    ASSERT_NE(m_dialog, nullptr);
  }

  template <class T>
  T* control(const QString& name) {
    for (T* found : m_dialog->findChildren<T*>()) {
      if (found->accessibleName() == name) {
        return found;
      }
    }
    ADD_FAILURE() << "no " << name.toStdString();
    return nullptr;
  }
  QPushButton* button(const QString& text) {
    for (QPushButton* found : m_dialog->findChildren<QPushButton*>()) {
      if (found->text().remove(u'&') == text) {
        return found;
      }
    }
    ADD_FAILURE() << "no " << text.toStdString();
    return nullptr;
  }
  void openPage(const QString& title) {
    auto* list = m_dialog->findChild<QListWidget*>();
    list->setCurrentItem(list->findItems(title, Qt::MatchExactly).value(0));
  }

  views::SettingsDialog* m_dialog = nullptr;
};

TEST(DeclaredSettings, AreExplainedAndHaveDefaultsThatTheyAllow) {
  std::set<QString> keys;
  const views::SettingsCatalog catalog = declaredSettings();
  for (const views::DeclaredSetting& setting : catalog.all()) {
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key.toStdString();
    EXPECT_FALSE(setting.info.title.isEmpty()) << setting.key.toStdString();
    EXPECT_TRUE(setting.info.help.endsWith(u'.')) << setting.key.toStdString();
    EXPECT_EQ(views::validValue(setting, QVariant(QStringLiteral("nonsense"))),
              setting.info.choices.empty() && !setting.info.range
                  ? QVariant(QStringLiteral("nonsense"))
                  : setting.defaultValue);
    EXPECT_EQ(views::validValue(setting, setting.defaultValue), setting.defaultValue);
  }
  EXPECT_GE(keys.size(), 6U);
}

TEST_F(SettingsWindowTest, ShowsEveryDeclaredSettingWithANameAndItsValue) {
  const views::SettingsCatalog catalog = declaredSettings();
  for (const views::DeclaredSetting& setting : catalog.all()) {
    EXPECT_NE(control<QWidget>(setting.info.title), nullptr);
  }
  EXPECT_EQ(control<QComboBox>(QStringLiteral("Theme"))->currentData(), QStringLiteral("system"));
  EXPECT_EQ(control<QSpinBox>(QStringLiteral("Text size"))->value(), 100);
}

TEST_F(SettingsWindowTest, AppliesAtOnce) {
  auto* theme = control<QComboBox>(QStringLiteral("Theme"));
  theme->setFocus();
  QTest::keyClick(theme, Qt::Key_End);
  EXPECT_TRUE(m_session->themes().theme().highContrast);
  const double before = QApplication::font().pointSizeF();
  auto* size = control<QSpinBox>(QStringLiteral("Text size"));
  size->setFocus();
  QTest::keyClick(size, Qt::Key_Up);
  EXPECT_NEAR(QApplication::font().pointSizeF(), before * 1.25, 0.01);
  openPage(QStringLiteral("Keyboard"));
  QTest::mouseClick(control<QCheckBox>(QStringLiteral("Keys of a single letter")),
                    Qt::LeftButton,
                    Qt::NoModifier,
                    QPoint(8, 8));
  EXPECT_FALSE(m_window->tools().singleKeys().isEnabled());
}

TEST_F(SettingsWindowTest, AButtonResetsThePageAndNothingElse) {
  m_session->settings().set(kTheme, QStringLiteral("dark"));
  m_session->settings().set(kTextSize, 200);
  m_session->settings().set(views::kRecentLimit, 3);
  EXPECT_EQ(control<QSpinBox>(QStringLiteral("Text size"))->value(), 200) << "changed elsewhere";
  QTest::mouseClick(button(QStringLiteral("Reset this page")), Qt::LeftButton);
  EXPECT_EQ(m_session->settings().get(kTheme), QStringLiteral("system"));
  EXPECT_EQ(control<QSpinBox>(QStringLiteral("Text size"))->value(), 100);
  EXPECT_EQ(m_session->settings().get(views::kRecentLimit), 3);
}

TEST_F(SettingsWindowTest, SearchLeadsToThePage) {
  auto* search = control<QLineEdit>(QStringLiteral("Search settings"));
  auto* list = m_dialog->findChild<QListWidget*>();
  QTest::keyClicks(search, QStringLiteral("recent"));
  EXPECT_EQ(list->currentItem()->text(), QStringLiteral("Files and session"));
  EXPECT_FALSE(control<QComboBox>(QStringLiteral("Theme"))->isVisibleTo(m_dialog));
  search->clear();
  QTest::keyClicks(search, QStringLiteral("nosuchthing"));
  for (int i = 0; i < list->count(); ++i) {
    EXPECT_TRUE(list->item(i)->isHidden());
  }
  search->clear();
  EXPECT_FALSE(list->item(0)->isHidden());
}

TEST_F(SettingsWindowTest, NamesItsFile) {
  bool found = false;
  for (const QLabel* label : m_dialog->findChildren<QLabel*>()) {
    found = found || label->text().contains(m_session->settings().fileName());
  }
  EXPECT_TRUE(found);
}

TEST_F(SettingsWindowTest, GivesACommandOtherKeysUnlessTheyAreTaken) {
  openPage(QStringLiteral("Keyboard"));
  auto* editor = m_dialog->findChild<views::ShortcutEditor*>();
  auto* tree = editor->findChild<QTreeWidget*>();
  tree->setCurrentItem(tree->findItems(QStringLiteral("New study"), Qt::MatchContains).value(0));
  auto* keys = editor->findChild<QKeySequenceEdit*>();
  auto* assign = button(QStringLiteral("Assign"));
  keys->setKeySequence(QKeySequence(Qt::CTRL | Qt::Key_O));
  EXPECT_FALSE(assign->isEnabled()) << "Ctrl+O opens";
  keys->setKeySequence(QKeySequence(Qt::CTRL | Qt::Key_J));
  ASSERT_TRUE(assign->isEnabled());
  QTest::mouseClick(assign, Qt::LeftButton);
  const QAction* action = m_window->actions()[QStringLiteral("file.new")];
  EXPECT_EQ(action->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
  QTest::mouseClick(button(QStringLiteral("Default")), Qt::LeftButton);
  EXPECT_EQ(action->shortcut(), QKeySequence(QKeySequence::New));
  keys->setKeySequence(QKeySequence(Qt::CTRL | Qt::Key_J));
  QTest::mouseClick(assign, Qt::LeftButton);
  QTest::mouseClick(button(QStringLiteral("Reset this page")), Qt::LeftButton);
  EXPECT_EQ(action->shortcut(), QKeySequence(QKeySequence::New));
}

TEST_F(SettingsWindowTest, WritesTheKeysToAFileAndReadsThemBack) {
  openPage(QStringLiteral("Keyboard"));
  auto* editor = m_dialog->findChild<views::ShortcutEditor*>();
  auto* tree = editor->findChild<QTreeWidget*>();
  tree->setCurrentItem(tree->findItems(QStringLiteral("New study"), Qt::MatchContains).value(0));
  auto* keys = editor->findChild<QKeySequenceEdit*>();
  keys->setKeySequence(QKeySequence(Qt::CTRL | Qt::Key_J));
  QTest::mouseClick(button(QStringLiteral("Assign")), Qt::LeftButton);
  const QString file = m_folder.filePath(QStringLiteral("keys.json"));
  const auto choose = [&](const QString& command) {
    QTest::mouseClick(button(command), Qt::LeftButton);
    auto* dialog = editor->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    Q_EMIT dialog->fileSelected(file);
    dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    ASSERT_TRUE(test::waitFor([&] { return m_session->background().isIdle(); }));
  };
  choose(QStringLiteral("Export…"));
  EXPECT_TRUE(QFileInfo::exists(file));
  QTest::mouseClick(button(QStringLiteral("Default")), Qt::LeftButton);
  const QAction* action = m_window->actions()[QStringLiteral("file.new")];
  ASSERT_EQ(action->shortcut(), QKeySequence(QKeySequence::New));
  choose(QStringLiteral("Import…"));
  EXPECT_EQ(action->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
}

}  // namespace
}  // namespace ulp::app
