#include "views/commands/single_keys.h"

#include <QtGui/QKeyEvent>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QAbstractSlider>
#include <QtWidgets/QAbstractSpinBox>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QKeySequenceEdit>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTextEdit>

#include "views/framework/view/view_host.h"

namespace ulp::views {
namespace {

template <class... Kinds>
bool isOneOf(const QWidget& widget) {
  return ((qobject_cast<const Kinds*>(&widget) != nullptr) || ...);
}

/// Whether the widget lies in a view of reports. A dialog above a view is none.
bool isInReportView(const QWidget& widget) {
  for (const QWidget* part = &widget; part != nullptr; part = part->parentWidget()) {
    if (const auto* host = qobject_cast<const ViewHost*>(part)) {
      const ViewPurpose purpose = host->descriptor().purpose;
      return purpose != ViewPurpose::Study && purpose != ViewPurpose::Queue;
    }
    if (part->isWindow()) {
      break;
    }
  }
  return false;
}

}  // namespace

SingleKeys::SingleKeys(QObject* parent) : QObject(parent) {
  QApplication::instance()->installEventFilter(this);
}

bool SingleKeys::isSingleKey(const QKeyEvent& event) {
  const Qt::KeyboardModifiers others =
      event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
  const QString text = event.text();
  return others == Qt::NoModifier && text.size() == 1 && text[0].isPrint() && !text[0].isSpace();
}

bool SingleKeys::takesLetters(const QWidget& widget) {
  return isOneOf<QLineEdit,
                 QTextEdit,
                 QPlainTextEdit,
                 QAbstractSpinBox,
                 QComboBox,
                 QKeySequenceEdit>(widget) ||
         isOneOf<QAbstractButton, QAbstractSlider, QTabBar, QMenu>(widget);
}

bool SingleKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) {
    return false;
  }
  const auto* widget = qobject_cast<const QWidget*>(watched);
  if (widget == nullptr || !isSingleKey(*static_cast<QKeyEvent*>(event))) {
    return false;
  }
  const bool isControl = takesLetters(*widget);
  if (event->type() == QEvent::ShortcutOverride) {
    // Qt asks the parents of the focus as well; where the key was pressed counts.
    const QWidget* focus = QApplication::focusWidget();
    const QWidget& place = widget->isAncestorOf(focus) ? *focus : *widget;
    if (isControl || !m_enabled || !isInReportView(place)) {
      // Accepted: no shortcut, the key goes to the widget itself.
      event->accept();
      return true;
    }
    return false;
  }
  // Charts answer to letters of their own accord; tables look for what begins with them.
  const bool isItemView = qobject_cast<const QAbstractItemView*>(widget) != nullptr;
  if (!m_enabled && !isControl && !isItemView && widget->focusPolicy() != Qt::NoFocus) {
    event->ignore();
    return true;
  }
  return false;
}

}  // namespace ulp::views
