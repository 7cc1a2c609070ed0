#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QRect>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrl>

namespace ulp::app {

/// Files that are dragged over the window, by what they are.
struct DroppedFiles {
  QStringList reports;  ///< run folders and reports
  QStringList studies;

  [[nodiscard]] bool isEmpty() const { return reports.isEmpty() && studies.isEmpty(); }
  /// In the order in which the window opens them.
  [[nodiscard]] QStringList all() const { return reports + studies; }
};
/// Local files only.
[[nodiscard]] DroppedFiles droppedFiles(const QList<QUrl>& urls);

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

}  // namespace ulp::app
