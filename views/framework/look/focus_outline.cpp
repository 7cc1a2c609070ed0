#include "views/framework/look/focus_outline.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractSlider>
#include <QtWidgets/QAbstractSpinBox>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTabBar>

namespace ulp::views {
namespace {

class Frame : public QWidget {
 public:
  explicit Frame(QWidget* outlined) : QWidget(outlined) {
    setObjectName(QStringLiteral("focusOutline"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setGeometry(outlined->rect());
    show();
    raise();
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    constexpr int kWidth = 2;
    QPainter painter(this);
    painter.setPen(QPen(palette().color(QPalette::Highlight), kWidth));
    painter.drawRect(rect().adjusted(kWidth / 2, kWidth / 2, -kWidth / 2, -kWidth / 2));
  }
};

template <class... Widgets>
bool isAnyOf(const QWidget& widget) {
  return ((qobject_cast<const Widgets*>(&widget) != nullptr) || ...);
}

bool showsItsFocus(const QWidget& widget) {
  return isAnyOf<QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar>(
      widget);
}

/// Also across windows, of which QWidget::isAncestorOf() knows nothing.
bool belongsTo(const QWidget* widget, const QWidget& window) {
  while (widget != nullptr && widget != &window) {
    widget = widget->parentWidget();
  }
  return widget != nullptr;
}

}  // namespace

void FocusOutline::follow(QWidget& window) {
  new FocusOutline(window);  // owned by the window
}

FocusOutline::FocusOutline(QWidget& window) : QObject(&window), m_window(window) {
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget* /*before*/, QWidget* now) {
    moveTo(now);
  });
}

void FocusOutline::moveTo(QWidget* focused) {
  if (m_outlined != nullptr) {
    m_outlined->removeEventFilter(this);
  }
  delete m_frame;
  m_outlined = nullptr;
  const bool isShown = focused != nullptr && belongsTo(focused, m_window) &&
                       focused->window()->testAttribute(Qt::WA_KeyboardFocusChange) &&
                       !showsItsFocus(*focused);
  if (isShown) {
    m_outlined = focused;
    m_frame = new Frame(focused);
    focused->installEventFilter(this);
  }
}

bool FocusOutline::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == m_outlined && m_frame != nullptr) {
    m_frame->setGeometry(m_outlined->rect());
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace ulp::views
