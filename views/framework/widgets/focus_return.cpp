#include "views/framework/widgets/focus_return.h"

#include <QtGui/QKeyEvent>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>

namespace ulp::views {

FocusReturn::FocusReturn(QComboBox& box, QWidget* view) : QObject(&box), m_box(box), m_view(view) {
  // Turning the wheel over it is no reason to take the keyboard.
  box.setFocusPolicy(Qt::StrongFocus);
  box.installEventFilter(this);
  box.view()->window()->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, &FocusReturn::remember);
}

void FocusReturn::remember(QWidget* before, const QWidget* now) {
  const auto isInBar = [this](const QWidget* widget) {
    return widget != nullptr && widget->parent() == m_box.parent();
  };
  // From one box of the bar to the next one the keyboard only passes through.
  if (before != nullptr && before->window() == m_box.window() && isInBar(now) && !isInBar(before)) {
    m_before = before;
  }
}

void FocusReturn::giveBack() {
  QWidget* target = m_view != nullptr ? m_view.data() : m_before.data();
  if (target != nullptr && target->isVisible() && m_box.window()->focusWidget() == &m_box) {
    target->setFocus(Qt::OtherFocusReason);
  }
}

bool FocusReturn::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &m_box) {
    if (event->type() != QEvent::KeyPress) {
      return false;
    }
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Escape) {
      return false;
    }
    giveBack();
    return true;
  }
  if (event->type() == QEvent::Hide) {
    // The list goes on closing: it hands the keyboard to the box itself.
    QMetaObject::invokeMethod(this, &FocusReturn::giveBack, Qt::QueuedConnection);
  }
  return false;
}

}  // namespace ulp::views
