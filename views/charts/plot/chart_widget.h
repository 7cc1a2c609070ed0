#pragma once

#include <cstdint>
#include <optional>

#include <QtGui/QImage>
#include <QtWidgets/QWidget>

#include "views/charts/plot/viewport.h"
#include "views/framework/look/theme.h"

namespace ulp::views::charts {

/// How far a key goes: places to the right and down, and screenfuls down. Home and End go further
/// than any chart reaches.
struct ChartStep {
  int right = 0;
  int down = 0;
  int pages = 0;
};

/// A chart that is drawn by hand. What paintStill() paints is kept as a picture until redraw(), so
/// that the rest can move without it. Reached by keyboard it has a ring around it, and tells screen
/// readers where it stands if it is an AccessibleChart. What the two numbers of a place mean, each
/// chart says for itself.
class ChartWidget : public QWidget {
  Q_OBJECT

 public:
  explicit ChartWidget(QWidget* parent);

  void setTheme(const Theme& theme);

 Q_SIGNALS:
  /// -1, -1: the mouse left.
  void hovered(int first, int second);
  void picked(int first, int second);
  /// The user wants to go deeper.
  void activated();

 protected:
  [[nodiscard]] const Theme& theme() const { return m_theme; }
  /// Marks the kept picture stale and schedules a paint.
  void redraw();
  /// Called when size, font or theme have changed.
  virtual void layOut() { redraw(); }
  /// Paints what is kept, onto a picture of Format_RGB32 with the pixels of the widget.
  virtual void paintStill(QImage& picture) = 0;
  /// Paints what follows mouse and keys on top of it.
  virtual void paintMoving(QPainter& painter) = 0;
  /// The mouse is at a point; outside the widget: it has left.
  virtual void hoverAt(const QPointF& point) = 0;
  virtual void clickAt(const QPointF& point) = 0;
  /// An arrow key or the like was pressed. False: it has no meaning here.
  virtual bool walk(const ChartStep& step) = 0;
  virtual bool enter();
  /// Any other key. False: it has no meaning here, and belongs to the window.
  virtual bool press(int /*key*/) { return false; }

  void paintEvent(QPaintEvent* event) final;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  Theme m_theme = lightTheme();
  QImage m_still;
  bool m_stillIsStale = true;
  bool m_showsFocus = false;  ///< reached by keyboard, so the ring is needed
};

/// A chart of which a part can be seen, zoomed and panned with mouse and keys: drag zooms, along
/// one axis alone where it is flat; Shift-drag pans; the wheel zooms at the cursor, with Ctrl along
/// the vertical axis alone; + and - zoom; 0, F and a double click show everything.
class ZoomedChart : public ChartWidget {
  Q_OBJECT

 public:
  /// `bandOpacity`: of the rectangle that is being chosen, 0…1.
  ZoomedChart(Upwards upwards, float bandOpacity, QWidget* parent);

  [[nodiscard]] const Viewport& viewRange() const { return m_viewport; }
  /// For zoom that several charts share. Does not emit viewRangeChanged().
  void setViewRange(const Range& x, const Range& y);
  void showEverything();

 Q_SIGNALS:
  /// The user has zoomed or panned.
  void viewRangeChanged();

 protected:
  enum class Along : std::uint8_t { Horizontal, Both };

  /// Where the visible part lies, in pixels. Empty: there is nothing to zoom.
  [[nodiscard]] virtual QRectF plotArea() const = 0;
  /// What wheel and keys zoom unless Ctrl says otherwise.
  [[nodiscard]] virtual Along zoomAlong() const { return Along::Horizontal; }
  /// What keys zoom around, in axis units; where that is out of sight they zoom around the middle.
  [[nodiscard]] virtual QPointF keyAnchor() const = 0;
  /// Paints what paintMoving() paints while nothing is being dragged.
  virtual void paintHover(QPainter& /*painter*/) {}
  /// Lays out anew, and tells that the user has zoomed or panned.
  void zoomed();
  /// What is seen moves with the mouse.
  [[nodiscard]] bool isPanning() const { return m_drag && m_drag->pans && m_drag->moved; }

  void paintMoving(QPainter& painter) override;
  bool press(int key) override;
  void mousePressEvent(QMouseEvent* event) final;
  void mouseMoveEvent(QMouseEvent* event) final;
  void mouseReleaseEvent(QMouseEvent* event) final;
  void mouseDoubleClickEvent(QMouseEvent* event) final;
  void wheelEvent(QWheelEvent* event) final;

  Viewport m_viewport;

 private:
  struct Drag {
    QPointF start;
    QPointF last;
    bool pans = false;
    bool moved = false;
  };

  [[nodiscard]] PlotMap map() const {
    return {plotArea(), m_viewport.x(), m_viewport.y(), m_upwards};
  }
  /// The part that is being chosen; nothing while no such drag goes on.
  [[nodiscard]] std::optional<QRectF> rubberBand() const;
  void zoomTo(const QRectF& area);

  Upwards m_upwards;
  float m_bandOpacity;
  std::optional<Drag> m_drag;
};

}  // namespace ulp::views::charts
