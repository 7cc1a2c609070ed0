#include "views/plugins/dump/dump_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/undefined.h"
#include "views/framework/words/filter_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::Role;

struct DumpRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DumpView)
};

/// What a line is about.
struct ShownLine {
  const DumpTable& table;
  const DumpLine& line;

  [[nodiscard]] const analysis::PlacedTensor& placed() const {
    return table.unit.tensors[static_cast<std::size_t>(line.tensor)];
  }
  [[nodiscard]] const DumpEntry& entry() const { return table.unit.unit->entries[placed().entry]; }
  [[nodiscard]] const DumpRow& row() const { return table.unit.unit->rows[placed().row]; }
  /// Null: the report does not have it.
  [[nodiscard]] const report::Comparison* comparison() const {
    return line.site < 0 ? nullptr : table.document->comparison(table.variant, line.site);
  }
};

/// A recorded number, or what the elements gave in its place.
double numberOf(const ShownLine& at,
                std::optional<double> dumps::Statistics::*recorded,
                int metric) {
  const report::Comparison* comparison = at.comparison();
  const bool isInReport = comparison != nullptr && metric >= 0 &&
                          static_cast<std::size_t>(metric) < comparison->metrics.size();
  const double known =
      isInReport ? comparison->metrics[static_cast<std::size_t>(metric)] : kUndefined;
  return std::isnan(known) ? (at.row().statistics.*recorded).value_or(kUndefined) : known;
}

/// A number of a tensor that has a column.
struct RecordedNumber {
  const char* metric;
  std::optional<double> dumps::Statistics::*recorded;
};
/// In the order of DumpTable::formats.
constexpr std::array<RecordedNumber, 4> kNumbers{{{"recorded.max", &dumps::Statistics::max},
                                                  {"recorded.min", &dumps::Statistics::min},
                                                  {"recorded.mean", &dumps::Statistics::mean},
                                                  {"recorded.norm", &dumps::Statistics::norm}}};

/// Written with as many digits as metrics are.
ColumnFormat formatOf(const DumpTable& table, const RecordedNumber& number) {
  const int metric = table.document->findMetric(QLatin1String(number.metric));
  ColumnSpread spread;
  for (const DumpLine& line : table.lines) {
    spread.add(numberOf({table, line}, number.recorded, metric));
  }
  return {spread, MetricInfo{.scale = numerics::MetricScale::Logarithmic}};
}

/// It was recorded, and is NaN, rather than missing.
bool isRecordedNan(const ShownLine& at, std::optional<double> dumps::Statistics::*recorded) {
  const std::optional<double>& number = at.row().statistics.*recorded;
  return number && std::isnan(*number);
}

QString nameOfRole(Role role) {
  switch (role) {
    case Role::Input:
      return DumpRowsWords::tr("input");
    case Role::Parameter:
      return DumpRowsWords::tr("parameter");
    case Role::Output:
      return DumpRowsWords::tr("output");
    case Role::OutputGradient:
      return DumpRowsWords::tr("gradient of output");
    case Role::InputGradient:
      return DumpRowsWords::tr("gradient of input");
    case Role::ParameterGradient:
      return DumpRowsWords::tr("gradient of parameter");
    case Role::Value:
      break;
  }
  return DumpRowsWords::tr("tensor");
}

/// Puts the columns of a table behind each other.
class DumpColumns {
 public:
  explicit DumpColumns(DumpTablePtr table) : m_table(std::move(table)) {}

  /// A use of the line that the column is asked for.
  template <class Use>
  [[nodiscard]] auto of(Use use) const {
    return [table = m_table, use](const DumpLine& line) { return use(ShownLine{*table, line}); };
  }

  template <class Text>
  DumpColumn& addText(const QString& title, Text text) {
    DumpColumn& column = m_columns.emplace_back();
    column.title = title;
    column.roles =
        textRoles<DumpLine>(of([text](const ShownLine& at) { return QVariant(text(at)); }));
    return column;
  }

