#include "views/plugins/levers/lever_exhibits.h"

#include <utility>

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

constexpr QSizeF kAxesSize(1120, 440);

struct LeverExhibitsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Levers)
};

}  // namespace

MetricInfo leverMetric(const ReportDocument& document, const QString& metric) {
  const int column = document.findMetric(metric);
  return column < 0 ? MetricInfo{} : document.metrics()[static_cast<std::size_t>(column)];
}

Exhibit leverChartExhibit(const DocumentPtr& document,
                          const LeverTablePtr& levers,
                          const ParallelData& data,
                          const AxisBrushes& brushes) {
  const QString title =
      LeverExhibitsWords::tr("Settings and errors of the variants: %1").arg(data.metric.label);
  const auto kept = std::make_shared<const ParallelData>(data);
  const ParallelLook look{
      .brushes = brushes, .inside = brushedLines(data, brushes), .current = {}, .hovered = {}};
  return {.id = QStringLiteral("levers"),
          .title = title,
          .size = kAxesSize,
          .paint =
              [kept, look](QPainter& painter, const QRectF& area, const Theme& theme) {
                paintParallel(painter, area, *kept, look, theme);
              },
          .table =
              [title, document, levers, metric = data.metric.id] {
                return parallelTable(title, *document, *levers, metric);
              }};
}

Exhibit leverEffectsExhibit(bool isRatio, const MetricInfo& metric, std::vector<EffectRow> rows) {
  const QString title = LeverExhibitsWords::tr("What each setting changes: %1").arg(metric.label);
  return {.id = QStringLiteral("lever-effects"),
          .title = title,
          .paint = {},
          .table =
              [title, isRatio, metric, rows = std::move(rows)] {
                return effectData(title, isRatio, metric, rows);
              },
          .isTableThreadSafe = true};
}

}  // namespace ulp::views
