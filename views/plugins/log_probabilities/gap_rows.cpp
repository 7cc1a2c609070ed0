#include "views/plugins/log_probabilities/gap_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"
#include "core/report/tables/data_table.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

struct GapRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::LogProbabilities)
};

/// A number of a row, with what its column says of it.
struct GapFigure {
  QString title;
  QString toolTip;
  QString group;
  bool isPercent = false;
  int decimals = -1;  ///< -1: as many as the column needs
  bool isOfLogits = false;
  double (*value)(const GapRow&) = nullptr;
};

double largestOf(const std::vector<double>& sums) {
  const auto most = std::ranges::max_element(sums, {}, [](double sum) { return std::abs(sum); });
  return most == sums.end() ? std::numeric_limits<double>::quiet_NaN() : *most;
}

std::vector<GapFigure> differenceFigures(double epsilon) {
  const QString group = GapRowsWords::tr("δ of log π, nats");
  return {
      {.title = GapRowsWords::tr("Tokens"),
       .toolTip = GapRowsWords::tr("Tokens that were to be predicted and are finite in both runs"),
       .decimals = 0,
       .value = [](const GapRow& row) { return static_cast<double>(row.gap.tokens); }},
      {.title = GapRowsWords::tr("Not finite"),
       .toolTip = GapRowsWords::tr("Tokens that are not finite in one of the two runs; left out"),
       .decimals = 0,
       .value = [](const GapRow& row) { return static_cast<double>(row.gap.nonFinite); }},
      {.title = GapRowsWords::tr("Mean"),
       .toolTip =
           GapRowsWords::tr("Mean of δ = log π of the run less that of the baseline: the bias"),
       .group = group,
       .value = [](const GapRow& row) { return row.gap.mean; }},
      {.title = QStringLiteral("±"),
       .toolTip =
           GapRowsWords::tr("Half of the 95 % confidence interval of the mean, tokens taken as "
                            "independent"),
       .group = group,
       .value = [](const GapRow& row) { return row.gap.interval; }},
      {.title = GapRowsWords::tr("RMS"),
       .toolTip = GapRowsWords::tr("Square root of the mean of δ²"),
       .group = group,
       .value = [](const GapRow& row) { return row.gap.rms; }},
      {.title = GapRowsWords::tr("Max"),
       .toolTip = GapRowsWords::tr("Largest |δ|"),
       .group = group,
       .value = [](const GapRow& row) { return row.gap.largest; }},
      {.title = GapRowsWords::tr("Above %1, %").arg(epsilon),
       .toolTip = GapRowsWords::tr("Share of tokens with |δ| above ε"),
       .group = group,
       .isPercent = true,
       .value = [](const GapRow& row) { return row.gap.shareAbove; }},
      {.title = GapRowsWords::tr("Largest sum"),
       .toolTip =
           GapRowsWords::tr("Sum of δ over a sequence, that of largest magnitude: what the ratio "
                            "of whole sequences is made of"),
       .group = group,
       .value = [](const GapRow& row) { return row.largestSum; }}};
}

std::vector<GapFigure> relationFigures() {
  const QString line = GapRowsWords::tr("over the baseline's log π");
  const QString vocabulary = GapRowsWords::tr("whole vocabulary");
  return {
      {.title = GapRowsWords::tr("KL, estimated"),
       .toolTip =
           GapRowsWords::tr("Mean of exp(δ) − 1 − δ, nats: an estimate of KL(A ‖ B) where A drew "
                            "the tokens, else a distance (Schulman 2020, k3)"),
       .group = GapRowsWords::tr("δ of log π, nats"),
       .value = [](const GapRow& row) { return row.gap.kl; }},
      {.title = GapRowsWords::tr("Slope"),
       .toolTip =
           GapRowsWords::tr("cov(A, B) / var(A); 1 where the run neither stretches nor shrinks "
                            "the differences of tokens"),
       .group = line,
       .decimals = 4,
       .value = [](const GapRow& row) { return row.gap.slope; }},
      {.title = GapRowsWords::tr("Correlation"),
       .toolTip = GapRowsWords::tr("Of log π of baseline and run"),
       .group = line,
       .decimals = 5,
       .value = [](const GapRow& row) { return row.gap.correlation; }},
      {.title = GapRowsWords::tr("RMS left"),
       .toolTip = GapRowsWords::tr("RMS of log π of the run around that line"),
       .group = line,
       .value = [](const GapRow& row) { return row.gap.residualRms; }},
      {.title = GapRowsWords::tr("Of the errors"),
       .toolTip =
           GapRowsWords::tr("Correlation of the errors of baseline and run against the reference: "
                            "1 where both err alike"),
       .group = line,
       .decimals = 3,
       .value = [](const GapRow& row) { return row.errorCorrelation; }},
      {.title = GapRowsWords::tr("Tokens"),
       .toolTip =
           GapRowsWords::tr("Those whose logits were kept: the last micro-batch of the first "
                            "sample"),
       .group = vocabulary,
       .decimals = 0,
       .isOfLogits = true,
       .value = [](const GapRow& row) { return row.logits.tokens; }},
      {.title = GapRowsWords::tr("KL mean"),
       .toolTip = GapRowsWords::tr("KL(A ‖ B) in nats over the kept logits, mean of the tokens"),
       .group = vocabulary,
       .isOfLogits = true,
       .value = [](const GapRow& row) { return row.logits.meanKl; }},
      {.title = GapRowsWords::tr("KL max"),
       .toolTip = GapRowsWords::tr("KL(A ‖ B) in nats over the kept logits, of the worst token"),
       .group = vocabulary,
       .isOfLogits = true,
       .value = [](const GapRow& row) { return row.logits.largestKl; }},
      {.title = GapRowsWords::tr("Same top, %"),
       .toolTip = GapRowsWords::tr("Share of tokens whose most likely next token is the same"),
       .group = vocabulary,
       .isPercent = true,
       .isOfLogits = true,
       .value = [](const GapRow& row) { return row.logits.topAgreement; }}};
}

