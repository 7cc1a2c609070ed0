#include "views/plugins/log_probabilities/token_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"
#include "core/report/model/token_texts.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

constexpr std::int64_t kContextTokens = 24;

struct TokenRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::LogProbabilities)
};

QString tokenText(const GapBaseline& baseline, std::int64_t sequence, std::int64_t position) {
  if (!baseline.tokens) {
    return {};
  }
  const std::int64_t id = baseline.tokens->predicted(sequence, position);
  const QString text = visibleText(baseline.tokens->textOf(id));
  return text.isEmpty() ? QStringLiteral("#%1").arg(id) : text;
}

/// Larger is worse; what is not finite is worse than all numbers.
double badness(const TokenRow& row) {
  return std::isfinite(row.difference) ? std::abs(row.difference)
                                       : std::numeric_limits<double>::infinity();
}

Column<TokenRow> integerColumn(const QString& title,
                               const QString& toolTip,
                               std::int64_t TokenRow::*member) {
  return {.title = title,
          .toolTip = toolTip,
          .alignment = kNumberAlignment,
          .roles = {{Qt::DisplayRole, [member](const TokenRow& row) {
                       return QVariant(static_cast<qlonglong>(row.*member));
                     }}}};
}

/// Log-probabilities with enough decimals to see where a difference comes from.
QString logText(double value) {
  constexpr int kDecimals = 4;
  return QString::number(value, 'f', kDecimals);
}

Column<TokenRow> numberColumn(const QString& title,
                              const QString& toolTip,
                              double TokenRow::*member,
                              const std::function<QString(double)>& textOf) {
  const auto exact = [](double value) { return QString::fromStdString(formatExact(value)); };
  const auto shown = [textOf, exact](double value) {
    return std::isfinite(value) ? textOf(value) : exact(value);
  };
  Column<TokenRow> column{.title = title,
                          .toolTip = toolTip,
                          .alignment = kNumberAlignment,
                          .roles = numberRoles<TokenRow>(member, shown, exact)};
  column.roles[NonFiniteRole] = [member](const TokenRow& row) {
    return !std::isfinite(row.*member);
  };
  return column;
}

Column<TokenRow> textColumn(const GapBaselinePtr& baseline) {
  return {
      .title = TokenRowsWords::tr("Token"),
      .toolTip = TokenRowsWords::tr("The token that was to be predicted; the tool tip has the text "
                                    "before it"),
      .roles = {
          {Qt::DisplayRole,
           [](const TokenRow& row) { return row.text.isEmpty() ? missingText() : row.text; }},
          {SortRole, &TokenRow::text},
          {RawRole, &TokenRow::text},
          {Qt::ToolTipRole, [baseline](const TokenRow& row) { return contextOf(*baseline, row); }},
          {DimRole, [](const TokenRow& row) { return row.text.isEmpty(); }}}};
}

ColumnFormat formatOf(const std::vector<double>& values, const std::vector<std::uint8_t>& counts) {
  ColumnSpread spread;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (counts[i] != 0) {
      spread.add(values[i]);
    }
  }
  return {spread, MetricInfo{}};
}

bool isMissing(std::int64_t /*value*/) {
  return false;
}
bool isMissing(double value) {
  return std::isnan(value);
}
bool isMissing(const QString& text) {
  return text.isEmpty();
}

template <auto Key>
TokenRows sortedBy(const TokenRows& rows, Qt::SortOrder order) {
  std::vector<TokenRow> sorted = *rows;
  std::ranges::stable_sort(sorted, [order](const TokenRow& left, const TokenRow& right) {
    const auto& a = left.*Key;
    const auto& b = right.*Key;
    if (isMissing(a) || isMissing(b)) {
      return !isMissing(a) && isMissing(b);
    }
    return order == Qt::AscendingOrder ? a < b : b < a;
  });
  return std::make_shared<const std::vector<TokenRow>>(std::move(sorted));
}

}  // namespace

QString visibleText(const std::string& text) {
  return QString::fromStdString(report::shownToken(text));
}

QString contextOf(const GapBaseline& baseline, const TokenRow& row) {
  const std::optional<report::TokenTexts>& tokens = baseline.tokens;
  if (!tokens || tokens->texts.empty()) {
    return {};
  }
  QString text;
  const std::int64_t first = std::max<std::int64_t>(-1, row.position - kContextTokens);
  for (std::int64_t at = first; at < row.position; ++at) {
    text += visibleText(tokens->textOf(tokens->predicted(row.sequence, at)));
  }
  const QString before = first > -1 ? QStringLiteral("…") + text : text;
  return QStringLiteral("%1 → %2").arg(before, row.text);
}

