#include "core/report/contents/position_tables.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "core/report/summary/noise_floor.h"
#include "core/report/summary/provenance_line.h"

namespace ulp::report {
namespace {

constexpr std::string_view kErrorColumns = "last layer, %; logits, %; other top token, %";

std::string shownName(const Run& run) {
  return run.role == RunRole::Floor ? floorLabel(run.name) : run.name;
}

DataCell errorCell(const PositionError& error) {
  return numberCell(100 * error.tokens.relative(), error.tokens.tokens == 0 && error.nonFinite > 0);
}

DataCell flippedCell(const PositionTops& tops) {
  return tops.tokens == 0
             ? DataCell()
             : DataCell(100 * static_cast<double>(tops.flipped) / static_cast<double>(tops.tokens));
}

/// Places [from, to) of the errors of a run.
struct Stretch {
  std::size_t from = 0;
  std::size_t to = 0;
};

PositionError errorOver(const PositionRow* row, const Stretch& stretch) {
  return row == nullptr ? PositionError{} : sumOf(*row, stretch.from, stretch.to);
}

/// Error of the last layer and of the logits, and how many tokens have another largest logit.
void addErrors(std::vector<DataCell>& cells,
               const PositionErrors& positions,
               const Stretch& stretch) {
  cells.push_back(errorCell(errorOver(positions.lastLayer(), stretch)));
  cells.push_back(errorCell(errorOver(positions.find("logits"), stretch)));
  cells.push_back(flippedCell(sumOf(positions.tops, stretch.from, stretch.to)));
}

/// Elements that are no numbers in any of the rows.
double nonFiniteOver(const PositionErrors& positions, const Stretch& stretch) {
  std::uint64_t count = 0;
  for (const PositionRow& row : positions.rows) {
    count += sumOf(row, stretch.from, stretch.to).nonFinite;
  }
  return static_cast<double>(count);
}

/// The first generated position at which a top token is another one.
DataCell firstFlip(const PositionErrors& positions, std::size_t generated) {
  for (std::size_t i = generated; i < positions.tops.size(); ++i) {
    if (positions.tops[i].flipped > 0) {
      return static_cast<double>(positions.first + i);
    }
  }
  return {};
}

/// Place of the first error that is of a token that was generated.
std::size_t generatedFrom(const PositionErrors& positions) {
  const std::uint64_t behind =
      positions.prompt > positions.first ? positions.prompt - positions.first : 0;
  return static_cast<std::size_t>(std::min<std::uint64_t>(behind, positions.count()));
}

std::vector<DataColumn> positionColumns(const ExportOptions& options) {
  std::vector<DataColumn> columns =
      columnsOf(options.tokens.empty() ? "position; part" : "position; part; token");
  std::ranges::move(columnsOf(kErrorColumns), std::back_inserter(columns));
  std::ranges::move(columnsOf("not finite"), std::back_inserter(columns));
  return columns;
}

std::vector<DataCell> positionCells(const PositionErrors& positions,
                                    std::size_t place,
                                    const ExportOptions& options) {
  std::vector<DataCell> cells{static_cast<double>(positions.first + place),
                              positions.isGenerated(place) ? "generated" : "prompt"};
  if (!options.tokens.empty()) {
    const std::size_t position = positions.first + place;
    cells.push_back(position < options.tokens.size() ? DataCell(options.tokens[position])
                                                     : DataCell());
  }
  addErrors(cells, positions, {place, place + 1});
  cells.emplace_back(nonFiniteOver(positions, {place, place + 1}));
  return cells;
}

/// Nothing at any position differs.
bool isEqual(const PositionErrors& positions) {
  return std::ranges::all_of(positions.rows, [](const PositionRow& row) {
    return std::ranges::all_of(row.errors, [](const PositionError& error) {
      return error.tokens.rmsDiff == 0 && error.nonFinite == 0;
    });
  });
}

}  // namespace

DataTable positionSummaryData(const Report& report, const ExportSelection& selection) {
  DataTable table{"Error by position", {}, {}, provenanceLine(report)};
  for (const Run* run : selection.variants) {
    const PositionErrors& positions = run->positions;
    if (positions.isEmpty()) {
      continue;
    }
    if (table.columns.empty()) {
      table.columns = columnsOf("variant");
      std::ranges::move(columnsOf(kErrorColumns, "prompt"), std::back_inserter(table.columns));
      std::ranges::move(columnsOf(kErrorColumns, "generated"), std::back_inserter(table.columns));
      std::ranges::move(columnsOf("last position, %", "logits"), std::back_inserter(table.columns));
      std::ranges::move(columnsOf("first other top token; not finite"),
                        std::back_inserter(table.columns));
    }
    const std::size_t count = positions.count();
    const std::size_t generated = generatedFrom(positions);
    std::vector<DataCell>& cells = table.rows.emplace_back();
    cells.emplace_back(shownName(*run));
    addErrors(cells, positions, {0, generated});
    addErrors(cells, positions, {generated, count});
    cells.push_back(errorCell(errorOver(positions.find("logits"), {count - 1, count})));
    cells.push_back(firstFlip(positions, generated));
    cells.emplace_back(nonFiniteOver(positions, {0, count}));
  }
  return table;
}

DataTable positionsData(const Report& report,
                        const ExportSelection& selection,
                        const ExportOptions& options) {
  DataTable table{"Error by position", columnsOf("variant"), {}, provenanceLine(report)};
  std::ranges::move(positionColumns(options), std::back_inserter(table.columns));
  for (const Run* run : selection.variants) {
    for (std::size_t place = 0; place < run->positions.count(); ++place) {
      std::vector<DataCell>& cells = table.rows.emplace_back();
      cells.emplace_back(shownName(*run));
      std::ranges::move(positionCells(run->positions, place, options), std::back_inserter(cells));
    }
  }
  return table;
}

std::vector<TextTable> positionTables(const Report& report,
                                      const ExportSelection& selection,
                                      const ExportOptions& options) {
  std::vector<TextTable> tables;
  for (const Run* run : selection.variants) {
    if (run->positions.isEmpty() || isEqual(run->positions)) {
      continue;
    }
    DataTable table{
        "Positions: " + shownName(*run), positionColumns(options), {}, provenanceLine(report)};
    const std::size_t count = run->positions.count();
    // What is generated stands at the end.
    const std::size_t first =
        options.maxRows == 0 || options.maxRows > count ? 0 : count - options.maxRows;
    for (std::size_t place = first; place < count; ++place) {
      table.rows.push_back(positionCells(run->positions, place, options));
    }
    TextTable& text = tables.emplace_back(formatTable(table));
    text.isDetail = true;
    if (first > 0) {
      text.note = fmt::format("The last {} of {} positions.", options.maxRows, count);
    }
  }
  return tables;
}

}  // namespace ulp::report
