#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>

#include "core/report/model/spread.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/term_text.h"
#include "views/plugins/overview/overview_model.h"

namespace ulp::views {
namespace {

struct OverviewDataWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Overview)
};

double halfOf(const report::Spread& spread, std::uint64_t samples) {
  return samples < 2 ? kUndefined : report::halfInterval(spread, samples);
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

/// What the table has of all that it can have.
struct Parts {
  std::vector<std::size_t> summary;  ///< places in report::summaryColumns()
  bool hasIntervals = false;
  bool hasFloors = false;
  bool hasFlips = false;
  bool hasRouters = false;
};

Parts partsOf(const std::vector<OverviewRow>& rows) {
  return {.summary = columnsIn(rows),
          .hasIntervals = std::ranges::any_of(rows, hasInterval),
          .hasFloors = std::ranges::any_of(rows, hasFloor),
          .hasFlips = hasFlips(rows),
          .hasRouters = hasRouters(rows)};
}

std::vector<report::DataColumn> columnsOf(const Parts& parts) {
  std::vector<report::DataColumn> columns;
  const auto add = [&](const QString& name, const QString& unit, const QString& group) {
    columns.push_back(
        {.title = name.toStdString(), .unit = unit.toStdString(), .group = group.toStdString()});
  };
  add(OverviewDataWords::tr("Variant"), {}, {});
  for (const std::size_t place : parts.summary) {
    const report::SummaryColumn& summary = report::summaryColumns()[place];
    const QString name = summaryTitle(summary);
    const QString pass = passName(summary.pass);
    add(name, {}, pass);
    if (parts.hasIntervals) {
      add(name + QStringLiteral(" ±"), {}, pass);
    }
    if (parts.hasFloors) {
      add(OverviewDataWords::tr("%1 noise").arg(name), {}, pass);
    }
  }
  const QString run = OverviewDataWords::tr("Run");
  add(OverviewDataWords::tr("Loss"), {}, run);
  if (parts.hasIntervals) {
    add(OverviewDataWords::tr("Loss") + QStringLiteral(" ±"), {}, run);
  }
  if (parts.hasFlips) {
    add(OverviewDataWords::tr("Flips"), {}, run);
  }
  if (parts.hasRouters) {
    add(OverviewDataWords::tr("Other experts"), QStringLiteral("%"), run);
  }
  add(OverviewDataWords::tr("Time"), QStringLiteral("s"), run);
  add(OverviewDataWords::tr("State"), {}, run);
  return columns;
}

/// Cells of the summary's columns, in the order of columnsOf().
void addSummary(std::vector<report::DataCell>& line, const OverviewRow& row, const Parts& parts) {
  for (std::size_t i = 0; i < parts.summary.size(); ++i) {
    const bool isKnown = i < row.cells.size() && !row.cells[i].site.name.empty();
    line.push_back(report::numberCell(isKnown ? row.cells[i].value : kUndefined, isKnown));
    if (parts.hasIntervals) {
      const double half = isKnown ? halfOf(row.cells[i].spread, row.cells[i].samples) : kUndefined;
      line.push_back(report::numberCell(half));
    }
    if (parts.hasFloors) {
      line.push_back(report::numberCell(i < row.floors.size() ? row.floors[i] : kUndefined));
    }
  }
}

std::vector<report::DataCell> lineOf(const OverviewRow& row, const Parts& parts) {
  std::vector<report::DataCell> line{row.run.toStdString()};
  addSummary(line, row, parts);
  line.push_back(report::numberCell(row.loss, row.hasLoss));
  if (parts.hasIntervals) {
    line.push_back(report::numberCell(halfOf(row.lossSpread, row.samples)));
  }
  if (parts.hasFlips) {
    line.push_back(report::numberCell(row.flips));
  }
  if (parts.hasRouters) {
    line.push_back(report::numberCell(row.flippedTokens * 100));
  }
  line.push_back(report::numberCell(row.seconds));
  line.emplace_back(runStateText(row.status).word.toStdString());
  return line;
}

}  // namespace

report::DataTable overviewData(const QString& title, const std::vector<OverviewRow>& rows) {
  const Parts parts = partsOf(rows);
  report::DataTable data{.title = title.toStdString(), .columns = columnsOf(parts)};
  data.rows.reserve(rows.size());
  for (const OverviewRow& row : rows) {
    data.rows.push_back(lineOf(row, parts));
  }
  return data;
}

}  // namespace ulp::views
