#include "core/report/contents/log_probability_data.h"

#include <fmt/format.h>
#include <utility>

#include "core/report/summary/noise_floor.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/tables/number_cell.h"

namespace ulp::report {
namespace {

std::vector<DataColumn> columnsFor(double epsilon) {
  const std::string difference = "difference, nats";
  const std::string line = "over the reference's";
  return {{"variant", "", ""},
          {"tokens", "", ""},
          {"not finite", "", ""},
          {"mean", "", difference},
          {"±", "", difference},
          {"mean of |δ|", "", difference},
          {"RMS", "", difference},
          {"max", "", difference},
          {"RMS rel", "%", difference},
          {fmt::format("above {:g}", epsilon), "%", difference},
          {"KL, estimated", "", difference},
          {"slope", "", line},
          {"correlation", "", line},
          {"RMS left", "", line},
          {"same top token", "%", ""}};
}

std::vector<DataCell> rowOf(std::string name, const LogProbabilityError& error) {
  std::vector<DataCell> row;
  row.emplace_back(std::move(name));
  row.emplace_back(static_cast<double>(error.tokens));
  row.emplace_back(static_cast<double>(error.nonFinite));
  for (const double value : {error.mean,
                             error.interval,
                             error.meanAbsolute,
                             error.rms,
                             error.largest,
                             error.relativeRms * 100,
                             error.shareAbove * 100,
                             error.kl,
                             error.slope,
                             error.correlation,
                             error.residualRms,
                             error.topAgreement() * 100}) {
    row.push_back(numberCell(value));
  }
  return row;
}

}  // namespace

DataTable logProbabilityData(const Report& report, const ExportSelection& selection) {
  DataTable table{"Log-probabilities of the chosen tokens", {}, {}, provenanceLine(report)};
  for (const Run& run : report.runs) {
    const bool isFloor = run.role == RunRole::Floor;
    if (!run.logProbabilities || (!isFloor && !selection.hasVariant(run.name))) {
      continue;
    }
    if (table.columns.empty()) {
      table.columns = columnsFor(run.logProbabilities->epsilon);
    }
    table.rows.push_back(rowOf(isFloor ? floorLabel(run.name) : run.name, *run.logProbabilities));
  }
  return table;
}

}  // namespace ulp::report
