#include <algorithm>
#include <cmath>
#include <vector>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/depth/depth_frame.h"
#include "views/charts/depth/depth_marks.h"
#include "views/charts/plot/chart_measures.h"
#include "views/charts/plot/readout_place.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views::charts {
namespace {

constexpr double kReadoutSampleWidth = 18;
constexpr std::size_t kMaxReadoutRows = 16;

struct DepthReadoutWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DepthChart)
};

/// A line of the read-out; values stand in columns, aligned to the right.
struct ReadoutLine {
  QString name;
  QStringList values;
  int curve = -1;
  bool nonFinite = false;
  bool isHeading = false;
  bool isNoise = false;
};

QString jumpText(const DepthCurve& curve, std::size_t slot) {
  if (slot >= curve.jumps.size() || curve.jumps[slot] <= 0) {
    return {};
  }
  return std::isinf(curve.jumps[slot])
             ? DepthReadoutWords::tr("  ▲ from 0")
             : DepthReadoutWords::tr("  ▲ × %1").arg(curve.jumps[slot], 0, 'g', 3);
}

/// What the value here is of the one at the pinned cursor.
QString ratioText(double here, double there) {
  const bool isDefined = std::isfinite(here) && std::isfinite(there) && there != 0;
  return isDefined ? QStringLiteral("× %1").arg(here / there, 0, 'g', 3) : missingText();
}

bool isPinned(const DepthData& data, const DepthOptions& options, int slot) {
  return options.pinnedSlot >= 0 && options.pinnedSlot < data.axis.size() &&
         options.pinnedSlot != slot;
}

ReadoutLine curveLine(const DepthData& data,
                      const DepthOptions& options,
                      const ReadoutRow& row,
                      int slot) {
  const DepthCurve& curve = data.curve(row.curve);
  QString value = meanText(data, row.curve, slot);
  if (row.nonFinite > 0) {
    value += QStringLiteral("  ") +
             DepthReadoutWords::tr("%1 not finite").arg(static_cast<qulonglong>(row.nonFinite));
  }
  ReadoutLine line{
      .name = curve.name, .values = {value}, .curve = row.curve, .nonFinite = row.nonFinite > 0};
  line.isNoise = isWithinNoise(data, row.curve, slot);
  if (line.isNoise) {
    line.name += QStringLiteral("  ") + DepthReadoutWords::tr("within noise");
  }
  if (options.jumpsShown) {
    line.values.front() += jumpText(curve, static_cast<std::size_t>(slot));
  }
  if (isPinned(data, options, slot)) {
    const double there = curve.values[static_cast<std::size_t>(options.pinnedSlot)];
    line.values << metricTextWithUnit(there, data.metric) << ratioText(row.value, there);
  }
  return line;
}

/// The samples with the smallest and the largest value.
void addSamples(const DepthData& data, int slot, std::vector<ReadoutLine>& lines) {
  const auto at = static_cast<std::size_t>(slot);
  const SampleCurve* smallest = nullptr;
  const SampleCurve* largest = nullptr;
  for (const SampleCurve& sample : data.samples) {
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
  const auto add = [&](const QString& text, const SampleCurve& sample) {
    lines.push_back({.name = text.arg(static_cast<qulonglong>(sample.sample)),
                     .values = {metricTextWithUnit(sample.values[at], data.metric)}});
  };
  add(DepthReadoutWords::tr("largest: sample %1"), *largest);
  add(DepthReadoutWords::tr("smallest: sample %1"), *smallest);
}

std::vector<ReadoutLine> readoutLines(const DepthData& data,
                                      const DepthOptions& options,
                                      int slot) {
  std::vector<ReadoutLine> lines;
  const bool pinned = isPinned(data, options, slot);
  if (pinned) {
    lines.push_back(
        {.name = {},
         .values = {DepthReadoutWords::tr("here"),
                    DepthReadoutWords::tr("at %1").arg(data.axis.at(options.pinnedSlot).name),
                    DepthReadoutWords::tr("ratio")},
         .isHeading = true});
  }
  const std::vector<ReadoutRow> rows = readoutAt(data, options.visible, slot);
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxReadoutRows); ++i) {
    lines.push_back(curveLine(data, options, rows[i], slot));
  }
  if (rows.size() > kMaxReadoutRows) {
    lines.push_back({.name = DepthReadoutWords::tr("… and %1 more")
                                 .arg(static_cast<qulonglong>(rows.size() - kMaxReadoutRows)),
                     .values = {}});
  }
  if (data.sampledCurve >= 0 && options.visible[static_cast<std::size_t>(data.sampledCurve)]) {
    addSamples(data, slot, lines);
  }
  const auto at = static_cast<std::size_t>(slot);
  const auto scaleText = [](double scale) {
    return std::isnan(scale) ? missingText() : QString::number(scale, 'g', 4);
  };
  if (options.referenceShown && at < data.referenceScale.size()) {
    ReadoutLine line{.name = DepthReadoutWords::tr("RMS of the reference"),
                     .values = {scaleText(data.referenceScale[at])}};
    if (pinned) {
      const double there = data.referenceScale[static_cast<std::size_t>(options.pinnedSlot)];
      line.values << scaleText(there) << ratioText(data.referenceScale[at], there);
    }
    lines.push_back(std::move(line));
  }
  if (options.guideShown && at < data.guide.size()) {
    lines.push_back({.name = DepthReadoutWords::tr("Expected (a model)"),
                     .values = {metricTextWithUnit(data.guide[at], data.metric)}});
  }
  return lines;
}

