#include "views/framework/tables/table_header.h"

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include <QtCore/QScopedValueRollback>
#include <QtGui/QPainter>

#include "views/framework/tables/cell_delegate.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/words/elided_text.h"

namespace ulp::views {
namespace {

constexpr int kArrowHeight = 4;

}  // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
  setMinimumSectionSize(24);
  connect(this, &QHeaderView::sectionResized, this, [this](int column) {
    if (m_isDragged) {
      m_userSized.insert(column);
    }
  });
  // Fits the column: it is ours again.
  connect(this, &QHeaderView::sectionHandleDoubleClicked, this, [this](int column) {
    m_userSized.erase(column);
  });
  connect(this, &QHeaderView::sectionCountChanged, this, [this] { m_userSized.clear(); });
}

bool TableHeader::hasGroups() const {
  return std::ranges::any_of(std::views::iota(0, count()),
                             [this](int column) { return !group(column).isEmpty(); });
}

void TableHeader::askForRoom(int column, int width) {
  if (m_userSized.contains(column) || sectionResizeMode(column) != Interactive) {
    return;
  }
  if (m_wanted.empty()) {
    // Not in the middle of a painting.
    QMetaObject::invokeMethod(this, &TableHeader::giveRoom, Qt::QueuedConnection);
  }
  int& wanted = m_wanted[column];
  wanted = std::max(wanted, width);
}

void TableHeader::giveRoom() {
  for (const auto& [column, width] : std::exchange(m_wanted, {})) {
    if (column < count() && width > sectionSize(column)) {
      resizeSection(column, width);
    }
  }
}

void TableHeader::setCovered(int width) {
  if (std::exchange(m_covered, width) != width) {
    Q_EMIT seenPartChanged();
  }
}

QRect TableHeader::seen(const QRect& room) const {
  return room & QRect(m_covered, room.top(), viewport()->width() - m_covered, room.height());
}

void TableHeader::mouseMoveEvent(QMouseEvent* event) {
  // Columns that the program resizes while a button is held are not the user's.
  const QScopedValueRollback<bool> dragging(m_isDragged, true);
  QHeaderView::mouseMoveEvent(event);
}

QSize TableHeader::sizeHint() const {
  QSize size = QHeaderView::sizeHint();
  size.setHeight(bandHeight() + fontMetrics().height() + 8);
  return size;
}

QSize TableHeader::sectionSizeFromContents(int logicalIndex) const {
  return {titleWidth(logicalIndex), sizeHint().height()};
}

int TableHeader::titleWidth(int logicalIndex) const {
  const QString title = model()->headerData(logicalIndex, Qt::Horizontal).toString();
  return fontMetrics().horizontalAdvance(title) + 2 * kCellPadding + 2;
}

void TableHeader::fitGroups() {
  for (int first = 0; first < count();) {
    const QString name = groupAtVisual(first);
    std::vector<int> columns;
    int width = 0;
    for (; first < count() && groupAtVisual(first) == name; ++first) {
      const int column = logicalIndex(first);
      width += sectionSize(column);
      if (!isSectionHidden(column) && !m_userSized.contains(column)) {
        columns.push_back(column);
      }
    }
    const int lack =
        name.isEmpty() ? 0 : fontMetrics().horizontalAdvance(name) + 2 * kCellPadding + 2 - width;
    for (int i = 0; lack > 0 && i < static_cast<int>(columns.size()); ++i) {
      const int all = static_cast<int>(columns.size());
      const int column = columns[static_cast<std::size_t>(i)];
      resizeSection(column, sectionSize(column) + lack * (i + 1) / all - lack * i / all);
    }
  }
}

QString TableHeader::group(int logicalIndex) const {
  return model() == nullptr
             ? QString()
             : model()->headerData(logicalIndex, Qt::Horizontal, GroupRole).toString();
}

QString TableHeader::groupAtVisual(int visualIndex) const {
  return visualIndex < 0 || visualIndex >= count() ? QString() : group(logicalIndex(visualIndex));
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
  const QPalette& colors = palette();
  painter->save();
  painter->fillRect(rect, colors.color(QPalette::Window));
  const int band = bandHeight();
  const QRect title = seen(rect).adjusted(kCellPadding, band, -kCellPadding, -2);
  const QVariant alignment =
      model()->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole);
  const int flags = alignment.isValid() ? alignment.toInt() : int(Qt::AlignLeft | Qt::AlignVCenter);
  const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
  if (sorted) {
    paintSortArrow(*painter, title);
  }
  const QString text = elidedName(
      model()->headerData(logicalIndex, Qt::Horizontal).toString(), fontMetrics(), title.width());
  painter->setPen(colors.color(QPalette::WindowText));
  if (fontMetrics().horizontalAdvance(text) <= title.width()) {
    painter->drawText(title, flags, text);
  }
  if (band > 0) {
    paintGroup(*painter, QRect(rect.left(), rect.top(), rect.width(), band), logicalIndex);
  }
  painter->setPen(colors.color(QPalette::Mid));
  painter->drawLine(rect.bottomLeft(), rect.bottomRight());
  painter->restore();
}

void TableHeader::paintSortArrow(QPainter& painter, const QRect& title) const {
  // Above the title, where it costs no width.
  const double middle = title.center().x() + 0.5;
  const bool up = sortIndicatorOrder() == Qt::AscendingOrder;
  const double base = title.top() + (up ? kArrowHeight + 1 : 1);
  const double tip = title.top() + (up ? 1 : kArrowHeight + 1);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::Highlight));
  painter.drawPolygon(QPolygonF({QPointF(middle - kArrowHeight, base),
                                 QPointF(middle + kArrowHeight, base),
                                 QPointF(middle, tip)}));
  painter.restore();
}

void TableHeader::paintGroup(QPainter& painter, const QRect& band, int logicalIndex) const {
  const QString name = group(logicalIndex);
  const int visual = visualIndex(logicalIndex);
  if (groupAtVisual(visual - 1) != name && visual > 0) {
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(band.left(), band.top() + 4, band.left(), height() - 4);
  }
  if (name.isEmpty()) {
    return;
  }
  // Every section paints its part of the title, which spans all sections of the group.
  int first = visual;
  int width = sectionSize(logicalIndex);
  int left = band.left();
  while (groupAtVisual(first - 1) == name) {
    --first;
    left -= sectionSize(this->logicalIndex(first));
    width += sectionSize(this->logicalIndex(first));
  }
  for (int next = visual + 1; groupAtVisual(next) == name; ++next) {
    width += sectionSize(this->logicalIndex(next));
  }
  painter.save();
  painter.setClipRect(band);
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(QRect(left + kCellPadding, band.top(), width - 2 * kCellPadding, band.height()),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   name);
  painter.restore();
}

}  // namespace ulp::views
