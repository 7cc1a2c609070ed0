#pragma once

#include <optional>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QUrl>
#include <QtGui/QTextCursor>
#include <QtWidgets/QWidget>

#include "app/gui/help/help_library.h"

class QAction;
class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;
class QTreeWidget;
class QTreeWidgetItem;

namespace ulp::app {

/// Shows the documentation, a page at a time, beside its contents or what was found in it. A window
/// of its own in front of `owner`, so that both can be seen.
class HelpWindow : public QWidget {
  Q_OBJECT

 public:
  /// The library must outlive the window.
  HelpWindow(const HelpLibrary& library, QWidget* owner);

  /// Shows a place and comes to the front; says so where there is none.
  void open(const HelpPlace& place);
  /// Says where the window stands: in its usual size with the contents, or narrow at the right of
  /// its owner. As the user has put it where that is nothing new.
  void setBeside(bool isBeside);
  [[nodiscard]] HelpPosition position() const { return m_visits[m_visit].at; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  /// A page that was read, and how far it was scrolled when it was left.
  struct Visit {
    HelpPosition at;
    QString anchor;
    std::optional<int> scroll{};
  };

  void makeActions();
  void follow(const QUrl& link);
  /// Says of a link under the mouse that it leads out of the documentation.
  void tellLink(const QUrl& link);
  void say(const QString& text);
  void sayMissing(const QString& place);
  void visit(const Visit& place);
  /// Goes back (-1) or forward (1) among the pages that were read.
  void step(int direction);
  void showPage();
  void goToAnchor(const QString& anchor);
  void mark(const QList<QTextCursor>& places);
  /// Marks the words that are searched for.
  void markFound();
  [[nodiscard]] QString titleOf(HelpPosition at) const;
  /// The page behind one; the page itself where it is the last of its document.
  [[nodiscard]] HelpPosition nextOf(HelpPosition at) const;
  void addItem(QTreeWidgetItem& parent, const QString& text, HelpPosition at);
  void fillContents();
  void fillResults(const QString& words);
  /// Makes the page that is shown the current one in the contents.
  void showPosition();

  const HelpLibrary& m_library;
  QAction* m_back;
  QAction* m_forward;
  QAction* m_contentsShown;
  QLineEdit* m_search;
  QTreeWidget* m_contents;
  QTextBrowser* m_browser;
  QLabel* m_status;
  QPushButton* m_openOutside;
  QUrl m_outside;  ///< a link out of the documentation that was clicked
  bool m_isBeside = false;
  bool m_hasPage = false;  ///< one was asked for
  std::vector<Visit> m_visits{Visit{}};
  std::size_t m_visit = 0;  ///< the one that is shown
};

}  // namespace ulp::app
