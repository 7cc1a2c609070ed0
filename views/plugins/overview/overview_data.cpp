#include "views/plugins/overview/overview_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include <QtCore/QCoreApplication>

#include "core/report/spread.h"
#include "views/framework/severity.h"

namespace ulp::views {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::Overview", text);
}

/// An empty cell where there is no number.
void addCell(std::vector<report::DataCell>& row, double value, bool isKnown) {
  if (isKnown) {
    row.emplace_back(value);
  } else {
    row.emplace_back(std::monostate{});
  }
}

void addNumber(std::vector<report::DataCell>& row, double value) {
  addCell(row, value, !std::isnan(value));
}

double halfOf(const report::Spread& spread, std::uint64_t samples) {
  return samples < 2 ? kUnknown : report::halfInterval(spread, samples);
}

bool hasInterval(const OverviewRow& row) {
  return !std::isnan(halfOf(row.lossSpread, row.samples)) ||
         std::ranges::any_of(row.cells, [](const report::SummaryCell& cell) {
           return !std::isnan(halfOf(cell.spread, cell.samples));
         });
}

bool hasFloor(const OverviewRow& row) {
  return std::ranges::any_of(row.floors, [](double floor) { return !std::isnan(floor); });
}

}  // namespace

report::DataTable overviewData(const QString& title, const std::vector<OverviewRow>& rows) {
  report::DataTable data{.title = title.toStdString(), .columns = {}, .rows = {}};
  const auto column = [&](const QString& name, const QString& unit, const QString& group) {
    data.columns.push_back(
        {.title = name.toStdString(), .unit = unit.toStdString(), .group = group.toStdString()});
  };
  column(translate("Variant"), {}, {});
  const bool hasIntervals = std::ranges::any_of(rows, hasInterval);
  const bool hasFloors = std::ranges::any_of(rows, hasFloor);
  const std::vector<std::size_t> shown = columnsIn(rows);
  for (const std::size_t place : shown) {
    const report::SummaryColumn& summary = report::summaryColumns()[place];
    const QString name = QString::fromStdString(summary.title);
    const QString pass = passName(summary.pass);
    column(name, {}, pass);
    if (hasIntervals) {
      column(name + QStringLiteral(" ±"), {}, pass);
    }
    if (hasFloors) {
      column(translate("%1 noise").arg(name), {}, pass);
    }
  }
  column(translate("Loss"), {}, translate("Run"));
  if (hasIntervals) {
    column(translate("Loss") + QStringLiteral(" ±"), {}, translate("Run"));
  }
  if (hasFlips(rows)) {
    column(translate("Flips"), {}, translate("Run"));
  }
  column(translate("Time"), QStringLiteral("s"), translate("Run"));
  column(translate("State"), {}, translate("Run"));
  for (const OverviewRow& row : rows) {
    std::vector<report::DataCell> line{row.run.toStdString()};
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const bool isKnown = i < row.cells.size() && !row.cells[i].site.name.empty();
      addCell(line, isKnown ? row.cells[i].value : 0, isKnown);
      if (hasIntervals) {
        addNumber(line, isKnown ? halfOf(row.cells[i].spread, row.cells[i].samples) : kUnknown);
      }
      if (hasFloors) {
        addNumber(line, i < row.floors.size() ? row.floors[i] : kUnknown);
      }
    }
    addCell(line, row.loss, !std::isnan(row.loss));
    if (hasIntervals) {
      addNumber(line, halfOf(row.lossSpread, row.samples));
    }
    if (hasFlips(rows)) {
      addCell(line, row.flips, !std::isnan(row.flips));
    }
    addCell(line, row.seconds, !std::isnan(row.seconds));
    line.emplace_back(runStateText(row.status).word.toStdString());
    data.rows.push_back(std::move(line));
  }
  return data;
}

}  // namespace ulp::views
