#pragma once

#include <QtWidgets/QScrollArea>

namespace ulp::views {

/// Puts a page into an area that scrolls where the page needs more room than there is.
[[nodiscard]] inline QScrollArea* scrolled(QWidget* page) {
  auto* area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(page);
  return area;
}

}  // namespace ulp::views
