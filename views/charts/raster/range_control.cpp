#include "views/charts/raster/range_control.h"

#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include "views/charts/raster/class_legend.h"

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

}  // namespace ulp::views::charts
