#include "views/charts/raster/range_control.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QEvent>
#include <QtCore/QSignalBlocker>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include "views/charts/raster/raster.h"
#include "views/charts/raster/scale_bar.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views::charts {

RangeControl::RangeControl(QWidget* parent)
    : QWidget(parent),
      m_bar(new RangeBar(this)),
      m_legend(new ClassLegend(this)),
      m_fit(new QPushButton(tr("Fit range"), this)),
      m_always(new QCheckBox(tr("Always fit"), this)) {
  m_fit->setToolTip(tr("Sets the ends to the smallest and the largest value shown"));
  m_always->setToolTip(tr("Fits the range whenever other values are shown"));
  auto* buttons = new QVBoxLayout;
  buttons->setSpacing(4);
  buttons->addWidget(m_fit);
  buttons->addWidget(m_always);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(12);
  layout->addWidget(m_bar, 1, Qt::AlignVCenter);
  layout->addWidget(m_legend, 0, Qt::AlignVCenter);
  layout->addLayout(buttons);
  layout->setAlignment(buttons, Qt::AlignVCenter);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  connect(m_bar, &RangeBar::rangeEdited, this, [this](const Range& range) {
    setAlwaysFit(false);
    Q_EMIT rangeChanged(range);
  });
  connect(m_bar, &RangeBar::fitRequested, this, &RangeControl::fit);
  connect(m_fit, &QPushButton::clicked, this, &RangeControl::fit);
  connect(m_always, &QCheckBox::toggled, this, [this](bool always) {
    if (always) {
      fit();
    }
  });
}

void RangeControl::setTheme(const Theme& theme) {
  m_bar->setTheme(theme);
  m_legend->setTheme(theme);
}

void RangeControl::setDistribution(const ValueDistribution& distribution) {
  m_distribution = distribution;
  m_bar->setDistribution(distribution);
  if (m_always->isChecked()) {
    fit();
  }
}

void RangeControl::setCounts(const ClassCounts& counts) {
  m_legend->setCounts(counts);
}

const ClassCounts& RangeControl::counts() const {
  return m_legend->counts();
}

void RangeControl::setScale(const ColorScale& scale) {
  m_bar->setScale(scale);
  m_legend->setScale(scale);
}

void RangeControl::setUnit(double factor, std::function<QString(double)> text) {
  m_bar->setUnit(factor, std::move(text));
}

void RangeControl::setAlwaysFit(bool always) {
  m_always->setChecked(always);
}

void RangeControl::setSharedFit(const std::optional<Range>& range) {
  if (range == m_sharedFit) {
    return;
  }
  m_sharedFit = range;
  if (m_always->isChecked()) {
    fit();
  }
}

bool RangeControl::alwaysFits() const {
  return m_always->isChecked();
}

void RangeControl::fit() {
  ColorScale scale = m_bar->scale();
  if (m_distribution.kind != scale.kind) {
    return;
  }
  scale.range = m_sharedFit.value_or(fittedRange(m_distribution));
  m_bar->setScale(scale);
  Q_EMIT rangeChanged(scale.range);
}

namespace {

constexpr QSize kLegendSwatch(20, 14);
constexpr int kSwatchGap = 6;
constexpr int kDigitsGap = 12;
constexpr int kRows = 4;  ///< of classNames()
/// Room for so many digits at least: the legend rarely moves while counts change.
constexpr int kDigits = 6;

}  // namespace

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent), m_theme(lightTheme()) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Cells with a look of their own"));
  describe();
}

void ClassLegend::setTheme(const Theme& theme) {
  m_theme = theme;
  update();
}

void ClassLegend::setScale(const ColorScale& scale) {
  m_scale = scale;
  update();
}

void ClassLegend::setCounts(const ClassCounts& counts) {
  m_counts = counts;
  describe();
  updateGeometry();
  update();
}

void ClassLegend::describe() {
  QStringList words;
  for (const ClassName& entry : classNames(m_counts)) {
    words << QStringLiteral("%1: %2").arg(entry.name, countText(entry.count));
  }
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  setToolTip(words.join(QLatin1Char('\n')));
}

QSize ClassLegend::sizeHint() const {
  const QFontMetrics fixed(fixedFont(font()));
  int names = 0;
  int digits = fixed.horizontalAdvance(QLatin1Char('0')) * kDigits;
  for (const ClassName& entry : classNames(m_counts)) {
    names = std::max(names, fontMetrics().horizontalAdvance(entry.name));
    digits = std::max(digits, fixed.horizontalAdvance(countText(entry.count)));
  }
  return {kLegendSwatch.width() + kSwatchGap + names + kDigitsGap + digits,
          kRows * std::max(fontMetrics().height(), kLegendSwatch.height() + 2)};
}

void ClassLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const ScaleColors colors = scaleColors(m_scale, m_theme);
  const double ratio = devicePixelRatioF();
  const int line = height() / kRows;
  int top = 0;
  for (const ClassName& entry : classNames(m_counts)) {
    const QRect swatch(0,
                       top + (line - kLegendSwatch.height()) / 2,
                       kLegendSwatch.width(),
                       kLegendSwatch.height());
    painter.drawImage(swatch, classSwatch(entry.look, colors, kLegendSwatch * ratio, ratio));
    painter.setPen(QPen(m_theme.gridStrong, 1));
    painter.drawRect(swatch.adjusted(0, 0, -1, -1));
    const bool none = entry.count == 0;
    const bool alarming = entry.look == CellClass::NonFinite && !none;
    painter.setPen(none ? m_theme.dimText : m_theme.palette.color(QPalette::WindowText));
    painter.setFont(font());
    const QRect text(swatch.right() + 1 + kSwatchGap, top, width(), line);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, entry.name);
    if (alarming) {
      painter.setPen(m_theme.nonFinite);
    }
    painter.setFont(fixedFont(font()));
    painter.drawText(
        QRect(0, top, width(), line), Qt::AlignRight | Qt::AlignVCenter, countText(entry.count));
    top += line;
  }
}

void ClassLegend::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    updateGeometry();
  }
}

}  // namespace ulp::views::charts
