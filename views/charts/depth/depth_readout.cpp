#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/text/format_number.h"
#include "views/charts/depth/depth_frame.h"
#include "views/charts/depth/depth_marks.h"
#include "views/charts/plot/painting.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views::charts {
namespace {

constexpr std::size_t kMaxReadoutRows = 16;

struct DepthReadoutWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DepthChart)
};

QString factorText(double factor) {
  return QString::fromStdString(formatSignificant(factor));
}

QString jumpText(const DepthCurve& curve, std::size_t slot) {
  if (slot >= curve.jumps.size() || curve.jumps[slot] <= 0) {
    return {};
  }
  return DepthReadoutWords::tr("  ▲ × %1").arg(factorText(curve.jumps[slot]));
}

/// What the value here is of the one at the pinned cursor.
QString ratioText(double here, double there) {
  const bool isDefined = std::isfinite(here) && std::isfinite(there) && there != 0;
  return isDefined ? QStringLiteral("× %1").arg(factorText(here / there)) : missingText();
}

bool isPinned(const DepthData& data, const DepthOptions& options, int slot) {
  return options.pinnedSlot >= 0 && options.pinnedSlot < data.axis.size() &&
         options.pinnedSlot != slot;
}

ReadoutLine curveLine(const DepthDrawing& drawing, const ReadoutRow& row, int slot) {
  const auto& [frame, data, options, theme] = drawing;
  const DepthCurve& curve = data.curve(row.curve);
  const bool isNoise = isWithinNoise(data, row.curve, slot);
  const QColor ink = isNoise ? theme.reference : theme.palette.color(QPalette::ToolTipText);
  ReadoutLine line{.name = data.nameOf(row.curve),
                   .values = {meanText(data, row.curve, slot)},
                   .nameColor = ink,
                   .valueColor = row.nonFinite > 0 ? theme.nonFinite : ink,
                   .sample = theme.variantStyle(curve.style)};
  if (isNoise) {
    line.name += QStringLiteral("  ") + DepthReadoutWords::tr("within noise");
  }
  if (row.nonFinite > 0) {
    const bool isLeast =
        !curve.leastNonFinite.empty() && curve.leastNonFinite[static_cast<std::size_t>(slot)];
    line.values.front() +=
        QStringLiteral("  ") +
        DepthReadoutWords::tr("%1 not finite")
            .arg((isLeast ? QStringLiteral("≥ ") : QString()) + QString::number(row.nonFinite));
  }
  if (options.jumpsShown) {
    line.values.front() += jumpText(curve, static_cast<std::size_t>(slot));
  }
  if (isPinned(data, options, slot)) {
    const auto pinned = static_cast<std::size_t>(options.pinnedSlot);
    const double there = curve.values[pinned];
    line.values << metricTextWithUnit(there, data.metric, curve.nonFinite[pinned] > 0)
                << ratioText(row.value, there);
  }
  return line;
}

/// Adds what is said beside the curves.
using AddLine = std::function<void(const QString& name, const QStringList& values)>;

/// The samples with the smallest and the largest value.
void addSamples(const DepthDrawing& drawing, int slot, const AddLine& add) {
  const auto at = static_cast<std::size_t>(slot);
  const SampleCurve* smallest = nullptr;
  const SampleCurve* largest = nullptr;
  for (const SampleCurve& sample : drawing.data.shownSamples(drawing.options.visible)) {
    const double value = sample.values[at];
    if (std::isnan(value)) {
      continue;
    }
    smallest = smallest == nullptr || value < smallest->values[at] ? &sample : smallest;
    largest = largest == nullptr || value > largest->values[at] ? &sample : largest;
  }
  if (smallest == nullptr) {
    return;
  }
  const auto addSample = [&](const QString& text, const SampleCurve& sample) {
    add(text.arg(static_cast<qulonglong>(sample.sample)),
        {metricTextWithUnit(sample.values[at], drawing.data.metric)});
  };
  addSample(DepthReadoutWords::tr("largest: sample %1"), *largest);
  addSample(DepthReadoutWords::tr("smallest: sample %1"), *smallest);
}

std::vector<ReadoutLine> readoutLines(const DepthDrawing& drawing, int slot) {
  const auto& [frame, data, options, theme] = drawing;
  std::vector<ReadoutLine> lines;
  const AddLine add = [&lines, &ink = theme.reference](const QString& name,
                                                       const QStringList& values) {
    lines.push_back({.name = name, .values = values, .nameColor = ink, .valueColor = ink});
  };
  const bool pinned = isPinned(data, options, slot);
  if (pinned) {
    add({},
        {DepthReadoutWords::tr("here"),
         DepthReadoutWords::tr("at %1").arg(data.axis.at(options.pinnedSlot).name),
         DepthReadoutWords::tr("ratio")});
  }
  const std::vector<ReadoutRow> rows = readoutAt(data, options.visible, slot);
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxReadoutRows); ++i) {
    lines.push_back(curveLine(drawing, rows[i], slot));
  }
  if (rows.size() > kMaxReadoutRows) {
    add(DepthReadoutWords::tr("… and %1 more")
            .arg(static_cast<qulonglong>(rows.size() - kMaxReadoutRows)),
        {});
  }
  addSamples(drawing, slot, add);
  const auto at = static_cast<std::size_t>(slot);
  const auto scaleText = [](double scale) { return metricText(scale, {}); };
  if (options.referenceShown && at < data.referenceScale.size()) {
    QStringList values{scaleText(data.referenceScale[at])};
    if (pinned) {
      const double there = data.referenceScale[static_cast<std::size_t>(options.pinnedSlot)];
      values << scaleText(there) << ratioText(data.referenceScale[at], there);
    }
    add(data.scaleTitle(), values);
  }
  if (options.guideShown && at < data.guide.size()) {
    add(DepthReadoutWords::tr("Expected (a model)"),
        {metricTextWithUnit(data.guide[at], data.metric)});
  }
  return lines;
}

}  // namespace

void paintReadout(QPainter& painter, const DepthDrawing& drawing, int slot) {
  const DepthSlot& here = drawing.data.axis.at(slot);
  const PlotMap& map = drawing.frame.map;
  paintReadout(painter,
               {.title = QStringLiteral("%1 · %2").arg(here.name, passText(here.pass)),
                .hasSamples = true,
                .lines = readoutLines(drawing, slot)},
               drawing.theme,
               [&map, x = map.pixelX(slot)](const QSizeF& size) {
                 // Beside the crosshair, on the side with more room.
                 const double left = x < map.plot.center().x() ? x + 12 : x - 12 - size.width();
                 return QPointF(left, map.plot.top() + 12);
               });
}

}  // namespace ulp::views::charts
