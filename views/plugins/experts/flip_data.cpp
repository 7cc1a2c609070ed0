#include "views/plugins/experts/flip_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

struct FlipDataWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Experts)
};

/// Half a bin above the lower edge 2^exponent, as bins are octaves.
double placeOfMargin(int exponent) {
  return (exponent + 0.5) * std::log10(2.0);
}

FlipLine lineOf(const report::Run& run, FlipData& data) {
  FlipLine line{.run = QString::fromStdString(run.name)};
  std::map<int, FlipPoint> byExponent;
  for (const report::RouterChoice& router : run.routers) {
    const QString name = QString::fromStdString(router.router);
    int column = data.findRouter(name);
    if (column < 0) {
      column = static_cast<int>(data.routers.size());
      data.routers.push_back({.name = name, .layer = router.layer});
    }
    if (router.tokens > 0) {
      line.byLayer.push_back({static_cast<double>(column), router.tokens, router.flipped});
    }
    for (const report::MarginBin& bin : router.margins) {
      FlipPoint& point = byExponent[bin.exponent];
      point.x = placeOfMargin(bin.exponent);
      point.tokens += bin.tokens;
      point.flipped += bin.flipped;
    }
  }
  for (const auto& [exponent, point] : byExponent) {
    if (point.tokens > 0) {
      line.byMargin.push_back(point);
    }
  }
  return line;
}

void addRanges(FlipData& data) {
  bool isFirst = true;
  for (const FlipLine& line : data.lines) {
    for (const FlipPoint& point : line.byLayer) {
      data.largestByLayer = std::max(data.largestByLayer, point.share());
    }
    for (const FlipPoint& point : line.byMargin) {
      data.largestByMargin = std::max(data.largestByMargin, point.share());
      data.margins = isFirst ? charts::Range{point.x, point.x}
                             : charts::Range{std::min(data.margins.low, point.x),
                                             std::max(data.margins.high, point.x)};
      isFirst = false;
    }
  }
}

void addTableRow(report::DataTable& table,
                 const FlipLine& line,
                 report::DataCell layer,
                 report::DataCell margin,
                 const FlipPoint& point) {
  table.rows.push_back({line.run.toStdString(),
                        std::move(layer),
                        std::move(margin),
                        static_cast<double>(point.tokens),
                        static_cast<double>(point.flipped),
                        point.share() * 100});
}

}  // namespace

int FlipData::findRouter(const QString& name) const {
  const auto found = std::ranges::find(routers, name, &RouterColumn::name);
  return found == routers.end() ? -1 : static_cast<int>(found - routers.begin());
}

int FlipData::findLine(const QString& run) const {
  const auto found = std::ranges::find(lines, run, &FlipLine::run);
  return found == lines.end() ? -1 : static_cast<int>(found - lines.begin());
}

FlipData makeFlipData(const ReportDocument& document, const QStringList& chosen) {
  FlipData data;
  for (int i = 0; i < document.variantCount(); ++i) {
    const report::Run& run = document.variant(i);
    const QString name = document.variantName(i);
    if (run.routers.empty() || (!chosen.isEmpty() && !chosen.contains(name))) {
      continue;
    }
    FlipLine line = lineOf(run, data);
    line.style = document.styleOf(i);
    data.lines.push_back(std::move(line));
  }
  addRanges(data);
  return data;
}

QString routerText(const RouterColumn& router) {
  return router.layer < 0 ? router.name
                          : QStringLiteral("%1 · %2").arg(router.layer).arg(router.name);
}

report::DataTable flipTable(const QString& title, const FlipData& data) {
  report::DataTable table{.title = title.toStdString()};
  for (const QString& heading : {FlipDataWords::tr("Variant"),
                                 FlipDataWords::tr("Router"),
                                 FlipDataWords::tr("Margin"),
                                 FlipDataWords::tr("Tokens"),
                                 FlipDataWords::tr("Flipped")}) {
    table.columns.push_back({.title = heading.toStdString()});
  }
  table.columns.push_back({.title = FlipDataWords::tr("Flipped").toStdString(), .unit = "%"});
  for (const FlipLine& line : data.lines) {
    for (const FlipPoint& point : line.byLayer) {
      const auto router = static_cast<std::size_t>(point.x);
      addTableRow(table, line, data.routers[router].name.toStdString(), {}, point);
    }
    for (const FlipPoint& point : line.byMargin) {
      addTableRow(table, line, {}, std::pow(10.0, point.x), point);
    }
  }
  return table;
}

}  // namespace ulp::views
