#include "app/gui/start/drop_zones.h"

#include <algorithm>

#include <QtCore/QCoreApplication>

#include "views/framework/workspace/study_document.h"

namespace ulp::app {
namespace {

struct DropZonesWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::DropOverlay)
};

}  // namespace

DroppedFiles droppedFiles(const QList<QUrl>& urls) {
  DroppedFiles files;
  for (const QUrl& url : urls) {
    if (url.isLocalFile()) {
      const QString path = url.toLocalFile();
      (views::isStudyFile(path) ? files.studies : files.reports) << path;
    }
  }
  return files;
}

std::vector<DropZone> dropZones(const DroppedFiles& files, bool isReportOpen) {
  if (files.isEmpty()) {
    return {};
  }
  if (files.reports.isEmpty()) {
    return {{.action = DropAction::Edit,
             .title = DropZonesWords::tr("Edit"),
             .hint = DropZonesWords::tr("Open the study in the editor")},
            {.action = DropAction::Enqueue,
             .title = DropZonesWords::tr("Add to the queue"),
             .hint = DropZonesWords::tr("Run it after the studies that are waiting")}};
  }
  if (!isReportOpen || !files.studies.isEmpty()) {
    return {{.action = DropAction::Open,
             .title = DropZonesWords::tr("Open"),
             .hint = DropZonesWords::tr("Run folders, reports, studies, and dumps to compare")}};
  }
  return {{.action = DropAction::Open,
           .title = DropZonesWords::tr("Open"),
           .hint = DropZonesWords::tr("In place of what is open")},
          {.action = DropAction::Compare,
           .title = DropZonesWords::tr("Compare with what is open"),
           .hint = DropZonesWords::tr("Add its runs to those that are open")}};
}

std::vector<QRect> dropZoneRects(const QRect& window, int count, int margin) {
  std::vector<QRect> rects;
  rects.reserve(static_cast<std::size_t>(std::max(0, count)));
  const int width = (window.width() - (margin * (count + 1))) / std::max(1, count);
  for (int i = 0; i < count; ++i) {
    rects.emplace_back(window.left() + margin + (i * (width + margin)),
                       window.top() + margin,
                       width,
                       window.height() - (2 * margin));
  }
  return rects;
}

}  // namespace ulp::app
