#include "views/commands/palette_delegate.h"

#include <QtGui/QPainter>
#include <QtGui/QTextLayout>
#include <QtWidgets/QApplication>

#include "views/commands/palette_model.h"

namespace ulp::views {
namespace {

constexpr int kPalettePadding = 8;
constexpr int kLineMargin = 4;

QList<QTextLayout::FormatRange> highlights(const QList<int>& positions) {
  QTextCharFormat format;
  format.setFontWeight(QFont::Bold);
  format.setFontUnderline(true);
  QList<QTextLayout::FormatRange> ranges;
  for (const int position : positions) {
    ranges << QTextLayout::FormatRange{.start = position, .length = 1, .format = format};
  }
  return ranges;
}

}  // namespace

void PaletteDelegate::paint(QPainter* painter,
                            const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
  const bool enabled = cell.state.testFlag(QStyle::State_Enabled);
  const bool selected = cell.state.testFlag(QStyle::State_Selected);
  const auto group = enabled ? QPalette::Active : QPalette::Disabled;
  const QColor text =
      cell.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
  const QRect rect = cell.rect.adjusted(kPalettePadding, 0, -kPalettePadding, 0);
  const QString detail = index.data(PaletteModel::DetailRole).toString();
  const int detailWidth = cell.fontMetrics.horizontalAdvance(detail);
  painter->save();
  painter->setFont(cell.font);
  painter->setPen(selected ? text : cell.palette.color(group, QPalette::PlaceholderText));
  painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter, detail);
  painter->setPen(text);
  QTextLayout layout(cell.text, cell.font);
  layout.setFormats(highlights(index.data(PaletteModel::PositionsRole).value<QList<int>>()));
  layout.beginLayout();
  QTextLine line = layout.createLine();
  if (line.isValid()) {
    // One line, cut where the detail begins.
    line.setNumColumns(static_cast<int>(cell.text.size()));
  }
  layout.endLayout();
  painter->setClipRect(rect.adjusted(0, 0, -detailWidth - kPalettePadding, 0));
  const double top = rect.top() + (rect.height() - layout.boundingRect().height()) / 2;
  layout.draw(painter, QPointF(rect.left(), top));
  painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem& option,
                                const QModelIndex& /*index*/) const {
  return {option.fontMetrics.averageCharWidth() * 24,
          option.fontMetrics.height() + 2 * kLineMargin};
}

}  // namespace ulp::views
