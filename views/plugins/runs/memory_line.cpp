#include "views/plugins/runs/memory_line.h"

#include <algorithm>

#include <QtGui/QPainter>

#include "views/framework/look/sparkline.h"
#include "views/framework/look/theme_manager.h"

namespace ulp::views {
namespace {

/// Characters that it is wide.
constexpr int kWidth = 18;

}  // namespace

MemoryLine::MemoryLine(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_themes(themes) {
  setAccessibleName(tr("Memory of the worker over time"));
  setToolTip(tr("Memory of the worker from its start until now, from zero to its peak"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(&themes, &ThemeManager::themeChanged, this, qOverload<>(&QWidget::update));
}

void MemoryLine::setHistory(const QList<quint64>& bytes) {
  if (m_bytes != bytes) {
    m_bytes = bytes;
    update();
  }
}

QSize MemoryLine::sizeHint() const {
  return {fontMetrics().averageCharWidth() * kWidth, fontMetrics().height() + 4};
}

void MemoryLine::paintEvent(QPaintEvent* /*event*/) {
  if (m_bytes.size() < 2) {
    return;
  }
  std::vector<double> values(static_cast<std::size_t>(m_bytes.size()));
  std::ranges::transform(
      m_bytes, values.begin(), [](quint64 bytes) { return static_cast<double>(bytes); });
  const double most = *std::ranges::max_element(values);
  const Sparkline line{
      .heights = sparkHeights(values, false, 0, most), .nonFinite = {}, .style = kReferenceStyle};
  QPainter painter(this);
  paintSparkline(painter, QRectF(rect()), line, m_themes.theme());
}

}  // namespace ulp::views
