#include "views/plugins/log_probabilities/gap_exhibits.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

constexpr QSizeF kGapChartSize(900, 420);

struct GapExhibitsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::LogProbabilities)
};

/// Few tokens in many bins are a comb, many in few bins a block.
std::size_t binsFor(std::size_t tokens) {
  constexpr double kFewest = 12;
  constexpr double kMost = 100;
  const double wanted = 3 * std::sqrt(static_cast<double>(tokens));
  return static_cast<std::size_t>(std::clamp(wanted, kFewest, kMost));
}

report::DataTable binTable(const QString& title, const charts::HistogramData& histogram) {
  report::DataTable table{.title = title.toStdString()};
  table.columns.push_back({.title = GapExhibitsWords::tr("From, nats").toStdString()});
  table.columns.push_back({.title = GapExhibitsWords::tr("To, nats").toStdString()});
  for (const charts::HistogramSet& set : histogram.sets) {
    table.columns.push_back(
        {.title = set.name.toStdString(), .group = histogram.countTitle.toStdString()});
  }
  for (std::size_t bin = 0; bin < histogram.bins.bins(); ++bin) {
    std::vector<report::DataCell> row{histogram.bins.edge(bin), histogram.bins.edge(bin + 1)};
    for (const std::vector<std::uint64_t>& counts : histogram.bins.counts) {
      row.emplace_back(static_cast<double>(counts[bin]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

QString gapsId() {
  return QStringLiteral("log-probabilities");
}
QString differencesId() {
  return QStringLiteral("log-probability-differences");
}
QString tokensId() {
  return QStringLiteral("log-probability-tokens");
}
QString lossesId() {
  return QStringLiteral("losses");
}

std::vector<std::size_t> comparedRuns(const GapData& data) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < data.runs.size(); ++i) {
    if (data.runs[i].gap) {
      places.push_back(i);
    }
  }
  return places;
}

charts::HistogramData differenceHistogramOf(const GapData& data,
                                            const std::vector<std::size_t>& runs,
                                            std::optional<std::size_t> current,
                                            bool isLogarithmic) {
  std::vector<std::span<const double>> sets;
  charts::HistogramData histogram;
  for (const std::size_t place : runs) {
    const GapRun& run = data.runs[place];
    sets.emplace_back(run.differences);
    histogram.sets.push_back({.name = run.name, .style = run.style, .isCurrent = place == current});
  }
  histogram.bins = analysis::differenceHistogram(sets, binsFor(data.baseline->values.labels()));
  histogram.quantity =
      GapExhibitsWords::tr("δ = log π − log π of %1, nats").arg(data.baselineNames());
  histogram.countTitle = GapExhibitsWords::tr("Tokens");
  histogram.isLogarithmic = isLogarithmic;
  return histogram;
}

Exhibit gapsExhibit(const GapData& data, std::vector<GapRow> rows, double epsilon) {
  const QString title =
      GapExhibitsWords::tr("Log-probabilities against %1").arg(data.baselineNames());
  return {
      .id = gapsId(),
      .title = title,
      .table = [title, epsilon, rows = std::move(rows)] { return gapData(title, rows, epsilon); },
      .isTableThreadSafe = true};
}

Exhibit differencesExhibit(const GapData& data,
                           charts::HistogramData histogram,
                           const charts::HistogramExtent& seen) {
  const QString title =
      GapExhibitsWords::tr("Differences of log-probabilities against %1").arg(data.baselineNames());
  const auto kept = std::make_shared<const charts::HistogramData>(std::move(histogram));
  return {.id = differencesId(),
          .title = title,
          .size = kGapChartSize,
          .paint =
              [kept, seen](QPainter& painter, const QRectF& area, const Theme& theme) {
                charts::paintHistogram(painter, area, *kept, seen, theme);
              },
          .table = [title, kept] { return binTable(title, *kept); },
          .isTableThreadSafe = true};
}

Exhibit tokensExhibit(const GapDataPtr& data, std::size_t run, TokenRows rows) {
  const QString title = GapExhibitsWords::tr("Log-probabilities by token: %1 against %2")
                            .arg(data->runs[run].name, data->runs[run].baseline->name);
  return {.id = tokensId(),
          .title = title,
          .table =
              [title, data, run, rows = std::move(rows)] {
                return tokenData(title, *data, run, *rows);
              },
          .isTableThreadSafe = true};
}

Exhibit lossesExhibit(const QString& baseline, std::vector<LossRow> rows) {
  const QString title = GapExhibitsWords::tr("Losses and clip decisions against %1").arg(baseline);
  return {.id = lossesId(),
          .title = title,
          .table =
              [title, rows = std::move(rows)] {
                report::DataTable table = dataOf(title, lossColumns(), rows);
                for (report::DataColumn& column : table.columns) {
                  // Shares stay as they are.
                  column.digits = &column == &table.columns.back() ? 0 : kLossDigits;
                }
                return table;
              },
          .isTableThreadSafe = true};
}

namespace {

QStringList chosenRuns(const report::Report& report) {
  QStringList names;
  for (const report::Run& run : report.runs) {
    names << QString::fromStdString(run.name);
  }
  return names;
}

Result<Exhibit> drawLosses(const DrawRequest& request) {
  const bool isKnown = std::ranges::any_of(
      request.chosen->runs, [](const report::Run& run) { return !run.step.terms.empty(); });
  std::vector<LossRow> rows = makeLossRows(*request.document, chosenRuns(*request.chosen));
  if (!isKnown || rows.empty()) {
    return fail(ErrorCode::NotFound, "the report has no finished variant with terms of a loss");
  }
  return lossesExhibit(request.document->baselineNames().join(QStringLiteral(", ")),
                       std::move(rows));
}

Result<Exhibit> drawGaps(const GapDataPtr& data, double epsilon) {
  std::vector<LogitsGap> logits(data->runs.size());
  if (mayHaveLogits(*data)) {
    ULP_TRY(readLogitsGaps(
        data, {}, [&](const PlacedLogitsGap& gap) { logits[gap.first] = gap.second; }));
  }
  return gapsExhibit(*data, makeGapRows(*data, logits), epsilon);
}

}  // namespace

Result<Exhibit> drawLogProbabilities(const DrawRequest& request) {
  if (request.what == lossesId()) {
    return drawLosses(request);
  }
  const GapRequest wanted{.document = request.document, .chosen = chosenRuns(*request.chosen)};
  const auto data = ULP_TRY(readGaps(wanted, {}));
  const std::vector<std::size_t> compared = comparedRuns(*data);
  if (compared.empty()) {
    return fail(ErrorCode::NotFound, "the report has no run to compare with its baseline");
  }
  const std::size_t farthest = *std::ranges::max_element(
      compared, {}, [&](std::size_t place) { return data->runs[place].gap->rms; });
  if (request.what == differencesId()) {
    const charts::HistogramData histogram = differenceHistogramOf(*data, compared, farthest, true);
    return differencesExhibit(*data, histogram, charts::extentOf(histogram));
  }
  if (request.what == tokensId()) {
    return tokensExhibit(data, farthest, makeTokenRows(*data, farthest).worstFirst);
  }
  return drawGaps(data, wanted.epsilon);
}

}  // namespace ulp::views
