#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QtCore/Qt>

#include "core/report/tables/data_table.h"
#include "views/framework/tables/row_table_model.h"
#include "views/plugins/log_probabilities/gap_data.h"

namespace ulp::views {

/// A token that was to be predicted.
struct TokenRow {
  std::size_t place = 0;  ///< in [sequences, length]
  std::int64_t sequence = 0;
  std::int64_t position = 0;
  QString text;  ///< as it is shown; empty: unknown
  double baseline = 0;
  double run = 0;
  double difference = 0;
  bool isWorst = false;  ///< of the largest difference
};

using TokenModel = RowTableModel<TokenRow>;
using TokenRows = std::shared_ptr<const std::vector<TokenRow>>;

/// The same rows as they stand in the text, and with the largest |δ| first; those that are not
/// finite in a run stand before all others.
struct TokenOrders {
  TokenRows natural;
  TokenRows worstFirst;
};

/// Blanks and line breaks as signs that can be seen, other controls as "\x1b".
[[nodiscard]] QString visibleText(const std::string& text);
/// The text up to a token, its own at the end; empty without texts.
[[nodiscard]] QString contextOf(const GapBaseline& baseline, const TokenRow& row);

/// Sorts by a column of the table of tokens: NaN and tokens without a text last in both directions,
/// equals in their order. Any thread.
using TokenSort = TokenRows (*)(const TokenRows& rows, Qt::SortOrder order);
/// Parallel to tokenColumns().
[[nodiscard]] std::vector<TokenSort> tokenSorts(const GapBaseline& baseline);

/// Of data.runs[run], which must have a gap. Any thread.
[[nodiscard]] TokenOrders makeTokenRows(const GapData& data, std::size_t run);
[[nodiscard]] std::vector<Column<TokenRow>> tokenColumns(const GapRun& compared);
[[nodiscard]] report::DataTable tokenData(const QString& title,
                                          const GapData& data,
                                          std::size_t run,
                                          const std::vector<TokenRow>& rows);

}  // namespace ulp::views
