#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include <QtCore/QString>

#include "core/base/result.h"
#include "views/plugins/table/tensor_columns.h"

namespace ulp::views {

/// What the table shows and in which order.
struct TableQuery {
  int variant = -1;  ///< -1: all
  PassFilter shown = PassFilter::ForwardBackward;
  QString filter;  ///< TableFilter
  bool regex = false;
  int sortColumn = -1;         ///< -1: execution order
  int metric = -1;             ///< that charts show, where the order depends on it
  RuleVerdictsPtr verdicts{};  ///< where order or filter depend on them
  Qt::SortOrder order = Qt::AscendingOrder;

  friend bool operator==(const TableQuery&, const TableQuery&) = default;
};

struct TableRows {
  std::vector<TensorRow> rows;
  std::size_t total = 0;         ///< rows without the filter text
  bool ofNamedVariants = false;  ///< the filter says of which, whatever TableQuery::variant
  /// Why the filter could not be asked; no row is shown then.
  std::optional<Error> problem{};
};

/// Rows of a query, 8 bytes each. NaN and missing values are last in both directions. Stops early,
/// with what it has, when asked to.
[[nodiscard]] TableRows queryTable(const ReportDocument& document,
                                   const TableQuery& query,
                                   const std::stop_token& stop = {});

}  // namespace ulp::views
