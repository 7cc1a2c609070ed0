#include "app/gui/start/drop_overlay.h"

#include <algorithm>
#include <utility>

#include <QtCore/QMimeData>
#include <QtGui/QDragEnterEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>

#include "app/gui/dumps/fetched_paths.h"
#include "views/framework/workspace/study_document.h"

namespace ulp::app {
namespace {

constexpr int kMargin = 16;
constexpr double kTitleSize = 1.4;
constexpr float kCover = 0.95F;
constexpr float kChosen = 0.18F;
constexpr int kGap = 8;

}  // namespace

DropOverlay::DropOverlay(QWidget& window, std::function<bool()> isReportOpen)
    : QWidget(&window), m_window(window), m_isReportOpen(std::move(isReportOpen)) {
  setAcceptDrops(true);
  window.setAcceptDrops(true);
  setAccessibleName(tr("Drop files"));
  hide();
  // Charts and editors take drags for themselves: files are for the window, wherever they are.
  qApp->installEventFilter(this);
}

bool DropOverlay::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == &m_window) {
    setGeometry(m_window.rect());
  }
  const auto* widget = event->type() == QEvent::DragEnter && watched != this
                           ? qobject_cast<QWidget*>(watched)
                           : nullptr;
  if (widget == nullptr || widget->window() != &m_window) {
    return QWidget::eventFilter(watched, event);
  }
  auto* enter = static_cast<QDragEnterEvent*>(event);
  if (!begin(*enter->mimeData())) {
    return QWidget::eventFilter(watched, event);
  }
  // From the next move on the overlay is what lies under the mouse.
  enter->acceptProposedAction();
  return true;
}

bool DropOverlay::begin(const QMimeData& carried) {
  m_zones = dropZones(droppedFiles(carried), m_isReportOpen());
  m_current = -1;
  setGeometry(m_window.rect());
  setVisible(!m_zones.empty());
  raise();
  update();
  return !m_zones.empty();
}

QRect DropOverlay::zoneRect(int zone) const {
  return dropZoneRects(
      rect(), static_cast<int>(m_zones.size()), kMargin)[static_cast<std::size_t>(zone)];
}

int DropOverlay::zoneAt(const QPointF& point) const {
  if (m_zones.size() == 1) {
    return 0;  // anywhere
  }
  for (int zone = 0; zone < static_cast<int>(m_zones.size()); ++zone) {
    if (zoneRect(zone).contains(point.toPoint())) {
      return zone;
    }
  }
  return -1;
}

void DropOverlay::setCurrent(int zone) {
  if (zone != m_current) {
    m_current = zone;
    update();
  }
}

void DropOverlay::dragEnterEvent(QDragEnterEvent* event) {
  if (begin(*event->mimeData())) {
    setCurrent(zoneAt(event->position()));
    event->acceptProposedAction();
  }
}

void DropOverlay::dragMoveEvent(QDragMoveEvent* event) {
  setCurrent(zoneAt(event->position()));
  if (m_current >= 0) {
    event->acceptProposedAction();
  } else {
    event->ignore();
  }
}

void DropOverlay::dragLeaveEvent(QDragLeaveEvent* /*event*/) {
  hide();
}

void DropOverlay::dropEvent(QDropEvent* event) {
  const int zone = zoneAt(event->position());
  hide();
  if (zone >= 0) {
    event->acceptProposedAction();
    Q_EMIT dropped(m_zones[static_cast<std::size_t>(zone)].action,
                   droppedFiles(*event->mimeData()));
  }
}

void DropOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  QColor cover = palette().color(QPalette::Window);
  cover.setAlphaF(kCover);
  painter.fillRect(rect(), cover);
  painter.setRenderHint(QPainter::Antialiasing);
  for (int zone = 0; zone < static_cast<int>(m_zones.size()); ++zone) {
    paintZone(painter, zone);
  }
}

void DropOverlay::paintZone(QPainter& painter, int zone) const {
  const QRect area = zoneRect(zone);
  const bool isChosen = zone == m_current;
  const QColor highlight = palette().color(QPalette::Highlight);
  QColor wash = highlight;
  wash.setAlphaF(isChosen ? kChosen : 0);
  painter.setBrush(wash);
  painter.setPen(isChosen ? QPen(highlight, 2)
                          : QPen(palette().color(QPalette::PlaceholderText), 1, Qt::DashLine));
  painter.drawRoundedRect(area, 4, 4);
  const DropZone& what = m_zones[static_cast<std::size_t>(zone)];
  QFont larger = font();
  larger.setPointSizeF(larger.pointSizeF() * kTitleSize);
  const QRect inside = area.adjusted(kGap, 0, -kGap, 0);
  painter.setFont(larger);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(QRect(inside.left(), inside.top(), inside.width(), inside.height() / 2),
                   Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap,
                   what.title);
  painter.setFont(font());
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(
      QRect(inside.left(), inside.center().y() + kGap, inside.width(), inside.height() / 2 - kGap),
      Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
      what.hint);
}

QStringList locationsIn(const QString& text) {
  constexpr qsizetype kLongest = 1 << 16;  // what is longer is no list of addresses
  QStringList locations;
  for (const QString& line : text.left(kLongest).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const QString location = line.trimmed();
    if (!isOnHost(location)) {
      return {};
    }
    locations << location;
  }
  return locations;
}

DroppedFiles droppedFiles(const QMimeData& carried) {
  DroppedFiles files = droppedFiles(carried.urls());
  if (files.isEmpty() && carried.hasText()) {
    files.reports = locationsIn(carried.text());
  }
  return files;
}

DroppedFiles droppedFiles(const QList<QUrl>& urls) {
  DroppedFiles files;
  for (const QUrl& url : urls) {
    if (const QString address = url.toString(QUrl::FullyDecoded); isOnHost(address)) {
      files.reports << address;
    } else if (url.isLocalFile()) {
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
             .title = DropOverlay::tr("Edit"),
             .hint = DropOverlay::tr("Open the study in the editor")},
            {.action = DropAction::Enqueue,
             .title = DropOverlay::tr("Add to the queue"),
             .hint = DropOverlay::tr("Run it after the studies that are waiting")}};
  }
  if (!isReportOpen || !files.studies.isEmpty()) {
    return {{.action = DropAction::Open,
             .title = DropOverlay::tr("Open"),
             .hint = DropOverlay::tr(
                 "Run folders, reports, studies, and dumps; two dumps are compared")}};
  }
  return {{.action = DropAction::Open,
           .title = DropOverlay::tr("Open"),
           .hint = DropOverlay::tr("In place of what is open")},
          {.action = DropAction::Compare,
           .title = DropOverlay::tr("Compare with what is open"),
           .hint = DropOverlay::tr("Add its runs to those that are open; of a dump, compare it")}};
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
