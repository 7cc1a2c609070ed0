#include "views/commands/action_catalog.h"

#include <gtest/gtest.h>

#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>

namespace ulp::views {
namespace {

QStringList idsIn(const QMainWindow& window) {
  QStringList ids;
  for (const CatalogEntry& entry : collectActions(window)) {
    ids << entry.id;
  }
  return ids;
}

TEST(WithoutMnemonic, LeavesWhatIsRead) {
  EXPECT_EQ(withoutMnemonic(QStringLiteral("&Open…")), QStringLiteral("Open…"));
  EXPECT_EQ(withoutMnemonic(QStringLiteral("Save && close")), QStringLiteral("Save & close"));
  EXPECT_EQ(withoutMnemonic(QStringLiteral("打开(&O)…")), QStringLiteral("打开…"));
  EXPECT_EQ(withoutMnemonic(QStringLiteral("f(x) &of")), QStringLiteral("f(x) of"));
  EXPECT_EQ(withoutMnemonic(QString()), QString());
}

TEST(ActionCatalog, ListsCommandsOfMenusInTheirOrderAndThoseOfTheWindow) {
  QMainWindow window;
  QMenu* file = window.menuBar()->addMenu(QStringLiteral("&File"));
  file->addAction(QStringLiteral("&Open"))->setObjectName(QStringLiteral("file.open"));
  file->addSeparator();
  QMenu* recent = file->addMenu(QStringLiteral("Recent"));
  recent->setProperty(kFilledLater, true);
  recent->addAction(QStringLiteral("runs/x"));
  QMenu* theme = file->addMenu(QStringLiteral("&Theme"));
  theme->addAction(QStringLiteral("Dark"));
  file->addAction(QStringLiteral("Hidden"))->setVisible(false);
  auto* extra = new QAction(QStringLiteral("Extra"), &window);
  extra->setObjectName(QStringLiteral("extra"));
  window.addAction(extra);
  const std::vector<CatalogEntry> entries = collectActions(window);
  EXPECT_EQ(idsIn(window),
            (QStringList{QStringLiteral("file.open"),
                         QStringLiteral("File: Theme.Dark"),
                         QStringLiteral("extra")}));
  EXPECT_EQ(entries[0].group, QStringLiteral("File"));
  EXPECT_EQ(entries[0].text, QStringLiteral("Open"));
  EXPECT_EQ(entries[1].group, QStringLiteral("File: Theme"));
}

TEST(ActionCatalog, AnIdOutlivesAChangeOfKeys) {
  QMainWindow window;
  QMenu* menu = window.menuBar()->addMenu(QStringLiteral("M"));
  QAction* action = menu->addAction(QStringLiteral("Do"));
  action->setShortcut(Qt::Key_D);
  const QStringList before = idsIn(window);
  action->setShortcut(Qt::Key_E);
  EXPECT_EQ(idsIn(window), before);
}

}  // namespace
}  // namespace ulp::views
