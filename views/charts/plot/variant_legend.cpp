#include "views/charts/plot/variant_legend.h"

#include <algorithm>
#include <utility>

#include <QtGui/QAction>
#include <QtGui/QPainter>
#include <QtGui/QPixmap>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/look/variant_painter.h"
#include "views/framework/words/literal_text.h"

namespace ulp::views::charts {
namespace {

constexpr QSize kSampleSize(26, 16);
constexpr int kLongestName = 26;

QIcon sampleIcon(const VariantStyle& style, qreal ratio) {
  QPixmap pixmap(kSampleSize * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  drawSample(painter, style, QRectF(QPointF(), kSampleSize).adjusted(1, 0, -1, 0));
  return {pixmap};
}

}  // namespace

VariantLegend::VariantLegend(QWidget* parent)
    : QScrollArea(parent), m_content(new QWidget), m_layout(new QVBoxLayout(m_content)) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setBackgroundRole(QPalette::Base);
  m_content->setBackgroundRole(QPalette::Base);
  m_content->setAutoFillBackground(true);
  m_layout->setContentsMargins(8, 8, 8, 8);
  m_layout->setSpacing(4);
  m_layout->addStretch(1);
  setWidget(m_content);
  setAccessibleName(tr("Variants"));
}

void VariantLegend::setEntries(const std::vector<LegendEntry>& entries, const Theme& theme) {
  const auto lookOf = [](const LegendEntry& entry) { return std::pair(entry.name, entry.style); };
  if (!std::ranges::equal(entries, m_entries, {}, lookOf, lookOf)) {
    qDeleteAll(m_boxes);
    m_boxes.clear();
    for (const LegendEntry& entry : entries) {
      m_boxes.push_back(makeBox(entry.name));
      m_layout->insertWidget(m_layout->count() - 1, m_boxes.back());
    }
  }
  // The menu of a box may be open that makes its variant the noise: boxes stay where they can.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    nameBox(*m_boxes[i], entries[i]);
  }
  m_entries = entries;
  updateGeometry();
  setTheme(theme);
}

QCheckBox* VariantLegend::makeBox(const QString& variant) {
  auto* box = new QCheckBox(m_content);
  box->setIconSize(kSampleSize);
  box->setChecked(true);
  connect(box, &QCheckBox::toggled, this, &VariantLegend::visibilityChanged);
  auto* noise = new QAction(tr("Use as noise band"), box);
  noise->setToolTip(tr("Shade what is no worse than this variant"));
  noise->setCheckable(true);
  connect(noise, &QAction::triggered, this, [this, variant] { Q_EMIT noiseRequested(variant); });
  box->addAction(noise);
  box->setContextMenuPolicy(Qt::ActionsContextMenu);
  return box;
}

void VariantLegend::nameBox(QCheckBox& box, const LegendEntry& entry) const {
  const QString name = entry.isNoise ? tr("noise: %1").arg(entry.name) : entry.name;
  box.setText(literalText(fontMetrics().elidedText(
      name, Qt::ElideMiddle, fontMetrics().averageCharWidth() * kLongestName)));
  box.setToolTip(name);
  box.setAccessibleName(name);
  box.actions().front()->setChecked(entry.isNoise);
}

void VariantLegend::setTheme(const Theme& theme) {
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    m_boxes[i]->setIcon(sampleIcon(theme.variantStyle(m_entries[i].style), devicePixelRatioF()));
  }
}

std::vector<bool> VariantLegend::visibleEntries() const {
  std::vector<bool> visible;
  for (const QCheckBox* box : m_boxes) {
    visible.push_back(box->isChecked());
  }
  return visible;
}

QSize VariantLegend::sizeHint() const {
  return {m_content->sizeHint().width() + verticalScrollBar()->sizeHint().width(),
          m_content->sizeHint().height()};
}

}  // namespace ulp::views::charts