/// Where the parts of a read-out stand.
struct ReadoutLayout {
  QRectF box;
  double lineHeight = 0;
  std::vector<double> columns;  ///< widths of the values
};

constexpr double kColumnGap = 16;
constexpr double kNameGap = 6;

ReadoutLayout layoutReadout(const DepthFrame& frame,
                            const std::vector<ReadoutLine>& lines,
                            double titleWidth,
                            const QPainter& painter,
                            int slot) {
  const QFont& plain = painter.font();
  const QFont fixed = fixedFont(plain);
  const QFontMetricsF metrics(plain);
  const QFontMetricsF fixedMetrics(fixed);
  ReadoutLayout layout{.box = {}, .lineHeight = metrics.height() + 2, .columns = {}};
  double names = 0;
  for (const ReadoutLine& line : lines) {
    names = std::max(names, metrics.horizontalAdvance(line.name));
    layout.columns.resize(
        std::max(layout.columns.size(), static_cast<std::size_t>(line.values.size())), 0);
    for (qsizetype i = 0; i < line.values.size(); ++i) {
      double& width = layout.columns[static_cast<std::size_t>(i)];
      width = std::max(width, fixedMetrics.horizontalAdvance(line.values[i]));
    }
  }
  double width = kReadoutSampleWidth + kNameGap + names;
  for (const double column : layout.columns) {
    width += kColumnGap + column;
  }
  const QSizeF size(std::max(titleWidth, width) + 2 * kGap,
                    layout.lineHeight * (static_cast<double>(lines.size()) + 1) + kGap);
  // Beside the crosshair, on the side with more room.
  const QRectF& plot = frame.map.plot;
  const double x = frame.map.pixelX(slot);
  const double left = x < plot.center().x() ? x + 12 : x - 12 - size.width();
  layout.box = {{leftWithin(painter, left, size.width()), plot.top() + 12}, size};
  return layout;
}

void drawReadoutLine(QPainter& painter,
                     const ReadoutLine& line,
                     const ReadoutLayout& layout,
                     double y,
                     const DepthData& data,
                     const Theme& theme) {
  const QFont& plain = painter.font();
  const double left = layout.box.left() + kGap;
  if (line.curve >= 0) {
    const int style = data.curve(line.curve).style;
    drawSample(painter,
               theme.variantStyle(style),
               QRectF(left, y, kReadoutSampleWidth, layout.lineHeight));
  }
  const bool isQuiet = line.isHeading || line.isNoise || line.curve < 0;
  painter.setPen(isQuiet ? theme.reference : theme.palette.color(QPalette::ToolTipText));
  const double nameLeft = left + kReadoutSampleWidth + kNameGap;
  painter.drawText(QRectF(nameLeft, y, layout.box.right() - nameLeft, layout.lineHeight),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   line.name);
  painter.setFont(fixedFont(plain));
  if (line.nonFinite) {
    painter.setPen(theme.nonFinite);
  }
  double right = layout.box.right() - kGap;
  for (std::size_t i = layout.columns.size(); i-- > 0;) {
    if (static_cast<qsizetype>(i) < line.values.size()) {
      painter.drawText(QRectF(right - layout.columns[i], y, layout.columns[i], layout.lineHeight),
                       Qt::AlignRight | Qt::AlignVCenter,
                       line.values[static_cast<qsizetype>(i)]);
    }
    right -= layout.columns[i] + kColumnGap;
  }
  painter.setFont(plain);
}

}  // namespace

void paintReadout(QPainter& painter, const DepthDrawing& drawing, int slot) {
  const auto& [frame, data, options, theme] = drawing;
  const DepthSlot& here = data.axis.at(slot);
  const QString title = QStringLiteral("%1 · %2").arg(here.name, passText(here.pass));
  const std::vector<ReadoutLine> lines = readoutLines(data, options, slot);
  QFont bold = painter.font();
  bold.setBold(true);
  const ReadoutLayout layout =
      layoutReadout(frame, lines, QFontMetricsF(bold).horizontalAdvance(title), painter, slot);
  double y = paintReadoutBox(painter, layout.box, title, theme).top();
  for (const ReadoutLine& line : lines) {
    y += layout.lineHeight;
    drawReadoutLine(painter, line, layout, y, data, theme);
  }
}

}  // namespace ulp::views::charts
