#include "views/charts/raster/color_viewpoint.h"
#include "views/charts/raster/range_control.h"
#include "views/plugins/tensor/pictures/tensor_panes.h"

namespace ulp::views {
namespace {

using analysis::Quantity;

QString colorsId(Quantity group) {
  return QStringLiteral("colors/%1").arg(static_cast<int>(group));
}

}  // namespace

std::optional<charts::SharedColors> TensorPanes::colors() const {
  const Quantity group = scaleGroup(m_quantity);
  const auto fit = m_fits.find(group);
  const auto scale = m_scales.find(group);
  if (fit == m_fits.end() || scale == m_scales.end()) {
    return std::nullopt;
  }
  const auto edited = m_isEdited.find(group);
  return charts::SharedColors{.id = colorsId(group),
                              .fitted = fit->second,
                              .shown = scale->second.range,
                              .isChosen = edited != m_isEdited.end() && edited->second};
}

void TensorPanes::followColors(const Viewpoint& viewpoint) {
  const std::optional<charts::SharedColors> own = colors();
  if (!own || !charts::hasColors(viewpoint, own->id)) {
    return;
  }
  const Quantity group = scaleGroup(m_quantity);
  const std::optional<charts::Range> chosen = charts::chosenColors(viewpoint, own->id);
  m_isEdited[group] = chosen.has_value();
  if (chosen) {
    m_range->setAlwaysFit(false);
  }
  const auto shared = m_sharedFits.find(group);
  setScaleRange(group,
                chosen.value_or(shared == m_sharedFits.end() ? own->fitted : shared->second));
}

void TensorPanes::shareExtents(const std::vector<AxisExtent>& extents) {
  const std::optional<charts::SharedColors> own = colors();
  m_sharedFits.clear();
  for (const auto& [group, fit] : m_fits) {
    if (const auto shared = charts::sharedFit(extents, colorsId(group))) {
      m_sharedFits[group] = *shared;
    }
  }
  const Quantity group = scaleGroup(m_quantity);
  const auto shared = m_sharedFits.find(group);
  const bool isShared = shared != m_sharedFits.end();
  m_range->setSharedFit(isShared ? std::optional(shared->second) : std::nullopt);
  if (own && !own->isChosen) {
    setScaleRange(group, isShared ? shared->second : own->fitted);
  }
}

void TensorPanes::setScaleRange(Quantity group, const charts::Range& range) {
  charts::ColorScale& scale = m_scales[group];
  if (scale.range != range) {
    scale.range = range;
    refresh();
  }
}

}  // namespace ulp::views
