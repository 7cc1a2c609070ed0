#include "views/plugins/table/table_order.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "views/plugins/table/table_filter.h"

namespace ulp::views {
namespace {

/// The keys of the rows, read variant by variant: so the rows of a report lie in memory, and a
/// million of them read across it take most of a second.
std::vector<double> keysOf(const std::function<double(const TensorRow&)>& keyOf,
                           const std::vector<TensorRow>& rows,
                           std::size_t variants) {
  std::vector<std::size_t> next(variants + 1, 0);
  for (const TensorRow& row : rows) {
    ++next[static_cast<std::size_t>(row.variant) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    order[next[static_cast<std::size_t>(rows[i].variant)]++] = i;
  }
  std::vector<double> keys(rows.size());
  for (const std::size_t i : order) {
    keys[i] = keyOf(rows[i]);
  }
  return keys;
}

struct KeyedRow {
  double key = 0;
  TensorRow row;
};

void sortRows(const ReportDocument& document,
              const TableQuery& query,
              std::vector<TensorRow>& rows) {
  const std::vector<TensorTableColumn> columns =
      tensorColumns(document, query.metric, {}, query.verdicts);
  const auto column = static_cast<std::size_t>(query.sortColumn);
  if (column >= columns.size()) {
    return;
  }
  std::vector<KeyedRow> keyed;
  std::vector<TensorRow> missing;
  keyed.reserve(rows.size());
  const std::vector<double> keys =
      keysOf(columns[column].key, rows, static_cast<std::size_t>(document.variantCount()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::isnan(keys[i])) {
      missing.push_back(rows[i]);
    } else {
      keyed.push_back({keys[i], rows[i]});
    }
  }
  if (query.order == Qt::AscendingOrder) {
    std::ranges::stable_sort(keyed, std::ranges::less(), &KeyedRow::key);
  } else {
    std::ranges::stable_sort(keyed, std::ranges::greater(), &KeyedRow::key);
  }
  const auto behind = std::ranges::transform(keyed, rows.begin(), &KeyedRow::row).out;
  std::ranges::copy(missing, behind);
}

}  // namespace

TableRows queryTable(const ReportDocument& document,
                     const TableQuery& query,
                     const std::stop_token& stop) {
  TableRows result;
  const Result<TableFilter> filter = TableFilter::make(document, query.filter, query.regex);
  if (!filter) {
    result.problem = filter.error();
  }
  result.ofNamedVariants = filter && filter->namesVariants();
  const bool isOfAll = query.variant < 0 || result.ofNamedVariants;
  const PassFilter shown = filter && filter->namesPasses() ? PassFilter::All : query.shown;
  const int first = isOfAll ? 0 : query.variant;
  const int last = isOfAll ? document.variantCount() - 1 : query.variant;
  // Names are looked at once, not once for every variant.
  for (std::size_t i = 0; i < document.sites().size() && !stop.stop_requested(); ++i) {
    const Site& site = document.sites()[i];
    if (!accepts(shown, site.pass)) {
      continue;
    }
    const Result<bool> matches = result.problem ? Result<bool>(false) : filter->acceptsSite(site);
    if (!matches) {
      result.problem = matches.error();
      result.rows.clear();
    }
    for (int variant = first; variant <= last; ++variant) {
      if (document.comparison(variant, static_cast<int>(i)) == nullptr) {
        continue;
      }
      ++result.total;
      const TensorRow row{variant, static_cast<std::int32_t>(i)};
      if (matches.value_or(false) && filter->acceptsVariant(variant) &&
          filter->acceptsRow(document, row) && filter->acceptsVerdict(query.verdicts.get(), row)) {
        result.rows.push_back(row);
      }
    }
  }
  if (query.sortColumn >= 0 && !stop.stop_requested()) {
    sortRows(document, query, result.rows);
  }
  return result;
}

}  // namespace ulp::views
