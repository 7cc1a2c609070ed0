#include "views/plugins/findings/threshold_pane.h"

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QDoubleSpinBox>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/words/term_text.h"
#include "views/framework/workspace/finding_navigator.h"

namespace ulp::views {
namespace {

/// Thresholds span from 1e-9 to 1e6: as many decimals as the default needs, and a little more.
class ThresholdBox : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;

  [[nodiscard]] QString textFromValue(double value) const override {
    return QString::number(value, 'g', 6);
  }
};

}  // namespace

ThresholdPane::ThresholdPane(FindingNavigator& navigator, QWidget* parent)
    : QScrollArea(parent),
      m_navigator(navigator),
      m_defaults(new QPushButton(tr("Restore defaults"), this)) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Thresholds of the rules"));
  auto* content = new QWidget(this);
  auto* grid = new QGridLayout(content);
  grid->setContentsMargins(12, 8, 12, 8);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(0, 1);
  int row = 0;
  for (const analysis::FindingRule& rule : navigator.rules().all()) {
    for (const analysis::Threshold& threshold : rule.thresholds) {
      auto* name = new QLabel(
          QStringLiteral("%1: %2").arg(ruleText(rule.title), ruleText(threshold.label)), content);
      name->setWordWrap(true);
      auto* box = new ThresholdBox(content);
      box->setDecimals(9);
      box->setRange(threshold.minimum, threshold.maximum);
      box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
      box->setKeyboardTracking(false);
      box->setToolTip(
          tr("%1. Default: %2").arg(ruleText(threshold.help)).arg(threshold.value, 0, 'g', 6));
      box->setAccessibleName(name->text());
      box->setMinimumWidth(box->fontMetrics().averageCharWidth() * 14);
      name->setBuddy(box);
      grid->addWidget(name, row, 0);
      grid->addWidget(box, row, 1);
      ++row;
      m_boxes[threshold.id] = box;
      connect(box, &QDoubleSpinBox::valueChanged, this, [this, id = threshold.id](double value) {
        m_navigator.setThreshold(id, value);
        m_defaults->setEnabled(m_navigator.hasChangedThresholds());
      });
    }
  }
  grid->addWidget(m_defaults, row, 1);
  grid->setRowStretch(row + 1, 1);
  setWidget(content);
  connect(m_defaults, &QPushButton::clicked, this, [this] {
    m_navigator.resetThresholds();
    showValues();
  });
  showValues();
}

QDoubleSpinBox* ThresholdPane::box(const std::string& id) const {
  const auto found = m_boxes.find(id);
  return found == m_boxes.end() ? nullptr : found->second;
}

void ThresholdPane::showValues() {
  for (const auto& [id, box] : m_boxes) {
    const QSignalBlocker silent(box);
    box->setValue(m_navigator.threshold(id));
  }
  m_defaults->setEnabled(m_navigator.hasChangedThresholds());
}

}  // namespace ulp::views
