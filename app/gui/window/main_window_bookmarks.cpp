#include <QtGui/QAction>

#include "app/gui/window/main_window.h"

namespace ulp::app {
namespace {

constexpr int kNumberedBookmarks = 9;

}  // namespace

void MainWindow::makeBookmarkActions() {
  views::Bookmarks& bookmarks = m_session.bookmarks();
  m_actions.add({.id = QStringLiteral("bookmark.add"),
                 .text = tr("&Bookmark the selection"),
                 .toolTip = tr("Mark what is selected, to come back to it"),
                 .icon = QStringLiteral("bookmark"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_B)},
                 .handler = [this, &bookmarks] {
                   bookmarks.addCurrent();
                   offerPurpose(views::ViewPurpose::Bookmarks);
                 }});
  for (int number = 1; number <= kNumberedBookmarks; ++number) {
    m_actions.add({.id = QStringLiteral("bookmark.%1").arg(number),
                   .text = tr("Go to bookmark %1").arg(number),
                   .toolTip = {},
                   .icon = {},
                   .shortcuts = {QKeySequence(QStringLiteral("Ctrl+%1").arg(number))},
                   .handler = [&bookmarks, number] {
                     bookmarks.goTo(static_cast<std::size_t>(number - 1));
                   }});
  }
}

}  // namespace ulp::app