  void addNumber(const QString& title, const QString& condition, std::size_t index) {
    const auto& [metricId, recorded] = kNumbers.at(index);
    const int metric = m_table->document->findMetric(QLatin1String(metricId));
    const auto value = [recorded = recorded, metric](const ShownLine& at) {
      return numberOf(at, recorded, metric);
    };
    DumpColumn& column = m_columns.emplace_back();
    column.title = title;
    column.condition = condition;
    column.alignment = kNumberAlignment;
    column.key = of(value);
    const MetricInfo info =
        metric < 0 ? MetricInfo{} : m_table->document->metrics()[static_cast<std::size_t>(metric)];
    const ColumnFormat& format = m_table->formats.at(index);
    column.toolTip = info.formula;
    const auto isNan = [recorded = recorded](const ShownLine& at) {
      return isRecordedNan(at, recorded);
    };
    column.roles = {{Qt::DisplayRole, of([value, isNan, format](const ShownLine& at) {
                       const double number = value(at);
                       return QVariant(std::isnan(number) && isNan(at) ? QStringLiteral("NaN")
                                                                       : format.text(number));
                     })},
                    {SortRole, of([value](const ShownLine& at) { return QVariant(value(at)); })},
                    {RawRole, of([value, isNan](const ShownLine& at) {
                       const double number = value(at);
                       return QVariant(std::isnan(number) && isNan(at) ? QStringLiteral("NaN")
                                                                       : exactText(number));
                     })},
                    {Qt::ToolTipRole,
                     of([value](const ShownLine& at) { return QVariant(exactText(value(at))); })},
                    {NonFiniteRole, of([value, isNan](const ShownLine& at) {
                       return QVariant(isNan(at) || std::isinf(value(at)));
                     })}};
  }

  /// Elements that are not finite; where they were not counted at least so many.
  template <class Count>
  void addCount(const QString& title,
                const QString& condition,
                const char* metricId,
                const QString& help,
                Count count) {
    const int metric = m_table->document->findMetric(QLatin1String(metricId));
    const auto value = [count, metric](const ShownLine& at) {
      const report::Comparison* comparison = at.comparison();
      if (comparison == nullptr) {
        return kUndefined;
      }
      const auto known = static_cast<double>(count(comparison->variantNonFinite));
      const bool isCounted =
          metric >= 0 && !std::isnan(comparison->metrics[static_cast<std::size_t>(metric)]);
      return isCounted || known > 0 ? known : kUndefined;
    };
    const auto isAtLeast = [metric](const ShownLine& at) {
      const report::Comparison* comparison = at.comparison();
      return comparison != nullptr &&
             (metric < 0 || std::isnan(comparison->metrics[static_cast<std::size_t>(metric)]));
    };
    DumpColumn& column = m_columns.emplace_back();
    column.title = title;
    column.condition = condition;
    column.toolTip = help;
    column.alignment = kNumberAlignment;
    column.key = of(value);
    column.roles = {
        {Qt::DisplayRole, of([value, isAtLeast](const ShownLine& at) {
           const double number = value(at);
           if (std::isnan(number)) {
             return QVariant(missingText());
           }
           const QString text = countText(static_cast<std::uint64_t>(number));
           return QVariant(number > 0 && isAtLeast(at) ? DumpRowsWords::tr("≥ %1").arg(text)
                                                       : text);
         })},
        {SortRole, of([value](const ShownLine& at) { return QVariant(value(at)); })},
        {RawRole, of([value](const ShownLine& at) { return QVariant(exactText(value(at))); })},
        {DimRole, of([value](const ShownLine& at) { return QVariant(!(value(at) > 0)); })},
        {NonFiniteRole, of([value](const ShownLine& at) { return QVariant(value(at) > 0); })}};
  }

  [[nodiscard]] std::vector<DumpColumn> take() { return std::move(m_columns); }

