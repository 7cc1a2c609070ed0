#include "views/framework/look/icons.h"

#include <QtCore/QFile>
#include <QtGui/QAction>
#include <QtGui/QGuiApplication>
#include <QtGui/QIconEngine>
#include <QtGui/QPainter>
#include <QtGui/QPalette>
#include <QtGui/QPixmapCache>
#include <QtSvg/QSvgRenderer>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QToolBar>
#include <QtWidgets/QToolButton>

#include "views/framework/look/font_follower.h"

namespace ulp::views {
namespace {

QColor colorFor(QIcon::Mode mode) {
  const QPalette palette = QGuiApplication::palette();
  switch (mode) {
    case QIcon::Disabled:
      return palette.color(QPalette::Disabled, QPalette::ButtonText);
    case QIcon::Selected:
      return palette.color(QPalette::HighlightedText);
    default:
      return palette.color(QPalette::ButtonText);
  }
}

/// Draws an SVG whose strokes are `currentColor`.
class ThemedIconEngine : public QIconEngine {
 public:
  ThemedIconEngine(QString name, QByteArray svg) : m_name(std::move(name)), m_svg(std::move(svg)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal ratio = painter->device()->devicePixelRatioF();
    painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State /*state*/) override {
    const QColor color = colorFor(mode);
    const QString key = QStringLiteral("ulp-icon/%1/%2x%3/%4")
                            .arg(m_name)
                            .arg(size.width())
                            .arg(size.height())
                            .arg(color.rgba(), 0, 16);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
      QByteArray svg = m_svg;
      QSvgRenderer renderer(svg.replace("currentColor", color.name().toLatin1()));
      pixmap = QPixmap(size);
      pixmap.fill(Qt::transparent);
      QPainter painter(&pixmap);
      renderer.render(&painter);
      QPixmapCache::insert(key, pixmap);
    }
    return pixmap;
  }

  QPixmap scaledPixmap(const QSize& size,
                       QIcon::Mode mode,
                       QIcon::State state,
                       qreal /*scale*/) override {
    return pixmap(size, mode, state);
  }

  [[nodiscard]] QIconEngine* clone() const override { return new ThemedIconEngine(m_name, m_svg); }
  QString key() const override { return QStringLiteral("ulp"); }
  bool isNull() override { return m_svg.isEmpty(); }

 private:
  QString m_name;
  QByteArray m_svg;
};

/// With the frame of a button around it, no less than 24 pixels: easy to hit.
constexpr int kBeyondText = 4;

template <class Widget>
void growIcons(Widget& widget) {
  new FontFollower(widget, [&widget] {
    const int size = widget.fontMetrics().height() + kBeyondText;
    widget.setIconSize({size, size});
  });
}

}  // namespace

QIcon themedIcon(const QString& name) {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) {
    return {};
  }
  return QIcon(new ThemedIconEngine(name, file.readAll()));
}

void growIconsWithText(QAbstractButton& button) {
  growIcons(button);
}

void growIconsWithText(QToolBar& bar) {
  growIcons(bar);
}

void setUpToolButton(QToolButton& button, const ToolButtonFace& face) {
  button.setIcon(themedIcon(face.icon));
  button.setAutoRaise(true);
  growIconsWithText(button);
  button.setToolTip(face.toolTip.isEmpty() ? face.name : face.toolTip);
  button.setAccessibleName(face.name);
}

void setUpToolButton(QToolButton& button, QAction& action) {
  button.setDefaultAction(&action);
  button.setAutoRaise(true);
  growIconsWithText(button);
  button.setAccessibleName(action.text());
  const auto tellKey = [&button, &action] {
    const QString key = action.shortcut().toString(QKeySequence::NativeText);
    const QString help = action.toolTip();
    button.setToolTip(key.isEmpty() || help.contains(QStringLiteral("(%1)").arg(key))
                          ? help
                          : QStringLiteral("%1 (%2)").arg(help, key));
  };
  // Behind the button, which takes the tool tip of a changed action as it is.
  QObject::connect(&action, &QAction::changed, &button, tellKey);
  tellKey();
}

}  // namespace ulp::views
