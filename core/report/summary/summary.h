#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::report {

/// One column of the summary, in the order of the pass: embeddings, mid median, mid max, norm,
/// logits, loss | head, logits, mid median, mid max, decoder.0 | LM head, linear median and max,
/// norm median and max, bias median and max, embeddings (the tables of Fast-LLM PR #525, DESIGN
/// section 1) | state median and max, update median and max of the optimizer's step. `mid` are the
/// layer rows decoder.1 … decoder.(L-2); with fewer than three layers all of them. Gradients of
/// parameters are those of their category (parameter_category.h); linear, norm and bias are those
/// of all layers, so that the final norm is in none.
struct SummaryColumn {
  std::string id;     ///< "forward.mid_max"
  std::string title;  ///< "mid max"
  Pass pass = Pass::Forward;
};

struct SummaryCell {
  /// NaN: not in the report, or nothing finite to compare in the row that it came from.
  double value = 0;
  Site site;  ///< the row it came from (for a median the row nearest to it); name empty: none
  std::uint64_t nonFinite = 0;  ///< non-finite variant elements in the rows that it stands for
  /// Of the value over the samples; of a median that of the row nearest to it.
  Spread spread{};
  std::uint64_t samples = 1;  ///< 1: there is no spread

  /// Elements are NaN or infinite, and over the others there is no number or, where `isError`, a 0
  /// that would read as if there were no error.
  [[nodiscard]] bool isLost(bool isError) const {
    return nonFinite != 0 && (std::isnan(value) || (isError && value == 0));
  }
};

struct SummaryRow {
  std::string run;
  std::vector<SummaryCell> cells;  ///< parallel to summaryColumns()
  RunRole role = RunRole::Variant;
};

[[nodiscard]] const std::vector<SummaryColumn>& summaryColumns();
/// Heading over the columns of a pass: "forward", "parameter gradients".
[[nodiscard]] std::string_view summaryGroup(Pass pass);
/// One row for each variant that has comparisons. `metric` is an id such as "rms_rel"; the loss
/// column is |v - r| / |r| of the scalar for relative metrics and the metric itself otherwise.
[[nodiscard]] std::vector<SummaryRow> summarise(const Report& report, std::string_view metric);

/// Places in summaryColumns() for which `hasRow` is set; where it is nowhere (nothing has run yet),
/// those of the passes that every study has.
[[nodiscard]] std::vector<std::size_t> shownColumns(const std::vector<bool>& hasRow);

/// Places in summaryColumns() of what a table of `rows` shows: the columns for which at least one
/// of them has a tensor. `cellsOf` leads from a row to its cells, which may be none.
template <typename Rows, typename CellsOf>
[[nodiscard]] std::vector<std::size_t> shownColumns(const Rows& rows, CellsOf cellsOf) {
  std::vector<bool> hasRow(summaryColumns().size());
  for (const auto& row : rows) {
    const std::vector<SummaryCell>& cells = std::invoke(cellsOf, row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      hasRow[i] = hasRow[i] || !cells[i].site.name.empty();
    }
  }
  return shownColumns(hasRow);
}

/// Gives what runs of the noise floor reach in a summary: for each of summaryColumns() their worst
/// value among `rows`, NaN where none has a number. Empty without such runs, and for a metric that
/// measures no error.
[[nodiscard]] std::vector<double> summaryFloor(const std::vector<SummaryRow>& rows,
                                               std::string_view metric);

/// Whether a cell is no worse than the floor of its column, so that it need not mean anything.
[[nodiscard]] bool isWithinFloor(const SummaryCell& cell,
                                 const std::vector<double>& floor,
                                 std::size_t column,
                                 std::string_view metric);

}  // namespace ulp::report
