#include "views/plugins/table/table_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "views/plugins/table/sample_columns.h"

namespace ulp::views {
namespace {

/// A sort key that is one number for every column, so that sorting never touches text again: texts
/// are replaced by their rank.
class KeyOf {
 public:
  KeyOf(const ReportDocument& document, const TableQuery& query)
      : m_document(document), m_column(query.sortColumn), m_metric(query.metric) {
    const int place = m_column - firstSampleColumn(document);
    const std::vector<SampleColumn> extra = sampleColumns(document);
    if (place >= 0 && place < static_cast<int>(extra.size())) {
      m_sampleColumn = extra[static_cast<std::size_t>(place)];
    }
    const auto named = [&](auto textOf) {
      const auto& sites = document.sites();
      std::vector<std::size_t> order(sites.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return textOf(sites[a]) < textOf(sites[b]);
      });
      m_rank.resize(sites.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        const bool equal = i > 0 && textOf(sites[order[i]]) == textOf(sites[order[i - 1]]);
        m_rank[order[i]] = equal ? m_rank[order[i - 1]] : static_cast<double>(i);
      }
    };
    if (m_column == static_cast<int>(TensorColumn::Tensor)) {
      named([](const Site& site) { return std::string_view(site.name); });
    }
  }

  [[nodiscard]] double operator()(const TensorRow& row) const {
    const Site& site = m_document.sites()[static_cast<std::size_t>(row.site)];
    const report::Comparison& comparison = *m_document.comparison(row.variant, row.site);
    switch (static_cast<TensorColumn>(m_column)) {
      case TensorColumn::Tensor:
        return m_rank[static_cast<std::size_t>(row.site)];
      case TensorColumn::Pass:
        return static_cast<double>(site.pass);
      case TensorColumn::Layer:
        return site.layer < 0 ? std::numeric_limits<double>::quiet_NaN() : site.layer;
      case TensorColumn::Variant:
        return row.variant;
      case TensorColumn::Shape:
        return static_cast<double>(comparison.count);
      case TensorColumn::DType:
        return dtypeKey(comparison.variantDType);
      case TensorColumn::NonFinite:
        return static_cast<double>(comparison.variantNonFinite.total());
    }
    return m_sampleColumn ? sampleValue(m_document, row, *m_sampleColumn, m_metric)
                          : m_document.value(row.variant, row.site, m_column - kFirstMetric);
  }

 private:
  /// The first bytes of the name as a number: enough to bring equal types together, in order.
  [[nodiscard]] static double dtypeKey(const std::string& name) {
    double key = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      key = key * 256 + (i < name.size() ? static_cast<unsigned char>(name[i]) : 0);
    }
    return key;
  }

  const ReportDocument& m_document;
  int m_column;
  int m_metric;
  std::optional<SampleColumn> m_sampleColumn;
  std::vector<double> m_rank;
};

/// The keys of the rows, read variant by variant: so the rows of a report lie in memory, and a
/// million of them read across it take most of a second.
std::vector<double> keysOf(const KeyOf& keyOf,
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
  const KeyOf keyOf(document, query);
  std::vector<KeyedRow> keyed;
  std::vector<TensorRow> missing;
  keyed.reserve(rows.size());
  const std::vector<double> keys =
      keysOf(keyOf, rows, static_cast<std::size_t>(document.variantCount()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::isnan(keys[i])) {
      missing.push_back(rows[i]);
    } else {
      keyed.push_back({keys[i], rows[i]});
    }
  }
  if (query.order == Qt::AscendingOrder) {
    std::stable_sort(keyed.begin(), keyed.end(), [](const KeyedRow& a, const KeyedRow& b) {
      return a.key < b.key;
    });
  } else {
    std::stable_sort(keyed.begin(), keyed.end(), [](const KeyedRow& a, const KeyedRow& b) {
      return a.key > b.key;
    });
  }
  std::transform(keyed.begin(), keyed.end(), rows.begin(), [](const KeyedRow& keyedRow) {
    return keyedRow.row;
  });
  std::copy(
      missing.begin(), missing.end(), rows.begin() + static_cast<std::ptrdiff_t>(keyed.size()));
}

}  // namespace

std::optional<NameFilter> NameFilter::make(const QString& text, bool regex) {
  NameFilter filter;
  if (regex) {
    QRegularExpression expression(text, QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
      return std::nullopt;
    }
    expression.optimize();
    filter.m_expression = std::move(expression);
    return filter;
  }
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    filter.m_words.push_back(word);
  }
  return filter;
}

bool NameFilter::matches(const Site& site) const {
  const QString name = QString::fromStdString(site.name);
  const QString module = QString::fromStdString(site.module);
  if (m_expression) {
    return m_expression->match(name).hasMatch() || m_expression->match(module).hasMatch();
  }
  return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
    return name.contains(word, Qt::CaseInsensitive) || module.contains(word, Qt::CaseInsensitive);
  });
}

TableRows queryTable(const ReportDocument& document,
                     const TableQuery& query,
                     const std::stop_token& stop) {
  TableRows result;
  const std::optional<NameFilter> filter = NameFilter::make(query.filter, query.regex);
  const int first = query.variant < 0 ? 0 : query.variant;
  const int last = query.variant < 0 ? document.variantCount() - 1 : query.variant;
  // Names are matched once, not once for every variant.
  for (std::size_t i = 0; i < document.sites().size() && !stop.stop_requested(); ++i) {
    const Site& site = document.sites()[i];
    if (!accepts(query.shown, site.pass)) {
      continue;
    }
    const bool matches = filter && filter->matches(site);
    for (int variant = first; variant <= last; ++variant) {
      if (document.comparison(variant, static_cast<int>(i)) == nullptr) {
        continue;
      }
      ++result.total;
      if (matches) {
        result.rows.push_back({variant, static_cast<std::int32_t>(i)});
      }
    }
  }
  if (query.sortColumn >= 0 && !stop.stop_requested()) {
    sortRows(document, query, result.rows);
  }
  return result;
}

}  // namespace ulp::views
