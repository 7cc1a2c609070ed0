#include "core/analysis/tensors/tensor_slice.h"
#include "views/framework/document/selection_context.h"
#include "views/plugins/tensor/tensor_view.h"

namespace ulp::views {

std::optional<analysis::PlanePoint> TensorView::placeOf(
    const std::vector<std::int64_t>& element) const {
  const std::optional<std::int64_t> flat = m_pair->find(element);
  return flat ? m_plane->locate(numerics::unravel(static_cast<std::size_t>(*flat), m_pair->shape()))
              : std::nullopt;
}

void TensorView::hover(const std::optional<analysis::PlanePoint>& at) {
  m_cursor = at && m_pair ? m_pair->fullIndex(m_plane->flatAt(*at)) : std::vector<std::int64_t>();
  showCursor(at);
  Q_EMIT viewpointChanged();
}

void TensorView::showCursor(const std::optional<analysis::PlanePoint>& at) {
  m_inspector->readout().setCursorElement(at && m_pair ? factsAt(*at) : std::nullopt);
  readProfilesAt(at ? at : m_selected);
}

bool TensorView::showsWindowSelection() const {
  const Selection& window = context().selection.selection();
  return window.run() == m_selection.run() && window.site == m_selection.site &&
         window.pass == m_selection.pass && window.slice == m_selection.slice;
}

Viewpoint TensorView::viewpoint() const {
  Viewpoint viewpoint = m_panes->viewpoint();
  if (!viewpoint.numbers.empty()) {
    viewpoint.slice = m_selection.slice;
    viewpoint.cursor = m_cursor;
  }
  return viewpoint;
}

void TensorView::shareExtents(const std::vector<AxisExtent>& extents) {
  m_panes->shareExtents(extents);
}

void TensorView::follow(const Viewpoint& viewpoint) {
  if (!m_pair || !m_plane) {
    return;
  }
  // The slice of what is selected is part of the selection.
  const bool hasOtherSlice = viewpoint.slice && *viewpoint.slice != m_selection.slice;
  if (hasOtherSlice && !showsWindowSelection() &&
      analysis::parseSlice(viewpoint.slice->toStdString(), m_pair->shape())) {
    m_selection.slice = *viewpoint.slice;
    applySlice();
    applyElement();
  }
  m_panes->follow(viewpoint);
  const std::optional<analysis::PlanePoint> at =
      viewpoint.cursor && !viewpoint.cursor->empty() ? placeOf(*viewpoint.cursor) : std::nullopt;
  m_panes->setHovered(at);
  showCursor(at);
}

}  // namespace ulp::views
