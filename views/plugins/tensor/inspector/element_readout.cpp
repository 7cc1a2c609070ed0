#include "views/plugins/tensor/inspector/element_readout.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QtCore/QStringList>
#include <QtGui/QFontInfo>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/base/text/format_number.h"
#include "views/charts/plot/painting.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/tensor/pictures/tensor_text.h"

namespace ulp::views {
namespace {

using charts::kGap;

constexpr int kRows = 6;        ///< index, A, B, B − A, relative, ULP
constexpr int kBitsALine = 34;  ///< float64 takes two lines

std::array<QString, kRows> valuesOf(const ElementFacts& facts) {
  const auto text = [](double value) {
    return std::isnan(value) ? QStringLiteral("NaN") : valueText(value);
  };
  return {indexText(facts.index),
          text(facts.reference),
          text(facts.variant),
          text(facts.difference),
          text(facts.relative),
          ulpText(facts.ulp)};
}

bool isBroken(const ElementFacts& facts) {
  return !std::isfinite(facts.reference) || !std::isfinite(facts.variant);
}

/// A bit on its way to the screen.
struct Bit {
  bool isOne = false;
  bool differs = false;
  int field = 0;  ///< 0 sign, 1 exponent, 2 mantissa
};

std::vector<Bit> bitsOf(const analysis::BitPattern& pattern, std::uint64_t differing) {
  std::vector<Bit> bits;
  for (int i = pattern.width() - 1; i >= 0; --i) {
    const int field = i < pattern.mantissaBits                          ? 2
                      : i < pattern.mantissaBits + pattern.exponentBits ? 1
                                                                        : 0;
    bits.push_back({(pattern.bits >> i & 1) != 0, (differing >> i & 1) != 0, field});
  }
  return bits;
}

}  // namespace

ElementFacts factsOf(const analysis::TensorPair& pair,
                     std::int64_t flat,
                     std::vector<std::int64_t> index) {
  using analysis::Quantity;
  const auto at = static_cast<std::size_t>(flat);
  ElementFacts facts;
  facts.index = std::move(index);
  facts.isOne = isOneTensor(pair);
  facts.reference = numerics::elementAt(pair.reference.view, at);
  facts.variant = numerics::elementAt(pair.variant.view, at);
  const auto of = [&](Quantity quantity) {
    return analysis::QuantityReader(pair, quantity).valueOf(facts.reference, facts.variant);
  };
  facts.difference = of(Quantity::Difference);
  facts.relative = of(Quantity::RelativeDifference);
  facts.ulp = ulpOf(pair, facts.reference, facts.variant);
  facts.referenceType = pair.reference.view.dtype;
  facts.variantType = pair.variant.view.dtype;
  facts.referenceBits = analysis::bitPatternAt(pair.reference.view, at);
  facts.variantBits = analysis::bitPatternAt(pair.variant.view, at);
  facts.differing = analysis::differingBits(facts.referenceBits, facts.variantBits);
  return facts;
}

QString bitText(const analysis::BitPattern& pattern) {
  QString text;
  int field = -1;
  for (const Bit& bit : bitsOf(pattern, 0)) {
    if (field >= 0 && bit.field != field) {
      text += QLatin1Char(' ');
    }
    field = bit.field;
    text += bit.isOne ? QLatin1Char('1') : QLatin1Char('0');
  }
  return text;
}

ElementReadout::ElementReadout(QWidget* parent) : QWidget(parent), m_theme(lightTheme()) {
  setAccessibleName(tr("Element under the cursor and selected element"));
  setAttribute(Qt::WA_OpaquePaintEvent);
  describe();
}

void ElementReadout::setTheme(const Theme& theme) {
  m_theme = theme;
  update();
}

void ElementReadout::setCursorElement(const std::optional<ElementFacts>& facts) {
  m_cursor = facts;
  describe();
  update();
}

void ElementReadout::setSelectedElement(const std::optional<ElementFacts>& facts) {
  m_selected = facts;
  describe();
  update();
}

void ElementReadout::describe() {
  QStringList lines;
  for (const auto& facts : {m_selected, m_cursor}) {
    if (facts) {
      const auto values = valuesOf(*facts);
      if (facts->isOne) {
        lines << QStringLiteral("%1: %2").arg(values[0], values[1]);
        continue;
      }
      lines << tr("%1: A %2, B %3, B − A %4, relative %5, ULP %6")
                   .arg(values[0], values[1], values[2], values[3], values[4], values[5]);
    }
  }
  setAccessibleDescription(lines.join(QLatin1Char('\n')));
}

QSize ElementReadout::sizeHint() const {
  const double line = QFontMetricsF(font()).height() + 2;
  const double em = QFontMetricsF(fixedFont(font())).horizontalAdvance(QLatin1Char('0'));
  return {static_cast<int>(em * 46), static_cast<int>(line * (kRows + 1 + 4) + 5 * kGap)};
}

QSize ElementReadout::minimumSizeHint() const {
  return {sizeHint().width() * 2 / 3, sizeHint().height()};
}

void ElementReadout::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(font());
  paint(painter, QRectF(rect()), m_theme);
}

