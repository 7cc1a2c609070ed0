#include "views/framework/look/icon_size.h"

#include <QtCore/QEvent>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QToolBar>

namespace ulp::views {
namespace {

/// With the frame of a button around it, no less than 24 pixels: easy to hit.
constexpr int kBeyondText = 4;

template <class Widget>
class IconFollower : public QObject {
 public:
  explicit IconFollower(Widget& widget) : QObject(&widget), m_widget(widget) {
    widget.installEventFilter(this);
    follow();
  }

  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    if (event->type() == QEvent::FontChange) {
      follow();
    }
    return false;
  }

 private:
  void follow() {
    const int size = m_widget.fontMetrics().height() + kBeyondText;
    m_widget.setIconSize({size, size});
  }

  Widget& m_widget;
};

}  // namespace

void growIconsWithText(QAbstractButton& button) {
  new IconFollower<QAbstractButton>(button);
}

void growIconsWithText(QToolBar& bar) {
  new IconFollower<QToolBar>(bar);
}

}  // namespace ulp::views
