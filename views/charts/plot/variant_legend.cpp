#include "views/charts/plot/variant_legend.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QPixmap>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStyle>
#include <QtWidgets/QStyleOptionButton>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/look/variant_painter.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/literal_text.h"

namespace ulp::views::charts {
namespace {

constexpr QSize kSampleSize(26, 16);
constexpr int kLongestName = 26;

/// A checkbox that is checked by its box alone: a click on its name is another command.
class LegendBox final : public QCheckBox {
 public:
  LegendBox(std::function<void()> onName, QWidget* parent)
      : QCheckBox(parent), m_onName(std::move(onName)) {}

 protected:
  [[nodiscard]] bool hitButton(const QPoint& point) const override {
    QStyleOptionButton option;
    initStyleOption(&option);
    return style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, this).contains(point);
  }
  void mousePressEvent(QMouseEvent* event) override {
    m_isNamePressed = event->button() == Qt::LeftButton && !hitButton(event->position().toPoint());
    if (!m_isNamePressed) {
      QCheckBox::mousePressEvent(event);
    }
  }
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (!m_isNamePressed) {
      QCheckBox::mouseReleaseEvent(event);
    } else if (std::exchange(m_isNamePressed, false) &&
               rect().contains(event->position().toPoint())) {
      m_onName();
    }
  }

 private:
  std::function<void()> m_onName;
  bool m_isNamePressed = false;
};

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
      const QSignalBlocker silent(m_boxes.back());
      m_boxes.back()->setChecked(!m_hiddenNext.contains(entry.name));
    }
    m_hiddenNext = entries.empty() ? m_hiddenNext : QStringList();
  }
  // The menu of a box may be open that makes its variant the noise: boxes stay where they can.
  QStringList names;
  for (const LegendEntry& entry : entries) {
    names << (entry.isNoise ? tr("noise: %1").arg(entry.name) : entry.name);
  }
  const QStringList shown =
      elidedNames(names, fontMetrics(), fontMetrics().averageCharWidth() * kLongestName);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto at = static_cast<qsizetype>(i);
    m_boxes[i]->setText(literalText(shown.at(at)));
    describeBox(*m_boxes[i], entries[i], names.at(at));
  }
  m_entries = entries;
  updateGeometry();
  setTheme(theme);
}

QCheckBox* VariantLegend::makeBox(const QString& variant) {
  const auto isolateThis = [this, variant] { isolate(placeOf(variant)); };
  auto* box = new LegendBox(isolateThis, m_content);
  box->setIconSize(kSampleSize);
  box->setChecked(true);
  connect(box, &QCheckBox::toggled, this, &VariantLegend::visibilityChanged);
  auto* noise = new QAction(tr("Use as noise band"), box);
  noise->setToolTip(tr("Shade what is no worse than this variant"));
  noise->setCheckable(true);
  connect(noise, &QAction::triggered, this, [this, variant] { Q_EMIT noiseRequested(variant); });
  box->addAction(noise);
  auto* alone = new QAction(tr("Show alone"), box);
  connect(alone, &QAction::triggered, this, isolateThis);
  box->addAction(alone);
  box->setContextMenuPolicy(Qt::ActionsContextMenu);
  return box;
}

void VariantLegend::describeBox(QCheckBox& box, const LegendEntry& entry, const QString& name) {
  QStringList help{name};
  if (!entry.sameAs.isEmpty()) {
    help << tr("has the same values as %1").arg(entry.sameAs);
  }
  help << tr("A click on the name shows it alone, another one all of them.");
  box.setToolTip(help.join(QLatin1Char('\n')));
  box.setAccessibleName(name);
  box.actions().front()->setChecked(entry.isNoise);
}

void VariantLegend::setTheme(const Theme& theme) {
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    m_boxes[i]->setIcon(sampleIcon(theme.variantStyle(m_entries[i].style), devicePixelRatioF()));
  }
}

int VariantLegend::placeOf(const QString& variant) const {
  const auto found = std::ranges::find(m_entries, variant, &LegendEntry::name);
  return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

void VariantLegend::isolate(int entry) {
  if (entry < 0 || entry >= static_cast<int>(m_boxes.size())) {
    return;
  }
  std::vector<bool> alone(m_boxes.size(), false);
  alone[static_cast<std::size_t>(entry)] = true;
  const bool showsAll = visibleEntries() == alone;
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    const QSignalBlocker silent(m_boxes[i]);
    m_boxes[i]->setChecked(showsAll || alone[i]);
  }
  Q_EMIT visibilityChanged();
}

void VariantLegend::setShown(int entry, bool shown) {
  m_boxes[static_cast<std::size_t>(entry)]->setChecked(shown);
}

std::vector<bool> VariantLegend::visibleEntries() const {
  std::vector<bool> visible;
  for (const QCheckBox* box : m_boxes) {
    visible.push_back(box->isChecked());
  }
  return visible;
}

QStringList VariantLegend::hiddenNames() const {
  QStringList names = m_hiddenNext;
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    if (!m_boxes[i]->isChecked()) {
      names << m_entries[i].name;
    }
  }
  return names;
}

void VariantLegend::setHiddenNames(const QStringList& names) {
  m_hiddenNext = m_boxes.empty() ? names : QStringList();
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    m_boxes[i]->setChecked(!names.contains(m_entries[i].name));
  }
}

QSize VariantLegend::sizeHint() const {
  return {m_content->sizeHint().width() + verticalScrollBar()->sizeHint().width(),
          m_content->sizeHint().height()};
}

}  // namespace ulp::views::charts