void ElementReadout::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.save();
  painter.fillRect(area, theme.chartBackground);
  const double line = QFontMetricsF(painter.font()).height() + 2;
  if (!m_cursor && !m_selected) {
    painter.setPen(theme.dimText);
    painter.drawText(area.adjusted(kGap, kGap, -kGap, -kGap),
                     static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                     tr("Point at an element to read it, click to select it."));
    painter.restore();
    return;
  }
  const QRectF values(
      area.left() + kGap, area.top() + kGap, area.width() - 2 * kGap, line * (kRows + 1));
  paintValues(painter, values, theme);
  const double top = values.bottom() + kGap;
  paintBits(
      painter, QRectF(values.left(), top, values.width(), area.bottom() - top - kGap / 2), theme);
  painter.restore();
}

void ElementReadout::paintValues(QPainter& painter, const QRectF& area, const Theme& theme) const {
  const QFont plain = painter.font();
  const QFont fixed = fixedFont(plain);
  const QFontMetricsF metrics(plain);
  const double line = metrics.height() + 2;
  const std::array<QString, kRows> names{tr("Element"),
                                         quantitySymbol(analysis::Quantity::Reference),
                                         quantitySymbol(analysis::Quantity::Variant),
                                         quantitySymbol(analysis::Quantity::Difference),
                                         quantitySymbol(analysis::Quantity::RelativeDifference),
                                         quantitySymbol(analysis::Quantity::Ulp)};
  double nameWidth = 0;
  for (const QString& name : names) {
    nameWidth = std::max(nameWidth, metrics.horizontalAdvance(name));
  }
  const double column = (area.width() - nameWidth - kGap) / 2;
  painter.setPen(theme.dimText);
  const bool isOne = (m_cursor ? m_cursor : m_selected)->isOne;
  const int rows = isOne ? 2 : kRows;
  for (int row = 0; row < rows; ++row) {
    painter.drawText(QRectF(area.left(), area.top() + line * (row + 1), nameWidth, line),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     isOne && row == 1 ? tr("Value") : names[static_cast<std::size_t>(row)]);
  }
  const auto paintColumn =
      [&](int place, const QString& title, const std::optional<ElementFacts>& facts) {
        const double left = area.left() + nameWidth + kGap + column * place;
        painter.setFont(plain);
        painter.setPen(theme.dimText);
        painter.drawText(
            QRectF(left, area.top(), column, line), Qt::AlignRight | Qt::AlignVCenter, title);
        painter.setFont(fixed);
        const auto values = facts ? valuesOf(*facts) : std::array<QString, kRows>{};
        for (int row = 0; row < rows; ++row) {
          const QString& text = values[static_cast<std::size_t>(row)];
          painter.setPen(facts && isBroken(*facts) && row > 0 ? theme.nonFinite
                         : facts                              ? theme.palette.color(QPalette::Text)
                                                              : theme.dimText);
          const QString& shown = facts ? text : missingText();
          // All digits, smaller where there is little room.
          QFont fitting = fixed;
          const double wanted = QFontMetricsF(fixed).horizontalAdvance(shown);
          fitting.setPointSizeF(QFontInfo(fixed).pointSizeF() *
                                std::min(1.0, std::max(column, 1.0) / std::max(wanted, 1.0)));
          painter.setFont(fitting);
          painter.drawText(QRectF(left, area.top() + line * (row + 1), column, line),
                           Qt::AlignRight | Qt::AlignVCenter,
                           shown);
        }
      };
  paintColumn(0, tr("selected"), m_selected);
  paintColumn(1, tr("under the cursor"), m_cursor);
  painter.setFont(plain);
}

