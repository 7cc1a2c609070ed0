#include "views/plugins/levers/effect_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"
#include "core/base/undefined.h"
#include "core/report/summary/summary.h"
#include "core/report/tables/data_table.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/term_text.h"
#include "views/plugins/levers/parallel_axes.h"

namespace ulp::views {
namespace {

struct EffectRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Levers)
};

/// How far an effect is from none.
double strengthOf(double effect, bool isRatio) {
  const double change = isRatio ? std::log(effect) : effect;
  return std::isnan(change) ? -1 : std::abs(change);
}

/// An infinite error is as little a number as NaN; equal tensors have infinitely many decibels.
bool isBrokenError(const report::SummaryCell& cell, bool isRatio) {
  return cell.nonFinite > 0 || (isRatio && std::isinf(cell.value));
}

/// The errors of a pair in a column: before, after.
using ErrorPair = std::pair<const report::SummaryCell&, const report::SummaryCell&>;

EffectSize sizeOfPair(const ErrorPair& pair, bool isRatio) {
  const auto& [before, after] = pair;
  const double effect = isRatio ? after.value / before.value : after.value - before.value;
  const bool isSame = before.value == after.value;
  // fmax() passes over what is undefined.
  return {.broken = isBrokenError(before, isRatio) != isBrokenError(after, isRatio) ? 1 : 0,
          .strength = isSame ? 0 : std::max(0.0, strengthOf(effect, isRatio)),
          .reach = std::fmax(0, std::fmax(before.value, after.value))};
}

/// The pair of a move that changes most.
ErrorPair tellingPair(const analysis::LeverTable& table,
                      const analysis::LeverMove& move,
                      std::size_t column) {
  const auto cells = [&](const std::pair<std::size_t, std::size_t>& pair) {
    return ErrorPair(table.errors[pair.first][column], table.errors[pair.second][column]);
  };
  const auto sizeOf = [&](const std::pair<std::size_t, std::size_t>& pair) {
    return sizeOfPair(cells(pair), table.isRatio);
  };
  return cells(*std::ranges::max_element(move.pairs, std::less(), sizeOf));
}

EffectSize effectSizeAt(const analysis::LeverTable& table,
                        const analysis::LeverMove& move,
                        std::size_t column) {
  EffectSize size = sizeOfPair(tellingPair(table, move, column), table.isRatio);
  size.strength = std::max(0.0, strengthOf(move.cells[column].effect, table.isRatio));
  return size;
}

/// NaN: the column has a factor, or nothing.
double errorFromZero(const analysis::LeverTable& table,
                     const analysis::LeverMove& move,
                     std::size_t column) {
  const double effect = move.cells[column].effect;
  return table.isRatio && std::isinf(effect) ? tellingPair(table, move, column).second.value
                                             : kUndefined;
}

/// Fills in where a row changes most, and how much.
void measureEffect(EffectRow& row, const analysis::LeverTable& table) {
  int broken = 0;
  for (std::size_t i = 0; i < row.move.cells.size() && !row.move.pairs.empty(); ++i) {
    // The loss is one number, whose error may be near zero by chance.
    if (report::summaryColumns()[i].id == "forward.loss") {
      continue;
    }
    const EffectSize size = effectSizeAt(table, row.move, i);
    broken += size.broken;
    // Of columns that stop being finite the first one counts.
    const bool isChange = size.broken > 0 || size.strength > 0;
    if (isChange && row.size.broken == 0 && size > row.size) {
      row.size = size;
      row.strongest = static_cast<int>(i);
    }
  }
  row.size.broken = broken;
}

QString effectAt(const EffectRow& row, std::size_t column, bool isRatio, const MetricInfo& metric) {
  const double error = row.fromZero[column];
  return std::isnan(error) ? effectText(row.move.cells[column].effect, isRatio, metric)
                           : QStringLiteral("0 → %1").arg(metricTextWithUnit(error, metric));
}