 private:
  DumpTablePtr m_table;
  std::vector<DumpColumn> m_columns;
};

/// A number that a filter asks for.
struct Condition {
  std::function<double(const DumpLine&)> value;
  FilterComparison comparison;  ///< with a number
};

class DumpFilter {
 public:
  DumpFilter(const DumpTablePtr& table,
             const std::vector<DumpColumn>& columns,
             const DumpQuery& query)
      : m_table(*table), m_isNotFinite(query.isNotFinite) {
    const QString words = takeComparisons(query.filter, [&](const FilterComparison& comparison) {
      const auto column = std::ranges::find_if(columns, [&](const DumpColumn& one) {
        return !one.condition.isEmpty() &&
               one.condition.compare(comparison.name, Qt::CaseInsensitive) == 0;
      });
      const bool isTaken = comparison.number && column != columns.end();
      if (isTaken) {
        m_conditions.push_back({column->key, comparison});
      }
      return isTaken;
    });
    m_words = filterWords(words);
  }

  [[nodiscard]] bool accepts(const DumpLine& line) const {
    const ShownLine at{m_table, line};
    const report::Comparison* comparison = at.comparison();
    const bool isBroken = comparison != nullptr && comparison->variantNonFinite.total() > 0;
    if ((m_isNotFinite && !isBroken) ||
        !std::ranges::all_of(m_conditions, [&](const Condition& one) {
          return one.comparison.holdsFor(one.value(line));
        })) {
      return false;
    }
    if (m_words.isEmpty()) {
      return true;
    }
    const DumpRow& row = at.row();
    const QString text = QStringList{QString::fromStdString(at.entry().name),
                                     QString::fromStdString(at.entry().module),
                                     QString::fromStdString(row.name),
                                     QString::fromStdString(row.dtype),
                                     roleText(row)}
                             .join(QLatin1Char('\n'));
    return std::ranges::all_of(
        m_words, [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  }

 private:
  const DumpTable& m_table;
  bool m_isNotFinite;
  QStringList m_words;
  std::vector<Condition> m_conditions;
};

/// NaN, what is missing, stands behind all numbers in either order.
bool isBehindAll(double number) {
  return std::isnan(number);
}
bool isBehindAll(const QString& /*text*/) {
  return false;
}

/// Each key is made once.
template <class KeyOf>
void sortBy(std::vector<DumpLine>& lines, Qt::SortOrder order, const KeyOf& keyOf) {
  std::vector<std::pair<decltype(keyOf(lines.front())), DumpLine>> keyed;
  keyed.reserve(lines.size());
  for (const DumpLine& line : lines) {
    keyed.emplace_back(keyOf(line), line);
  }
  std::ranges::stable_sort(keyed, [order](const auto& a, const auto& b) {
    if (isBehindAll(a.first) || isBehindAll(b.first)) {
      return !isBehindAll(a.first) && isBehindAll(b.first);
    }
    return order == Qt::AscendingOrder ? a.first < b.first : b.first < a.first;
  });
  std::ranges::transform(keyed, lines.begin(), [](const auto& one) { return one.second; });
}

}  // namespace

QString roleText(const dumps::DumpRow& row) {
  const QString role = nameOfRole(row.role);
  return row.index.empty() ? role
                           : QStringLiteral("%1 %2").arg(role, QString::fromStdString(row.index));
}

Result<DumpTablePtr> readDumpTable(const DocumentPtr& document,
                                   const CaptureOrigin& place,
                                   const QString& run,
                                   const std::stop_token& stop) {
  auto table = std::make_shared<DumpTable>();
  table->document = document;
  table->variant = document->findVariant(run);
  table->unit = ULP_TRY(place.dumps->tensorsOf(place.run, stop));
  table->lines.reserve(table->unit.tensors.size());
  for (const analysis::PlacedTensor& tensor : table->unit.tensors) {
    table->lines.push_back({.tensor = static_cast<std::int32_t>(table->lines.size()),
                            .site = document->findSite(tensor.site.name, tensor.site.pass)});
  }
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    table->formats.at(i) = formatOf(*table, kNumbers.at(i));
  }
  return std::shared_ptr<const DumpTable>(std::move(table));
}

