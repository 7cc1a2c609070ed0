#pragma once

#include <memory>

#include <gtest/gtest.h>

#include <QtCore/QPoint>

#include "tests/views/context_fixture.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/workspace/empty_state.h"
#include "views/plugins/heatmap/heatmap_view.h"

namespace ulp::test {

/// A heatmap of a report, wired to the selection as a window wires it.
class HeatmapFixture : public testing::Test {
 protected:
  void open(const report::Report& report) {
    m_fixture.openReport(report);
    m_view = std::make_unique<views::HeatmapView>(m_fixture.context());
    QObject::connect(&m_fixture.selection,
                     &views::SelectionContext::selectionChanged,
                     m_view.get(),
                     &views::HeatmapView::setSelection);
    m_view->resize(900, 560);
    m_view->setReport(m_fixture.workspace.reports.document());
    m_view->setSelection(m_fixture.selection.selection());
    m_view->show();
    m_fixture.settle();
  }
  [[nodiscard]] QPoint middle(int row, int column) {
    return raster().cellRect({row, column}).center().toPoint();
  }
  [[nodiscard]] views::charts::RasterWidget& raster() {
    return *m_view->findChild<views::charts::RasterWidget*>();
  }
  [[nodiscard]] views::EmptyState& emptyState() { return *m_view->findChild<views::EmptyState*>(); }

  ContextFixture m_fixture;
  std::unique_ptr<views::HeatmapView> m_view;
};

}  // namespace ulp::test