double valueOf(const GapFigure& figure, const GapRow& row) {
  return row.problem.isEmpty() || row.isNonFinite ? figure.value(row)
                                                  : std::numeric_limits<double>::quiet_NaN();
}

/// Whether it is NaN because no token is finite; of the logits, whose tokens may be others.
bool isBroken(const GapFigure& figure, const GapRow& row) {
  return std::isnan(valueOf(figure, row)) &&
         (figure.isOfLogits ? row.logits.tokens == 0 : row.isNonFinite);
}

/// Those of which a row has a number; not finite tokens only where there are some.
std::vector<GapFigure> figuresOf(const std::vector<GapRow>& rows, double epsilon) {
  std::vector<GapFigure> all = differenceFigures(epsilon);
  std::ranges::move(relationFigures(), std::back_inserter(all));
  const QString nonFinite = GapRowsWords::tr("Not finite");
  std::erase_if(all, [&](const GapFigure& figure) {
    return std::ranges::none_of(rows, [&](const GapRow& row) {
      const double value = valueOf(figure, row);
      return !std::isnan(value) && (figure.title != nonFinite || value > 0);
    });
  });
  return all;
}

Column<GapRow> nameColumn() {
  return {.title = GapRowsWords::tr("Run"),
          .roles = {{Qt::DisplayRole, &GapRow::name},
                    {VariantRole, &GapRow::style},
                    {DimRole, [](const GapRow& row) { return !row.problem.isEmpty(); }},
                    {Qt::ToolTipRole, [](const GapRow& row) {
                       return row.problem.isEmpty()
                                  ? row.name
                                  : QStringLiteral("%1\n%2").arg(row.name, row.problem);
                     }}}};
}

Column<GapRow> placeColumn(const QString& group) {
  return {
      .title = GapRowsWords::tr("At token"),
      .toolTip = GapRowsWords::tr("Where the largest |δ| is: sequence and position"),
      .group = group,
      .alignment = kNumberAlignment,
      .roles = {{Qt::DisplayRole,
                 [](const GapRow& row) {
                   return row.worstPlace.isEmpty() ? missingText() : row.worstPlace;
                 }},
                {SortRole,
                 [](const GapRow& row) {
                   return row.worstPlace.isEmpty()
                              ? QVariant()
                              : QVariant::fromValue(static_cast<qulonglong>(row.gap.largestPlace));
                 }},
                {RawRole, &GapRow::worstPlace},
                {DimRole, [](const GapRow& row) { return row.worstPlace.isEmpty(); }}}};
}

Column<GapRow> columnOf(const GapFigure& figure, const std::vector<GapRow>& rows) {
  MetricInfo info;
  info.unit = figure.isPercent ? numerics::MetricUnit::Percent : numerics::MetricUnit::None;
  std::vector<double> values;
  values.reserve(rows.size());
  for (const GapRow& row : rows) {
    values.push_back(valueOf(figure, row));
  }
  const ColumnFormat format(values, info);
  const auto value = [figure](const GapRow& row) { return valueOf(figure, row); };
  const auto exact = [info](double number) { return exactText(inUnit(number, info)); };
  Column<GapRow> column{.title = figure.title,
                        .toolTip = figure.toolTip,
                        .group = figure.group,
                        .alignment = kNumberAlignment,
                        .roles = numberRoles<GapRow>(value, {}, exact)};
  const auto isNonFinite = [figure](const GapRow& row) { return isBroken(figure, row); };
  column.roles[Qt::DisplayRole] =
      [value, format, isNonFinite, decimals = figure.decimals](const GapRow& row) {
        const double number = value(row);
        return decimals >= 0 && !std::isnan(number) ? QString::number(number, 'f', decimals)
                                                    : format.text(number, isNonFinite(row));
      };
  // What is missing is empty in a file, and NaN a number.
  column.roles[SortRole] = [value, isNonFinite, percent = figure.isPercent](const GapRow& row) {
    const double number = value(row) * (percent ? 100 : 1);
    return std::isnan(number) && !isNonFinite(row) ? QVariant() : QVariant(number);
  };
  column.roles[Qt::ToolTipRole] = [value, exact](const GapRow& row) {
    return row.problem.isEmpty() ? exact(value(row)) : row.problem;
  };
  column.roles[DimRole] = [value, isNonFinite](const GapRow& row) {
    return std::isnan(value(row)) && !isNonFinite(row);
  };
  column.roles[NonFiniteRole] = isNonFinite;
  return column;
}

}  // namespace