QString toolTipOf(const EffectRow& row,
                  std::size_t column,
                  bool isRatio,
                  const MetricInfo& metric) {
  const analysis::LeverCell& cell = row.move.cells[column];
  QString text = cell.pairs == 0
                     ? EffectRowsWords::tr("No pair of variants has numbers here.")
                     : EffectRowsWords::tr("%1 → %2, every other setting kept: %3")
                           .arg(row.from, row.to, effectAt(row, column, isRatio, metric));
  if (cell.pairs > 1) {
    text += QLatin1Char('\n') +
            EffectRowsWords::tr("Between %1 and %2 over %3 pairs of variants")
                .arg(effectText(cell.low, isRatio, metric), effectText(cell.high, isRatio, metric))
                .arg(cell.pairs);
  }
  if (cell.nonFinite > 0) {
    text += QLatin1Char('\n') +
            EffectRowsWords::tr("Pairs in which a side has elements that are not finite: %1")
                .arg(cell.nonFinite);
  }
  return text;
}

QVariant effectCell(
    const EffectRow& row, std::size_t column, int role, bool isRatio, const MetricInfo& metric) {
  const analysis::LeverCell& cell = row.move.cells[column];
  switch (role) {
    case Qt::DisplayRole: {
      const QString text = effectAt(row, column, isRatio, metric);
      return cell.nonFinite == 0
                 ? text
                 : QStringLiteral("%1 %2").arg(severityGlyph(Severity::Broken), text);
    }
    case SortRole:
      return cell.effect;
    case RawRole:
      return exactText(isRatio ? cell.effect : inUnit(cell.effect, metric));
    case Qt::ToolTipRole:
      return toolTipOf(row, column, isRatio, metric);
    case DimRole:
      return cell.pairs == 0 && cell.nonFinite == 0;
    case NonFiniteRole:
      return cell.nonFinite > 0;
    case EmphasisRole:
      return row.strongest == static_cast<int>(column);
    default:
      return {};
  }
}

Column<EffectRow> textColumn(const QString& title, QString EffectRow::*text) {
  return {.title = title, .roles = textRoles<EffectRow>(text)};
}

QString passInSentence(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return EffectRowsWords::tr("forward");
    case Pass::Backward:
      return EffectRowsWords::tr("backward");
    case Pass::ParameterGradient:
      return EffectRowsWords::tr("parameter gradients");
    case Pass::Optimizer:
      break;
  }
  return EffectRowsWords::tr("optimizer");
}

std::vector<std::size_t> shownEffects(const std::vector<EffectRow>& rows) {
  const auto& columns = report::summaryColumns();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool hasNumber = std::ranges::any_of(rows, [i](const EffectRow& row) {
      return row.move.cells[i].pairs > 0 || row.move.cells[i].nonFinite > 0;
    });
    if (hasNumber || !isOfParameters(columns[i].pass)) {
      shown.push_back(i);
    }
  }
  return shown;
}

}  // namespace

std::vector<EffectRow> makeEffectRows(const analysis::LeverTable& table) {
  std::vector<EffectRow> rows;
  for (const analysis::LeverMove& move : table.moves) {
    const analysis::Lever& lever = table.levers[move.lever];
    const auto value = [&](int place) {
      return QString::fromStdString(lever.values[static_cast<std::size_t>(place)]);
    };
    rows.push_back({.lever = QString::fromStdString(lever.key),
                    .from = value(move.from),
                    .to = value(move.to),
                    .move = move});
    for (std::size_t i = 0; i < move.cells.size(); ++i) {
      rows.back().fromZero.push_back(errorFromZero(table, move, i));
    }
    measureEffect(rows.back(), table);
  }
  return rows;
}

