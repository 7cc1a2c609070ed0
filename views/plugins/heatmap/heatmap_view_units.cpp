#include <algorithm>
#include <array>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QComboBox>

#include "views/framework/workspace/empty_state.h"
#include "views/plugins/heatmap/heatmap_units.h"
#include "views/plugins/heatmap/heatmap_view.h"

/// Steps and ranks: the modes whose rows are the units of a dump.
namespace ulp::views {
namespace {

constexpr std::array<HeatmapMode, 2> kUnitModes{HeatmapMode::Steps, HeatmapMode::Ranks};

}  // namespace

/// Offered where the report has units, and while it is what the user has chosen.
void HeatmapView::fillModes() {
  const QSignalBlocker silent(m_modes);
  for (const HeatmapMode mode : kUnitModes) {
    const bool isOffered = mode == m_mode || (m_document && hasUnits(*m_document, mode));
    const int place = m_modes->findData(toText(mode));
    if (isOffered && place < 0) {
      m_modes->addItem(mode == HeatmapMode::Steps ? tr("Steps × layers") : tr("Ranks × layers"),
                       toText(mode));
    } else if (!isOffered && place >= 0) {
      m_modes->removeItem(place);
    }
  }
  m_modes->setCurrentIndex(m_modes->findData(toText(m_mode)));
}

void HeatmapView::fillUnits() {
  const QSignalBlocker silent(m_units);
  m_units->clear();
  if (m_document && isOfUnits(m_mode)) {
    for (const UnitFilter& filter : unitFilters(*m_document, m_mode)) {
      m_units->addItem(filter.title, filter.id);
    }
  }
  m_units->setVisible(m_units->count() > 1);
  m_units->setCurrentIndex(m_units->count() == 0 ? -1 : std::max(0, m_units->findData(m_unit)));
}

void HeatmapView::showNoUnits() {
  const bool isOfSteps = m_mode == HeatmapMode::Steps;
  showEmpty(isOfSteps ? tr("The runs of this report are no steps")
                      : tr("The runs of this report are no ranks"),
            isOfSteps ? tr("A report has a run for each step when it compares two dumps of "
                           "several steps.")
                      : tr("A report has a run for each rank when it compares two dumps of "
                           "several ranks."));
  m_empty->setButton(tr("Show variants × layers"), [this] { setMode(HeatmapMode::Variants); });
}

}  // namespace ulp::views
