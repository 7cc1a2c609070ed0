#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "core/compat/comparator.h"
#include "core/compat/msit/comparison.h"
#include "core/compat/msit/operation_mapping.h"
#include "core/compat/msit/report_table.h"
#include "core/compat/msit/side.h"
#include "core/compat/msit/statistics_report.h"
#include "core/dumps/msit/pairing.h"

namespace ulp::compat {

namespace {

using dumps::msit::Level;
using dumps::msit::NodePair;
using dumps::msit::OperationMapping;
using Levels = std::vector<std::pair<std::string, Level>>;
using Sheets = std::vector<std::pair<std::string, std::vector<msit::ReportRow>>>;

/// In the place of a level: numbers that were dumped instead of tensors.
constexpr std::string_view kStatistics = "statistics";

constexpr std::array<std::pair<std::string_view, Level>, 5> kLevels{{{"layer", Level::Layer},
                                                                     {"module", Level::Module},
                                                                     {"api", Level::Api},
                                                                     {"logits", Level::Api},
                                                                     {kStatistics, Level::Api}}};

/// What is to be compared, and how.
struct Task {
  msit::Side golden;
  msit::Side my;
  Levels levels;
  OperationMapping mapping;
};

/// Without a name, msit compares at all of them and writes a workbook.
Result<Levels> levelsOf(const CompareRequest& request) {
  Levels levels;
  for (const auto& [known, level] : kLevels) {
    if (request.level == known ||
        (request.level.empty() && known != "logits" && known != kStatistics)) {
      levels.emplace_back(known, level);
    }
  }
  if (levels.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("level '{}': msit knows layer, module, api and logits, and statistics",
                            request.level));
  }
  if (request.isSpreadsheet && !request.level.empty()) {
    return fail(ErrorCode::InvalidArgument,
                "msit writes a workbook for all levels only; leave out the level or the workbook");
  }
  return levels;
}

Result<Task> taskOf(const CompareRequest& request) {
  Task task;
  task.levels = ULP_TRY(levelsOf(request));
  task.mapping = ULP_TRY(msit::operationMapping(request.dataMapping));
  task.golden = ULP_TRY(msit::openSide(request.golden));
  task.my = ULP_TRY(msit::openSide(request.target));
  return task;
}

Result<Sheets> compareAll(const Task& task,
                          msit::ReportRun& run,
                          const std::stop_token& stop,
                          const dumps::Progress& progress) {
  Sheets sheets;
  for (const auto& [name, level] : task.levels) {
    const std::vector<NodePair> pairs = dumps::msit::pairUp(
        task.golden.process.models, task.my.process.models, level, task.my.isAtb, task.mapping);
    std::vector<msit::ReportRow> rows = ULP_TRY(run.compare(pairs, stop, progress));
    sheets.emplace_back(name, std::move(rows));
  }
  return sheets;
}

Result<> writeSheets(const CompareRequest& request, const Sheets& sheets, CompareOutcome& outcome) {
  const std::string name = "msit_cmp_report_" + timestampOf(request, std::chrono::hours(0));
  if (!request.level.empty()) {
    return writeResult(
        request.output / (name + ".csv"), msit::reportCsv(sheets.front().second), outcome);
  }
  const std::string book = ULP_TRY(msit::reportXlsx(sheets));
  return writeResult(request.output / (name + ".xlsx"), book, outcome);
}

Result<CompareOutcome> compareStatistics(const CompareRequest& request,
                                         const Task& task,
                                         const std::vector<msit::TokenPair>& tokens,
                                         const std::stop_token& stop) {
  CompareOutcome outcome;
  const std::vector<NodePair> pairs = dumps::msit::pairUp(
      task.golden.process.models, task.my.process.models, Level::Api, true, task.mapping);
  const std::string text =
      ULP_TRY(msit::statisticsCsv(task.golden, task.my, tokens, pairs, outcome.failures, stop));
  const std::string name =
      "statstics_cmp_report_" + timestampOf(request, std::chrono::hours(0)) + ".csv";
  ULP_TRY(writeResult(request.output / name, text, outcome));
  return outcome;
}

Result<CompareOutcome> compareMsit(const CompareRequest& request,
                                   const std::stop_token& stop,
                                   const dumps::Progress& progress) {
  const Task task = ULP_TRY(taskOf(request));
  std::vector<msit::TokenPair> tokens = ULP_TRY(msit::commonTokens(task.golden, task.my));
  if (request.level == kStatistics) {
    return compareStatistics(request, task, tokens, stop);
  }
  msit::ReportRun run(task.golden, task.my, std::move(tokens));
  const Sheets sheets = ULP_TRY(compareAll(task, run, stop, progress));
  const bool isEmpty =
      std::ranges::all_of(sheets, [](const auto& sheet) { return sheet.second.empty(); });
  if (isEmpty && !run.failures().empty()) {
    return tl::unexpected<Error>(asOneError(run.failures()));
  }
  CompareOutcome outcome{.files = {}, .notes = {}, .failures = run.failures()};
  ULP_TRY(writeSheets(request, sheets, outcome));
  return outcome;
}

}  // namespace

void registerMsit(ComparatorRegistry& registry) {
  registry.add({"msit",
                "msit llm 8.2",
                {{CompareOption::Spreadsheet},
                 {CompareOption::DataMapping, "-mf"},
                 {CompareOption::Level, "-cl, or statistics"}},
                compareMsit});
}

}  // namespace ulp::compat