QString effectText(double effect, bool isRatio, const MetricInfo& metric) {
  if (std::isnan(effect)) {
    return missingText();
  }
  if (isRatio) {
    return QStringLiteral("× %1").arg(QString::fromStdString(formatSignificant(effect)));
  }
  const double inUnits = inUnit(effect, metric);
  const QString number = QString::fromStdString(formatSignificant(inUnits));
  const QString unit = unitText(metric.unit);
  return (inUnits > 0 ? QStringLiteral("+") : QString()) + number +
         (unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
}

std::vector<Column<EffectRow>> effectColumns(bool isRatio,
                                             const MetricInfo& metric,
                                             const std::vector<EffectRow>& rows) {
  std::vector<Column<EffectRow>> columns{
      {.title = EffectRowsWords::tr("Setting"),
       .toolTip = EffectRowsWords::tr("A setting that alone was moved, with those that follow it"),
       .roles = textRoles<EffectRow>(&EffectRow::lever)},
      textColumn(EffectRowsWords::tr("From"), &EffectRow::from),
      textColumn(EffectRowsWords::tr("To"), &EffectRow::to)};
  columns.push_back(
      {.title = EffectRowsWords::tr("Pairs"),
       .toolTip = EffectRowsWords::tr("Pairs of variants that differ in this setting alone"),
       .alignment = kNumberAlignment,
       .roles = {{Qt::DisplayRole, [](const EffectRow& row) {
                    return static_cast<qulonglong>(row.move.pairs.size());
                  }}}});
  const auto& summary = report::summaryColumns();
  for (const std::size_t i : shownEffects(rows)) {
    const QString what = isRatio ? EffectRowsWords::tr("%1 after over before").arg(metric.label)
                                 : EffectRowsWords::tr("change of %1").arg(metric.label);
    columns.push_back({.title = summaryTitle(summary[i]),
                       .toolTip = metricHelp(metric),
                       .group = QStringLiteral("%1 · %2").arg(passName(summary[i].pass), what),
                       .alignment = kNumberAlignment,
                       .cell = [i, isRatio, metric](const EffectRow& row, int role) {
                         return effectCell(row, i, role, isRatio, metric);
                       }});
  }
  return columns;
}

report::DataTable effectData(const QString& title,
                             bool isRatio,
                             const MetricInfo& metric,
                             const std::vector<EffectRow>& rows) {
  report::DataTable data{.title = title.toStdString()};
  for (const QString& name : {EffectRowsWords::tr("Setting"),
                              EffectRowsWords::tr("From"),
                              EffectRowsWords::tr("To"),
                              EffectRowsWords::tr("Pairs")}) {
    data.columns.push_back({.title = name.toStdString()});
  }
  const std::vector<std::size_t> shown = shownEffects(rows);
  for (const std::size_t i : shown) {
    data.columns.push_back(
        summaryDataColumn(i, isRatio ? QStringLiteral("×") : unitText(metric.unit)));
  }
  for (const EffectRow& row : rows) {
    std::vector<report::DataCell> line{row.lever.toStdString(),
                                       row.from.toStdString(),
                                       row.to.toStdString(),
                                       static_cast<double>(row.move.pairs.size())};
    for (const std::size_t i : shown) {
      const analysis::LeverCell& cell = row.move.cells[i];
      line.push_back(report::numberCell(isRatio ? cell.effect : inUnit(cell.effect, metric)));
    }
    data.rows.push_back(std::move(line));
  }
  return data;
}

QString effectHeadline(const analysis::LeverTable& table,
                       const std::vector<EffectRow>& rows,
                       const MetricInfo& metric) {
  const auto best = std::ranges::max_element(rows, std::less(), &EffectRow::size);
  if (best == rows.end() || best->strongest < 0) {
    return {};
  }
  const auto column = static_cast<std::size_t>(best->strongest);
  const report::SummaryColumn& where = report::summaryColumns()[column];
  const QString place = summaryTitle(where);
  const QString pass = passInSentence(where.pass);
  const auto& [before, after] = tellingPair(table, best->move, column);
  if (best->size.broken > 0) {
    const QString text =
        isBrokenError(after, table.isRatio)
            ? EffectRowsWords::tr("%1 from %2 to %3 changes most: not finite any more at %4, %5")
            : EffectRowsWords::tr("%1 from %2 to %3 changes most: finite again at %4, %5");
    return text.arg(best->lever, best->from, best->to, place, pass);
  }
  if (std::isinf(best->size.strength)) {
    const auto error = [&metric](double value) {
      return value == 0 ? QStringLiteral("0") : metricTextWithUnit(value, metric);
    };
    return EffectRowsWords::tr("%1 from %2 to %3 changes most: %4 from %5 to %6 at %7, %8")
        .arg(best->lever,
             best->from,
             best->to,
             metric.label,
             error(before.value),
             error(after.value),
             place,
             pass);
  }
  return EffectRowsWords::tr("%1 from %2 to %3 changes most: %4 %5 at %6, %7")
      .arg(best->lever,
           best->from,
           best->to,
           metric.label,
           effectText(best->move.cells[column].effect, table.isRatio, metric),
           place,
           pass);
}

}  // namespace ulp::views
