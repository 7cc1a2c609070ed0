#include "views/framework/exports/export_dialog.h"

#include <gtest/gtest.h>

#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>

#include "views/framework/settings/settings_store.h"

namespace ulp::views {
namespace {

class ExportDialogTest : public testing::Test {
 protected:
  ExportDialog* open() {
    auto* dialog = new ExportDialog(
        {.kind = QStringLiteral("chart"),
         .title = QStringLiteral("Export chart"),
         .baseName = QStringLiteral("depth"),
         .size = {800, 400},
         .choices =
             {{QStringLiteral("png"), QStringLiteral("PNG"), QStringLiteral(".png"), true, true},
              {QStringLiteral("svg"), QStringLiteral("SVG"), QStringLiteral(".svg"), false, true},
              {QStringLiteral("csv"), QStringLiteral("CSV"), QStringLiteral(".csv")}}},
        m_settings);
    dialog->show();
    dialog->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(dialog));
    return dialog;
  }
  static QComboBox* format(const ExportDialog& dialog) {
    return dialog.findChild<QComboBox*>(QStringLiteral("format"));
  }
  static QComboBox* scale(const ExportDialog& dialog) {
    return dialog.findChild<QComboBox*>(QStringLiteral("scale"));
  }
  static QLineEdit* file(const ExportDialog& dialog) {
    return dialog.findChild<QLineEdit*>(QStringLiteral("file"));
  }
  static QString preview(const ExportDialog& dialog) {
    return dialog.findChild<QLabel*>(QStringLiteral("preview"))->text();
  }

  QTemporaryDir m_folder;
  SettingsStore m_settings{m_folder.filePath(QStringLiteral("settings.ini"))};
};

TEST_F(ExportDialogTest, ShowsTheSizeOfWhatWillBeWritten) {
  ExportDialog* dialog = open();
  EXPECT_EQ(preview(*dialog), QStringLiteral("1600 × 800 pixels"));
  QTest::keyClick(scale(*dialog), Qt::Key_Down);
  EXPECT_EQ(preview(*dialog), QStringLiteral("2400 × 1200 pixels"));
  QTest::keyClick(format(*dialog), Qt::Key_Down);
  EXPECT_EQ(preview(*dialog), QStringLiteral("212 × 106 mm"));
  EXPECT_FALSE(scale(*dialog)->isEnabled());
  QTest::keyClick(format(*dialog), Qt::Key_Down);
  EXPECT_EQ(preview(*dialog), QString());
  dialog->close();
}

TEST_F(ExportDialogTest, ExtensionAndFormatFollowEachOther) {
  ExportDialog* dialog = open();
  EXPECT_TRUE(file(*dialog)->text().endsWith(QStringLiteral("/depth.png")));
  QTest::keyClick(format(*dialog), Qt::Key_Down);
  EXPECT_TRUE(file(*dialog)->text().endsWith(QStringLiteral("/depth.svg")));
  file(*dialog)->setFocus();
  file(*dialog)->selectAll();
  QTest::keyClicks(file(*dialog), m_folder.filePath(QStringLiteral("numbers.csv")));
  QTest::keyClick(file(*dialog), Qt::Key_Tab);
  EXPECT_EQ(dialog->wish().format, QStringLiteral("csv"));
  dialog->close();
}

TEST_F(ExportDialogTest, OfExtensionsThatEndAlikeTheLongestCounts) {
  auto* dialog = new ExportDialog(
      {.kind = QStringLiteral("report"),
       .title = QStringLiteral("Export"),
       .baseName = QStringLiteral("run"),
       .choices = {{QStringLiteral("json"), QStringLiteral("JSON"), QStringLiteral(".json")},
                   {QStringLiteral("nodes"),
                    QStringLiteral("Nodes"),
                    QStringLiteral(".node_data.json")}}},
      m_settings);
  dialog->show();
  dialog->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
  format(*dialog)->setCurrentIndex(1);
  EXPECT_TRUE(file(*dialog)->text().endsWith(QStringLiteral("/run.node_data.json")));
  format(*dialog)->setCurrentIndex(0);
  EXPECT_TRUE(file(*dialog)->text().endsWith(QStringLiteral("/run.json")));
  file(*dialog)->setFocus();
  file(*dialog)->selectAll();
  QTest::keyClicks(file(*dialog), m_folder.filePath(QStringLiteral("a.node_data.json")));
  QTest::keyClick(file(*dialog), Qt::Key_Tab);
  EXPECT_EQ(dialog->wish().format, QStringLiteral("nodes"));
  dialog->close();
}

TEST_F(ExportDialogTest, SaysNoSizeWhereNoneIsKnown) {
  auto* dialog = new ExportDialog(
      {.kind = QStringLiteral("table"),
       .title = QStringLiteral("Export table"),
       .baseName = QStringLiteral("metrics"),
       .size = QSizeF(),
       .choices =
           {{QStringLiteral("png"), QStringLiteral("PNG"), QStringLiteral(".png"), true, true}}},
      m_settings);
  dialog->show();
  EXPECT_EQ(preview(*dialog), QString());
  dialog->close();
}

TEST_F(ExportDialogTest, RemembersFormatScaleAndFolder) {
  ExportDialog* dialog = open();
  QSignalSpy requested(dialog, &ExportDialog::exportRequested);
  file(*dialog)->selectAll();
  QTest::keyClicks(file(*dialog), m_folder.filePath(QStringLiteral("first.png")));
  QTest::keyClick(scale(*dialog), Qt::Key_End);
  QTest::keyClick(file(*dialog), Qt::Key_Return);
  ASSERT_EQ(requested.size(), 1);
  const auto wish = requested.front().front().value<ExportWish>();
  EXPECT_EQ(wish.file, m_folder.filePath(QStringLiteral("first.png")));
  EXPECT_EQ(wish.scale, 4);
  ExportDialog* next = open();
  EXPECT_EQ(next->wish().file, m_folder.filePath(QStringLiteral("depth.png")));
  EXPECT_EQ(next->wish().scale, 4);
  next->close();
}

TEST_F(ExportDialogTest, SaysThatAFileWillBeReplaced) {
  QFile existing(m_folder.filePath(QStringLiteral("there.png")));
  ASSERT_TRUE(existing.open(QIODevice::WriteOnly));
  existing.close();
  ExportDialog* dialog = open();
  file(*dialog)->setText(existing.fileName());
  EXPECT_TRUE(preview(*dialog).contains(QStringLiteral("will be replaced")));
  dialog->close();
}

}  // namespace
}  // namespace ulp::views
