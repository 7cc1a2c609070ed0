#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <utility>

#include "core/base/list_of.h"
#include "core/compat/comparator.h"
#include "core/compat/msit/comparison.h"
#include "core/compat/msit/inputs.h"
#include "core/compat/msit/report_table.h"
#include "core/dumps/msit/pairing.h"
#include "core/dumps/msit/statistics_table.h"
#include "core/report/tables/data_table.h"
#include "core/tensors/formats/atb/atb_file.h"

namespace ulp::compat::msit {
namespace {

namespace fs = std::filesystem;
using dumps::msit::NodePair;
using dumps::msit::Place;

/// Maximum, minimum, mean and L2 norm.
using Numbers = std::array<float, 4>;

Result<Numbers> numbersOf(const dumps::Statistics& statistics, const fs::path& file) {
  const auto values = statistics.all();
  Numbers numbers{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: lacks a maximum, minimum, mean or L2 norm", file.string()));
    }
    numbers[i] = static_cast<float>(*values[i]);
  }
  return numbers;
}

/// Of several devices msit takes the last.
fs::path ofLastDevice(const Side& side, const fs::path& file) {
  const std::vector<fs::path> files = ofAllDevices(side, file);
  return files.empty() ? file : files.back();
}

/// Those of the last output in a module's table.
Result<Numbers> goldenNumbers(const Side& side, const fs::path& file) {
  const fs::path last = ofLastDevice(side, file);
  const auto table = ULP_TRY(dumps::msit::readModuleStatistics(last));
  const auto output = std::find_if(table.rbegin(), table.rend(), [](const auto& tensor) {
    return tensor.role == dumps::Role::Output;
  });
  if (output == table.rend()) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no row of an output", last.string()));
  }
  return numbersOf(output->statistics, last);
}

Result<Numbers> myNumbers(const Side& side, const fs::path& file) {
  const fs::path last = ofLastDevice(side, file);
  const auto opened = ULP_TRY(tensors::AtbFile::open(last));
  const tensors::AtbHeader& header = opened->header();
  return numbersOf({.max = header.max, .min = header.min, .mean = header.mean, .norm = header.norm},
                   last);
}

/// Shortest text of a float32, as NumPy writes it.
std::string floatText(float value) {
  if (std::isnan(value)) {
    return "";
  }
  std::string shortest = fmt::format("{}", value);
  const float size = std::abs(value);
  const bool isPlain = size == 0 || (size >= 1e-4F && size < 1e16F);
  if (!isPlain || shortest.find_first_of("e.n") != std::string::npos) {
    return shortest;
  }
  return shortest + ".0";
}

std::string headings() {
  std::vector<std::string> columns{
      "token_id", "data_id", "golden_data_path", "golden_op_type", "my_data_path", "my_op_type"};
  for (const std::string_view number : {"max", "min", "mean", "l2norm"}) {
    columns.push_back(fmt::format("{}_stat_absolute_error", number));
    columns.push_back(fmt::format("{}_stat_relative_error", number));
  }
  return report::csvLine(columns) + '\n';
}

/// The columns of numbers. Errors: those of the files.
Result<std::vector<std::string>> errorFields(const Side& goldenSide,
                                             const Side& mySide,
                                             const FilePair& files) {
  const Numbers golden = ULP_TRY(goldenNumbers(goldenSide, files.golden));
  const Numbers my = ULP_TRY(myNumbers(mySide, files.my));
  constexpr float kEpsilon = std::numeric_limits<float>::epsilon();
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const float error = std::abs(my[i] - golden[i]);
    fields.push_back(floatText(error));
    fields.push_back(floatText(error / std::max(std::abs(golden[i]), kEpsilon)));
  }
  return fields;
}

/// `statstics_cmp_report_*.csv` of two dumps of numbers: of PyTorch as golden, of ATB as the side
/// under test. What cannot be read, or lacks a number, is put into `failures`,
/// whose content is replaced, and the rest is compared. Errors: InvalidArgument for other kinds of
/// dumps; Cancelled; asOneError() of the failures where nothing could be compared.
Result<std::string> statisticsCsv(const Side& golden,
                                  const Side& my,
                                  const std::vector<TokenPair>& tokens,
                                  const std::vector<NodePair>& pairs,
                                  std::vector<Error>& failures,
                                  const std::stop_token& stop) {
  if (golden.isAtb || !my.isAtb) {
    return fail(ErrorCode::InvalidArgument,
                "msit compares numbers of a PyTorch dump as golden with those of an ATB dump only");
  }
  std::string text = headings();
  Failures failed;
  std::uint64_t nextId = 0;
  ULP_TRY(eachPair(tokens, pairs, stop, {}, [&](const auto& token, const NodePair& nodes) {
    // Every output of ATB with the table of the module.
    const auto tables = filesOf(golden,
                                *token.golden,
                                nodes.golden,
                                {.files = Place::Files::One, .name = "statistics.csv"});
    const auto outputs = filesOf(my, *token.my, nodes.my, nodes.myPlace);
    for (const FilePair& files : eachWithEach(tables, outputs)) {
      Result<std::vector<std::string>> errors = errorFields(golden, my, files);
      if (!errors) {
        failed.add(std::move(errors.error()));
        continue;
      }
      std::vector<std::string> fields{tokenText(*token.my),
                                      std::to_string(nextId++),
                                      realPath(files.golden),
                                      nodeOf(golden, nodes.golden).type,
                                      realPath(files.my),
                                      nodeOf(my, nodes.my).type};
      fields.insert(fields.end(), errors->begin(), errors->end());
      text += report::csvLine(fields) + '\n';
    }
  }));
  failures = failed.all();
  if (nextId == 0 && !failures.empty()) {
    return tl::unexpected<Error>(asOneError(failures));
  }
  return text;
}

}  // namespace
}  // namespace ulp::compat::msit

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
                 {CompareOption::Level,
                  "-cl, or statistics",
                  listOf(kLevels, [](const auto& level) { return std::string(level.first); })}},
                compareMsit});
}

}  // namespace ulp::compat