std::vector<DumpColumn> dumpColumns(const DumpTablePtr& table) {
  DumpColumns columns(table);
  columns
      .addText(DumpRowsWords::tr("Call"),
               [](const ShownLine& at) { return QString::fromStdString(at.entry().name); })
      .key = [](const DumpLine& line) { return static_cast<double>(line.tensor); };
  columns.addText(DumpRowsWords::tr("Tensor"),
                  [](const ShownLine& at) { return roleText(at.row()); });
  columns.addNumber(DumpRowsWords::tr("Max"), QStringLiteral("max"), 0);
  columns.addNumber(DumpRowsWords::tr("Min"), QStringLiteral("min"), 1);
  columns.addNumber(DumpRowsWords::tr("Mean"), QStringLiteral("mean"), 2);
  columns.addNumber(DumpRowsWords::tr("Norm"), QStringLiteral("norm"), 3);
  columns.addCount(DumpRowsWords::tr("NaN"),
                   QStringLiteral("nan"),
                   "recorded.nan",
                   DumpRowsWords::tr("Elements that are NaN. ≥ 1: recorded statistics tell that "
                                     "there are some, and not how many."),
                   [](const numerics::NonFiniteCounts& counts) { return counts.nan; });
  columns.addCount(DumpRowsWords::tr("Inf"),
                   QStringLiteral("inf"),
                   "recorded.inf",
                   DumpRowsWords::tr("Infinite elements. ≥ 1: recorded statistics tell that there "
                                     "are some, and not how many."),
                   [](const numerics::NonFiniteCounts& counts) {
                     return counts.positiveInfinity + counts.negativeInfinity;
                   });
  columns
      .addText(DumpRowsWords::tr("Shape"),
               [](const ShownLine& at) { return shapeText(at.row().shape); })
      .key = columns.of([](const ShownLine& at) {
    const std::vector<std::int64_t>& shape = at.row().shape;
    return std::accumulate(shape.begin(), shape.end(), 1.0, [](double count, std::int64_t size) {
      return count * static_cast<double>(size);
    });
  });
  columns.addText(DumpRowsWords::tr("Format"), [](const ShownLine& at) {
    const QString dtype = QString::fromStdString(at.row().dtype);
    const QString prefix = QStringLiteral("torch.");
    return dtype.startsWith(prefix) ? dtype.mid(prefix.size()) : dtype;
  });
  columns
      .addText(DumpRowsWords::tr("Elements"),
               [](const ShownLine& at) {
                 return at.row().hasElements ? DumpRowsWords::tr("recorded") : missingText();
               })
      .roles[DimRole] = [](const DumpLine&) { return true; };
  return columns.take();
}

std::vector<DumpLine> queryDump(const DumpTablePtr& table,
                                const DumpQuery& query,
                                const std::stop_token& stop) {
  const std::vector<DumpColumn> columns = dumpColumns(table);
  const DumpFilter filter(table, columns, query);
  std::vector<DumpLine> lines;
  for (const DumpLine& line : table->lines) {
    if (stop.stop_requested()) {
      return lines;
    }
    if (filter.accepts(line)) {
      lines.push_back(line);
    }
  }
  if (query.sortColumn >= 0 && query.sortColumn < std::ssize(columns)) {
    const DumpColumn& column = columns[static_cast<std::size_t>(query.sortColumn)];
    if (column.key) {
      sortBy(lines, query.order, column.key);
    } else {
      sortBy(lines, query.order, [&column](const DumpLine& line) {
        return column.valueOf(line, Qt::DisplayRole).toString();
      });
    }
  }
  return lines;
}

}  // namespace ulp::views
