#include "views/charts/variant_legend.h"

#include <algorithm>

#include <QtCore/QSignalBlocker>
#include <QtGui/QPainter>
#include <QtGui/QPixmap>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/variant_painter.h"

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

bool sameNames(const std::vector<LegendEntry>& a, const std::vector<LegendEntry>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const LegendEntry& x, const LegendEntry& y) {
        return x.name == y.name && x.style == y.style;
      });
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
  if (!sameNames(entries, m_entries)) {
    qDeleteAll(m_boxes);
    m_boxes.clear();
    for (const LegendEntry& entry : entries) {
      auto* box = new QCheckBox(m_content);
      box->setText(fontMetrics().elidedText(
          entry.name, Qt::ElideMiddle, fontMetrics().averageCharWidth() * kLongestName));
      box->setToolTip(entry.name);
      box->setAccessibleName(entry.name);
      box->setIconSize(kSampleSize);
      box->setChecked(true);
      connect(box, &QCheckBox::toggled, this, &VariantLegend::visibilityChanged);
      m_layout->insertWidget(m_layout->count() - 1, box);
      m_boxes.push_back(box);
    }
    m_entries = entries;
    updateGeometry();
  }
  setTheme(theme);
}

void VariantLegend::setTheme(const Theme& theme) {
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    m_boxes[i]->setIcon(sampleIcon(theme.variantStyle(m_entries[i].style), devicePixelRatioF()));
  }
}

void VariantLegend::setVisibleEntries(const std::vector<bool>& visible) {
  {
    const QSignalBlocker silent(this);
    for (std::size_t i = 0; i < std::min(visible.size(), m_boxes.size()); ++i) {
      m_boxes[i]->setChecked(visible[i]);
    }
  }
  Q_EMIT visibilityChanged();
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