void ElementReadout::paintBits(QPainter& painter, const QRectF& area, const Theme& theme) const {
  const ElementFacts& facts = m_cursor ? *m_cursor : *m_selected;
  const QFont plain = painter.font();
  const QFont fixed = fixedFont(plain);
  const QFontMetricsF metrics(fixed);
  const double line = metrics.height() + 2;
  double top = area.top();
  const auto paintPattern = [&](const QString& name,
                                const analysis::BitPattern& pattern,
                                std::uint64_t differing) {
    const std::vector<Bit> bits = bitsOf(pattern, differing);
    painter.setFont(plain);
    painter.setPen(theme.dimText);
    const double nameWidth = QFontMetricsF(plain).horizontalAdvance(QStringLiteral("A  "));
    painter.drawText(
        QRectF(area.left(), top, nameWidth, line), Qt::AlignLeft | Qt::AlignVCenter, name);
    const int perLine = bits.size() > kBitsALine ? kBitsALine : static_cast<int>(bits.size());
    const double room = area.width() - nameWidth - 2 * kGap;
    const double advance =
        std::min(metrics.horizontalAdvance(QLatin1Char('0')) + 1, room / std::max(8, perLine));
    painter.setFont(fixed);
    const std::array<QColor, 3> inks{theme.broken, theme.look, theme.palette.color(QPalette::Text)};
    double x = area.left() + nameWidth;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const bool startsField = i > 0 && bits[i].field != bits[i - 1].field;
      x += startsField ? kGap : 0;
      if (i == kBitsALine) {
        top += line;
        x = area.left() + nameWidth;
      }
      const QRectF cell(x, top, advance, line);
      if (bits[i].differs) {
        // Marked by a ground and a bar, so that it is seen without colour too.
        painter.fillRect(cell, theme.emphasis);
        painter.fillRect(QRectF(cell.left(), cell.bottom() - 2, cell.width(), 2),
                         theme.palette.color(QPalette::Text));
      }
      painter.setPen(inks[static_cast<std::size_t>(bits[i].field)]);
      painter.drawText(
          cell, Qt::AlignCenter, bits[i].isOne ? QStringLiteral("1") : QStringLiteral("0"));
      x += advance;
    }
    top += line + 2;
  };
  painter.setPen(theme.dimText);
  painter.setFont(plain);
  if (!facts.isOne) {
    paintPattern(QStringLiteral("A"), facts.referenceBits, facts.differing.first);
  }
  paintPattern(
      facts.isOne ? QString() : QStringLiteral("B"), facts.variantBits, facts.differing.second);
  painter.setFont(plain);
  painter.setPen(theme.dimText);
  const QString type = utf8Text(toString(facts.variantType));
  const QString text = facts.isOne ? tr("%1: sign, exponent, mantissa").arg(type)
                                   : tr("%1, %2: sign, exponent, mantissa")
                                         .arg(utf8Text(toString(facts.referenceType)), type);
  painter.drawText(QRectF(area.left(), top, area.width(), line),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(plain).elidedText(text, Qt::ElideRight, area.width()));
}

report::DataTable ElementReadout::table() const {
  report::DataTable table{
      "Element",
      report::columnsOf("; element; A; B; B − A; relative; ULP; bits of A; bits of B"),
      {}};
  const auto add = [&table](const QString& name, const std::optional<ElementFacts>& facts) {
    if (facts) {
      table.rows.push_back({name.toStdString(),
                            indexText(facts->index).toStdString(),
                            facts->reference,
                            facts->variant,
                            facts->difference,
                            facts->relative,
                            facts->ulp,
                            bitText(facts->referenceBits).toStdString(),
                            bitText(facts->variantBits).toStdString()});
    }
  };
  add(tr("selected"), m_selected);
  add(tr("under the cursor"), m_cursor);
  return table;
}

}  // namespace ulp::views
