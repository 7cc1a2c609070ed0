#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QRect>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrl>
#include <QtWidgets/QWidget>

class QMimeData;

namespace ulp::app {

/// Files that are dragged over the window, by what they are.
struct DroppedFiles {
  QStringList reports;  ///< run folders and reports
  QStringList studies;

  [[nodiscard]] bool isEmpty() const { return reports.isEmpty() && studies.isEmpty(); }
  /// In the order in which the window opens them.
  [[nodiscard]] QStringList all() const { return reports + studies; }
};
/// Local files, and those of hosts: ssh://host/path.
[[nodiscard]] DroppedFiles droppedFiles(const QList<QUrl>& urls);
/// The same where a text may say them.
[[nodiscard]] DroppedFiles droppedFiles(const QMimeData& carried);
/// Addresses of files on hosts, one a line; empty where a line is none.
[[nodiscard]] QStringList locationsIn(const QString& text);

enum class DropAction : std::uint8_t { Open, Compare, Edit, Enqueue };

/// One of the things that can be done with what is dropped.
struct DropZone {
  DropAction action = DropAction::Open;
  QString title;
  QString hint;
};
/// What can be done with files, most usual first; never empty for files that are not.
[[nodiscard]] std::vector<DropZone> dropZones(const DroppedFiles& files, bool isReportOpen);

/// Places of `count` zones beside each other in a window, with `margin` around each, in pixels.
[[nodiscard]] std::vector<QRect> dropZoneRects(const QRect& window, int count, int margin);

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
