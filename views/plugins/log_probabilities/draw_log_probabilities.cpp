#include "views/plugins/log_probabilities/draw_log_probabilities.h"

#include <algorithm>

#include "views/plugins/log_probabilities/gap_exhibits.h"
#include "views/plugins/log_probabilities/logits_gaps.h"

namespace ulp::views {
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
  return lossesExhibit(gapBaseline(*request.document), std::move(rows));
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

QStringList logProbabilitySubjects() {
  return {gapsId(), differencesId(), tokensId(), lossesId()};
}

QStringList printedLogProbabilities() {
  return {gapsId(), differencesId(), lossesId()};
}

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
