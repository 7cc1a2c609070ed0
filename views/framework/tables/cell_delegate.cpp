#include "views/framework/tables/cell_delegate.h"

#include <algorithm>

#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QTableView>

#include "core/base/text/elided.h"
#include "core/base/text/visible_text.h"
#include "views/framework/look/sparkline.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/tables/table_header.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

/// Light enough for text on top.
constexpr float kBarBackground = 0.12F;
constexpr float kBarForeground = 0.4F;
/// Bytes of a text that are laid out: no cell is wider.
constexpr std::size_t kMostShown = 1024;
/// Characters that a sparkline is wide.
constexpr int kSparklineWidth = 18;

/// One pixel more than the text on each side: rounding must not cut a digit off.
int advance(const QStyleOptionViewItem& cell) {
  return cell.fontMetrics.horizontalAdvance(cell.text) + 2;
}

bool holdsNumber(const QStyleOptionViewItem& cell) {
  return cell.displayAlignment.testFlag(Qt::AlignRight);
}

TableHeader* tableHeaderOf(const QObject* table) {
  const auto* known = qobject_cast<const QTableView*>(table);
  return known == nullptr ? nullptr : qobject_cast<TableHeader*>(known->horizontalHeader());
}

int sampleWidth(const QStyleOptionViewItem& option) {
  return option.fontMetrics.height() * 2;
}

}  // namespace

CellDelegate::CellDelegate(const ThemeManager& themes, QObject* parent)
    : QStyledItemDelegate(parent), m_themes(themes) {}

void CellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const Theme& theme = m_themes.theme();
  if (option->displayAlignment.testFlag(Qt::AlignRight)) {
    option->font = fixedFont(option->font);
  }
  if (index.data(EmphasisRole).toBool()) {
    option->font.setBold(true);
    if (!option->state.testFlag(QStyle::State_Selected)) {
      option->backgroundBrush = theme.emphasis;
    }
  }
  const auto setText = [option](const QColor& color) {
    option->palette.setColor(QPalette::Text, color);
  };
  if (index.data(DimRole).toBool()) {
    setText(theme.dimText);
  }
  if (index.data(NonFiniteRole).toBool()) {
    setText(theme.nonFinite);
  }
  if (const QVariant severity = index.data(SeverityRole); severity.isValid()) {
    setText(theme.severityColor(static_cast<Severity>(severity.toInt())));
  }
  option->fontMetrics = QFontMetrics(option->font);
}

QString CellDelegate::displayText(const QVariant& value, const QLocale& locale) const {
  QString text = QStyledItemDelegate::displayText(value, locale);
  text.replace(QChar::LineSeparator, QLatin1Char('\n'));
  // Qt lays out all of a text before it leaves out what does not fit.
  return utf8Text(visibleLine(elided(text.toStdString(), kMostShown)));
}

void CellDelegate::paint(QPainter* painter,
                         const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QVariant variant = index.data(VariantRole);
  const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
  // The background first, over the whole cell; then sample and text side by side on top of it.
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
  QRect rect = cell.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
  if (const QVariant progress = index.data(ProgressRole); progress.isValid()) {
    QRectF bar = QRectF(rect).adjusted(0, 4, 0, -4);
    QColor color = cell.palette.color(QPalette::Highlight);
    color.setAlphaF(kBarBackground);
    painter->fillRect(bar, color);
    bar.setWidth(bar.width() * progress.toDouble());
    color.setAlphaF(kBarForeground);
    painter->fillRect(bar, color);
  }
  if (const QVariant line = index.data(SparklineRole); line.isValid()) {
    const QRectF plot = QRectF(rect).adjusted(0, 2, 0, -2);
    paintSparkline(*painter, plot, *line.value<SparklinePtr>(), m_themes.theme());
  }
  const bool selected = cell.state.testFlag(QStyle::State_Selected);
  if (variant.isValid()) {
    const int width = sampleWidth(cell);
    const QRect sample(rect.left(), rect.top(), width, rect.height());
    if (selected) {
      // A variant may have the colour of the selection.
      painter->fillRect(sample.adjusted(-2, 4, 2, -4), cell.palette.color(QPalette::Base));
    }
    drawSample(*painter, m_themes.theme().variantStyle(variant.toInt()), sample);
    rect.setLeft(rect.left() + width + kCellPadding);
  }
  paintText(*painter, cell, index, rect);
  if (cell.state.testFlag(QStyle::State_HasFocus)) {
    QStyleOptionFocusRect focus;
    focus.QStyleOption::operator=(cell);
    focus.backgroundColor = cell.palette.color(QPalette::Highlight);
    style->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, painter, cell.widget);
  }
}

/// In the part of its room that can be seen: what the edge of the table cuts off a number leaves
/// another one.
void CellDelegate::paintText(QPainter& painter,
                             const QStyleOptionViewItem& cell,
                             const QModelIndex& index,
                             const QRect& room) const {
  const TableHeader* const header = tableHeaderOf(parent());
  const QRect seen =
      header == nullptr
          ? room
          : header->seen(cell.rect).adjusted(kCellPadding, 0, -kCellPadding, 0) & room;
  askForRoom(cell, index, room.width());
  const QString text = fitting(cell, index, seen.width());
  if (seen.isEmpty() || cell.fontMetrics.horizontalAdvance(text) > seen.width()) {
    return;  // not even for the mark
  }
  const bool selected = cell.state.testFlag(QStyle::State_Selected);
  painter.save();
  painter.setFont(cell.font);
  painter.setPen(cell.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
  painter.drawText(seen, static_cast<int>(cell.displayAlignment), text);
  painter.restore();
}

void CellDelegate::askForRoom(const QStyleOptionViewItem& cell,
                              const QModelIndex& index,
                              int room) const {
  TableHeader* const header = tableHeaderOf(parent());
  if (header != nullptr && holdsNumber(cell) &&
      elidedNumber(cell.text, cell.fontMetrics, room) != cell.text) {
    header->askForRoom(index.column(), cell.rect.width() - room + advance(cell));
  }
}

QString CellDelegate::fitting(const QStyleOptionViewItem& cell,
                              const QModelIndex& index,
                              int room) const {
  if (!holdsNumber(cell)) {
    // Variants may have names with blanks, which differ at their ends.
    const auto shorten = index.data(VariantRole).isValid() ? elidedName : elidedText;
    return cell.textElideMode == Qt::ElideNone
               ? shorten(cell.text, cell.fontMetrics, room)
               : cell.fontMetrics.elidedText(cell.text, cell.textElideMode, room);
  }
  return elidedNumber(cell.text, cell.fontMetrics, room);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  int width = advance(cell) + 2 * kCellPadding;
  if (index.data(VariantRole).isValid()) {
    width += sampleWidth(cell) + kCellPadding;
  }
  if (index.data(SparklineRole).isValid()) {
    width = cell.fontMetrics.averageCharWidth() * kSparklineWidth + 2 * kCellPadding;
  }
  return {width, rowHeight(cell.fontMetrics)};
}

QSize RoomyDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QSize size = QStyledItemDelegate::sizeHint(option, index);
  return {size.width(), std::max(size.height(), rowHeight(option.fontMetrics))};
}

}  // namespace ulp::views
