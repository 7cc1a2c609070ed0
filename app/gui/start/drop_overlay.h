#pragma once

#include <functional>

#include <QtWidgets/QWidget>

#include "app/gui/start/drop_zones.h"

class QMimeData;

namespace ulp::app {

/// Covers its window while files are dragged over any part of it, and offers what can be done with
/// them: each in a zone of its own.
class DropOverlay : public QWidget {
  Q_OBJECT

 public:
  /// Watches `window`. `isReportOpen` is asked when a drag begins.
  DropOverlay(QWidget& window, std::function<bool()> isReportOpen);

  [[nodiscard]] const std::vector<DropZone>& zones() const { return m_zones; }
  [[nodiscard]] QRect zoneRect(int zone) const;
  /// The zone under the mouse; -1: none.
  [[nodiscard]] int currentZone() const { return m_current; }

 Q_SIGNALS:
  void dropped(ulp::app::DropAction action, const ulp::app::DroppedFiles& files);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  /// False: nothing that the window can open.
  bool begin(const QMimeData& carried);
  void setCurrent(int zone);
  [[nodiscard]] int zoneAt(const QPointF& point) const;
  void paintZone(QPainter& painter, int zone) const;

  QWidget& m_window;
  std::function<bool()> m_isReportOpen;
  std::vector<DropZone> m_zones;
  int m_current = -1;
};

}  // namespace ulp::app
