#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include <QtCore/QStringList>

#include "core/base/text/regular_expression.h"
#include "views/plugins/table/tensor_columns.h"

namespace ulp::views {

/// What the table shows and in which order.
struct TableQuery {
  int variant = -1;  ///< -1: all
  PassFilter shown = PassFilter::ForwardBackward;
  QString filter;
  bool regex = false;
  int sortColumn = -1;  ///< -1: execution order
  int metric = -1;      ///< that charts show, where the order depends on it
  Qt::SortOrder order = Qt::AscendingOrder;

  friend bool operator==(const TableQuery&, const TableQuery&) = default;
};

struct TableRows {
  std::vector<TensorRow> rows;
  std::size_t total = 0;  ///< rows without the filter text
  /// Why the filter could not be asked; no row is shown then.
  std::optional<Error> problem{};
};

/// Words that must all occur in the tensor's name or module, whatever their case, or one regular
/// expression.
class NameFilter {
 public:
  /// Errors: InvalidArgument for what is no regular expression.
  [[nodiscard]] static Result<NameFilter> make(const QString& text, bool regex);
  /// Errors: those of RegularExpression::isFoundIn().
  [[nodiscard]] Result<bool> matches(const Site& site) const;

 private:
  QStringList m_words;
  std::optional<RegularExpression> m_expression;
};

/// Rows of a query, 8 bytes each. NaN and missing values are last in both directions. Stops early,
/// with what it has, when asked to.
[[nodiscard]] TableRows queryTable(const ReportDocument& document,
                                   const TableQuery& query,
                                   const std::stop_token& stop = {});

}  // namespace ulp::views