TokenOrders makeTokenRows(const GapData& data, std::size_t run) {
  const GapRun& compared = data.runs[run];
  const report::LogProbabilities& baseline = compared.baseline->values;
  std::vector<TokenRow> rows;
  for (std::size_t place = 0; place < compared.values.values.size(); ++place) {
    if (baseline.isLabel[place] == 0) {
      continue;
    }
    const auto at = static_cast<std::int64_t>(place);
    TokenRow row{.place = place,
                 .sequence = at / baseline.length,
                 .position = at % baseline.length,
                 .baseline = baseline.values[place],
                 .run = compared.values.values[place],
                 .difference = compared.differences[place],
                 .isWorst = compared.gap->largest > 0 && place == compared.gap->largestPlace};
    row.text = tokenText(*compared.baseline, row.sequence, row.position);
    rows.push_back(std::move(row));
  }
  std::vector<TokenRow> sorted = rows;
  std::ranges::stable_sort(sorted, std::greater<>(), badness);
  return {.natural = std::make_shared<const std::vector<TokenRow>>(std::move(rows)),
          .worstFirst = std::make_shared<const std::vector<TokenRow>>(std::move(sorted))};
}

std::vector<TokenSort> tokenSorts(const GapBaseline& baseline) {
  std::vector<TokenSort> sorts{sortedBy<&TokenRow::position>,
                               sortedBy<&TokenRow::text>,
                               sortedBy<&TokenRow::difference>,
                               sortedBy<&TokenRow::baseline>,
                               sortedBy<&TokenRow::run>};
  if (baseline.values.sequences > 1) {
    sorts.insert(sorts.begin(), sortedBy<&TokenRow::sequence>);
  }
  return sorts;
}

std::vector<Column<TokenRow>> tokenColumns(const GapRun& compared) {
  const GapBaseline& baseline = *compared.baseline;
  const std::vector<std::uint8_t>& labels = baseline.values.isLabel;
  std::vector<Column<TokenRow>> columns;
  if (baseline.values.sequences > 1) {
    columns.push_back(integerColumn(TokenRowsWords::tr("Sequence"), {}, &TokenRow::sequence));
  }
  columns.push_back(integerColumn(
      TokenRowsWords::tr("Position"),
      TokenRowsWords::tr("Of the logits that predict the token, which itself stands one further"),
      &TokenRow::position));
  columns.push_back(textColumn(compared.baseline));
  columns.push_back(numberColumn(
      QStringLiteral("δ"),
      TokenRowsWords::tr("log π of %1 less that of %2, nats").arg(compared.name, baseline.name),
      &TokenRow::difference,
      [format = formatOf(compared.differences, labels)](double value) {
        return format.text(value);
      }));
  columns.back().roles[EmphasisRole] = &TokenRow::isWorst;
  columns.push_back(numberColumn(
      TokenRowsWords::tr("log π, A"),
      TokenRowsWords::tr("Log-probability of the token in %1, nats").arg(baseline.name),
      &TokenRow::baseline,
      logText));
  columns.push_back(numberColumn(
      TokenRowsWords::tr("log π, B"),
      TokenRowsWords::tr("Log-probability of the token in %1, nats").arg(compared.name),
      &TokenRow::run,
      logText));
  return columns;
}

report::DataTable tokenData(const QString& title,
                            const GapData& data,
                            std::size_t run,
                            const std::vector<TokenRow>& rows) {
  const std::string a = data.runs[run].baseline->name.toStdString();
  const std::string b = data.runs[run].name.toStdString();
  report::DataTable table{.title = title.toStdString(),
                          .columns = {{.title = TokenRowsWords::tr("Sequence").toStdString()},
                                      {.title = TokenRowsWords::tr("Position").toStdString()},
                                      {.title = TokenRowsWords::tr("Token").toStdString()},
                                      {.title = "δ"},
                                      {.title = "log π, " + a},
                                      {.title = "log π, " + b}}};
  for (const TokenRow& row : rows) {
    table.rows.push_back({static_cast<double>(row.sequence),
                          static_cast<double>(row.position),
                          row.text.toStdString(),
                          row.difference,
                          row.baseline,
                          row.run});
  }
  return table;
}

}  // namespace ulp::views
