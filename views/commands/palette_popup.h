#pragma once

#include <functional>
#include <memory>

#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtWidgets/QFrame>

#include "views/commands/palette_model.h"
#include "views/framework/threads/background.h"

class QLabel;
class QLineEdit;
class QListView;

namespace ulp::views {

/// A list to choose from by typing a few letters of what is wanted. Lies over the top of its
/// window, has the keyboard while it is open, and gives the focus back to where it was.
/// Keys: letters search, arrows and page keys walk, Return chooses, Escape closes.
class PalettePopup : public QFrame {
  Q_OBJECT

 public:
  struct Request {
    QString title;        ///< what is chosen; accessible name
    QString placeholder;  ///< what to type
    QString nothing;      ///< said when nothing matches
    QStringList recent;   ///< ids, newest first
    std::function<void(const PaletteItem&)> chosen;
  };

  explicit PalettePopup(QWidget* window);

  /// A short list that is at hand.
  void open(const Request& request, PaletteItemsPtr items);
  /// A long one: made off the GUI thread while the popup can be typed into already.
  void open(const Request& request, std::function<PaletteItemsPtr()> makeItems);
  void dismiss();
  /// What is typed has been answered.
  [[nodiscard]] bool isSettled() const { return m_items != nullptr && m_background.isIdle(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  /// More than that is searched off the GUI thread.
  static constexpr std::size_t kSearchedAtOnce = 2000;

  void begin(const Request& request);
  void receive(PaletteItemsPtr items);
  void search();
  void show(const FuzzyResult& result);
  void place();
  void choose();
  bool handleKey(int key);
  void describeCurrent();

  Request m_request;
  PaletteItemsPtr m_items;
  std::shared_ptr<const FuzzyResult> m_last;
  Background m_background;  ///< its own: waits for nobody
  PaletteModel* m_model;
  QLineEdit* m_edit;
  QListView* m_list;
  QLabel* m_count;
  QPointer<QWidget> m_focusBefore;
};

}  // namespace ulp::views
