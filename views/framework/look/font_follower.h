#pragma once

#include <functional>
#include <utility>

#include <QtCore/QEvent>
#include <QtWidgets/QWidget>

namespace ulp::views {

/// Calls a function now and whenever the font of its parent changes.
class FontFollower : public QObject {
 public:
  FontFollower(QWidget& widget, std::function<void()> follow)
      : QObject(&widget), m_follow(std::move(follow)) {
    widget.installEventFilter(this);
    m_follow();
  }

  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    if (event->type() == QEvent::FontChange) {
      m_follow();
    }
    return false;
  }

 private:
  std::function<void()> m_follow;
};

}  // namespace ulp::views