QString placeText(const GapRun& run, std::size_t place) {
  const auto at = static_cast<std::int64_t>(place);
  const std::int64_t length = run.values.length;
  return run.values.sequences == 1 ? QString::number(at)
                                   : QStringLiteral("%1, %2").arg(at / length).arg(at % length);
}

std::vector<GapRow> makeGapRows(const GapData& data, const std::vector<LogitsGap>& logits) {
  std::vector<GapRow> rows;
  for (std::size_t i = 0; i < data.runs.size(); ++i) {
    const GapRun& run = data.runs[i];
    GapRow row{.name = run.name, .style = run.style, .problem = run.problem};
    if (run.gap) {
      row.gap = *run.gap;
      if (run.gap->largest > 0) {
        row.worstPlace = placeText(run, run.gap->largestPlace);
      }
      row.largestSum = largestOf(run.gap->sums);
      row.errorCorrelation = run.errorCorrelation;
    }
    if (run.notFinite) {
      static_cast<report::LogProbabilityError&>(row.gap) = *run.notFinite;
      row.isNonFinite = report::isNoneFinite(row.gap);
      row.problem = GapRowsWords::tr("None of %n token(s) is finite both here and in %1.",
                                     nullptr,
                                     static_cast<int>(row.gap.nonFinite))
                        .arg(run.baseline->name);
    }
    if (i < logits.size()) {
      row.logits = logits[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Column<GapRow>> gapColumns(const std::vector<GapRow>& rows, double epsilon) {
  std::vector<Column<GapRow>> columns{nameColumn()};
  const QString largest = GapRowsWords::tr("Max");
  for (const GapFigure& figure : figuresOf(rows, epsilon)) {
    columns.push_back(columnOf(figure, rows));
    if (figure.title == largest) {
      columns.push_back(placeColumn(figure.group));
    }
  }
  return columns;
}

report::DataTable gapData(const QString& title, const std::vector<GapRow>& rows, double epsilon) {
  std::vector<Column<GapRow>> columns{nameColumn(), placeColumn({})};
  // As data the place is a text in every row, also where there is none.
  columns.back().roles.erase(SortRole);
  for (const GapFigure& figure : figuresOf(rows, epsilon)) {
    columns.push_back(columnOf(figure, rows));
  }
  return dataOf(title, columns, rows);
}

QString gapHeadline(const GapData& data, const std::vector<GapRow>& rows, double epsilon) {
  const GapRow* farthest = nullptr;
  QStringList broken;
  for (const GapRow& row : rows) {
    if (row.problem.isEmpty() && (farthest == nullptr || row.gap.rms > farthest->gap.rms)) {
      farthest = &row;
    }
    if (row.isNonFinite) {
      broken << row.name;
    }
  }
  QStringList sentences;
  if (!broken.isEmpty()) {
    sentences << GapRowsWords::tr("No token is finite both in %1 and in %2.")
                     .arg(broken.join(QStringLiteral(", ")), data.baselineNames());
  }
  if (farthest == nullptr) {
    return sentences.join(QLatin1Char(' '));
  }
  const QString& baseline =
      data.runs[static_cast<std::size_t>(farthest - rows.data())].baseline->name;
  if (farthest->gap.largest == 0) {
    sentences << GapRowsWords::tr("Every finite log-probability equals that of %1").arg(baseline);
  } else {
    const QString pattern =
        broken.isEmpty()
            ? GapRowsWords::tr(
                  "%1 is farthest from %2: δ has an RMS of %3 nats, %4 % of the tokens are above "
                  "%5, the largest is %6 at token %7")
            : GapRowsWords::tr(
                  "Of the others %1 is farthest from %2: δ has an RMS of %3 nats, %4 % of the "
                  "tokens are above %5, the largest is %6 at token %7");
    sentences << pattern.arg(farthest->name,
                             baseline,
                             QString::fromStdString(formatSignificant(farthest->gap.rms)),
                             QString::fromStdString(formatPercent(farthest->gap.shareAbove)),
                             QString::number(epsilon),
                             QString::fromStdString(formatSignificant(farthest->gap.largest)),
                             farthest->worstPlace);
  }
  return sentences.join(QLatin1Char(' '));
}

}  // namespace ulp::views
