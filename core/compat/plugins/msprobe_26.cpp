#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files/folders.h"
#include "core/base/text/split.h"
#include "core/compat/comparator.h"
#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/pairs/statistic_difference.h"
#include "core/compat/msprobe/results/process_comparison.h"
#include "core/compat/msprobe/results/row_cells.h"

namespace ulp::compat::msprobe {
namespace {

using namespace std::string_view_literals;
using dumps::msprobe::Record;
using dumps::msprobe::ScalarKind;

enum class Verdict26 : std::uint8_t { Pass, Warning, Error };

std::string toString(Verdict26 verdict) {
  constexpr std::array kWords{"pass", "warning", "error"};
  return kWords.at(static_cast<std::size_t>(verdict));
}

/// A row of 26.x's table before it is written.
struct Row26 : ComparedRow {
  Verdict26 verdict = Verdict26::Pass;
  std::vector<std::string> messages{};
};
using Rows = std::vector<Row26*>;

constexpr std::size_t kNorm = 3;

void mark(Row26& row, Verdict26 verdict, std::string_view message) {
  row.verdict = std::max(row.verdict, verdict);
  row.messages.push_back(toString(verdict) + ": " + std::string(message));
}

/// Which checks an operation is spared: those whose outputs hold whatever was in memory, and
/// communication, whose inputs do.
enum class Spared : std::uint8_t { Nothing, Inputs, Everything };

Spared sparedOf(const Rows& inputs) {
  if (inputs.empty()) {
    return Spared::Nothing;
  }
  const auto parts = split(inputs.front()->target->name, '.');
  if (parts.size() < 2) {
    return Spared::Nothing;
  }
  constexpr std::array kAll{"empty"sv,
                            "empty_like"sv,
                            "numpy"sv,
                            "to"sv,
                            "__setitem__"sv,
                            "empty_with_format"sv,
                            "new_empty_strided"sv,
                            "new_empty"sv,
                            "empty_strided"sv};
  constexpr std::array kInputs{
      "_reduce_scatter_base"sv, "_all_gather_base"sv, "all_to_all_single"sv, "batch_isend_irecv"sv};
  if (std::ranges::find(kAll, parts[1]) != kAll.end()) {
    return Spared::Everything;
  }
  return std::ranges::find(kInputs, parts[1]) != kInputs.end() ? Spared::Inputs : Spared::Nothing;
}

bool isNonFinite(const Cell& cell) {
  if (cell.kind != ScalarKind::Text) {
    return !std::isfinite(cell.number) && cell.kind == ScalarKind::Float;
  }
  return cell.text == "Nan" || cell.text == "inf" || cell.text == "-inf";
}

bool hasNonFinite(const Record* record) {
  return record != nullptr &&
         (isNonFinite(record->statistics[0]) || isNonFinite(record->statistics[1]));
}

/// The largest NormRelativeErr; words and "0" are passed over.
double largestNorm(const Rows& rows) {
  double largest = 0;
  for (const Row26* row : rows) {
    if (row->relative[kNorm].ends_with('%')) {
      largest = std::max(largest, shareOf(row->relative[kNorm]));
    }
  }
  return std::abs(largest);
}

/// The smallest of a metric; 1 where no row has a number.
double smallest(const Rows& rows, std::size_t metric) {
  double least = 1;
  for (const Row26* row : rows) {
    if (row->metrics[metric].isNumber()) {
      least = std::min(least, row->metrics[metric].value);
    }
  }
  return least;
}

void judgeChecksums(const Rows& rows) {
  for (Row26* row : rows) {
    const std::string left = checksumOf(row->target);
    const std::string right = checksumOf(row->golden);
    if (left == right) {
      continue;
    }
    const auto isNothing = [](const std::string& text) { return text == "N/A" || text == "Nan"; };
    if (isNothing(left) || isNothing(right)) {
      mark(*row, Verdict26::Warning, "The parameter of NPU does not match the bench.");
    } else {
      mark(*row, Verdict26::Error, "The CRC-32 value of NPU differs from that of the bench.");
    }
  }
}

/// Outputs that are off while the inputs agree, by their statistics.
void judgeLostNorms(const Rows& inputs, const Rows& outputs) {
  constexpr double kClean = 0.1;
  constexpr double kLost = 0.5;
  if (largestNorm(inputs) >= kClean) {
    return;
  }
  for (Row26* row : outputs) {
    if (std::abs(shareOf(row->relative[kNorm])) > kLost) {
      mark(*row, Verdict26::Error, "The NormRelativeErr of output is greater than 0.5.");
    }
  }
}

/// The same by elements. msprobe's own rule: the message says 0.6 and the limit is 0.1.
void judgeLostElements(const Rows& inputs, const Rows& outputs) {
  constexpr double kClean = 0.9;
  constexpr double kLost = 0.1;
  if (!outputs.empty() && smallest(inputs, kOneThousandth) > kClean &&
      smallest(outputs, kOneThousandth) < kLost) {
    mark(*outputs.front(),
         Verdict26::Error,
         "The input/parameters of One Thousandth Err Ratio > 0.9 while the output < 0.6.");
  }
}

void judgeLoss(const Rows& inputs, const Rows& outputs, Mode mode) {
  if (mode == Mode::Statistics) {
    judgeLostNorms(inputs, outputs);
  } else {
    judgeLostElements(inputs, outputs);
  }
}

void judgeGrowth(const Rows& inputs, const Rows& outputs, Mode mode) {
  if (outputs.empty()) {
    return;
  }
  if (mode == Mode::Statistics) {
    const double in = largestNorm(inputs);
    const double out = largestNorm(outputs);
    if (in == 0 ? out > 0.1 : out / in > 10) {
      mark(*outputs.front(),
           Verdict26::Warning,
           "The norm relative error of output is 10 times that of input.");
    }
    return;
  }
  const double in = smallest(inputs, kCosine);
  const double out = smallest(outputs, kCosine);
  if (in > 0.9 && in - out > 0.1) {
    mark(*outputs.front(),
         Verdict26::Warning,
         "The input/parameters of Cosine > 0.9, and input/parameters - output > 0.1");
  }
}

/// Python's == of two statistics.
bool areEqual(const Cell& left, const Cell& right) {
  const auto value = [](const Cell& cell) -> std::optional<double> {
    if (cell.isNumber()) {
      return cell.number;
    }
    return cell.text == "True" || cell.text == "False"
               ? std::optional(cell.text == "True" ? 1.0 : 0.0)
               : std::nullopt;
  };
  const auto a = value(left);
  const auto b = value(right);
  return a && b ? *a == *b : !a && !b && left.text == right.text;
}

bool isArgument(const Record& record) {
  return record.dtype.value_or("").find("class") != std::string::npos;
}

void judgeScalars(const Rows& inputs) {
  for (Row26* row : inputs) {
    if (row->golden != nullptr && isArgument(*row->target) && isArgument(*row->golden) &&
        row->target->shape == "[]" &&
        !areEqual(row->target->statistics[0], row->golden->statistics[0])) {
      mark(*row, Verdict26::Error, "The scalar parameters of NPU and Bench are inconsistent.");
    }
  }
}

bool isFused(const Record& golden) {
  return golden.name.find("qkv") != std::string::npos ||
         golden.name.find("gate_up") != std::string::npos;
}

void judgeKind(const Rows& rows) {
  for (Row26* row : rows) {
    if (row->golden != nullptr && !isFused(*row->golden) &&
        row->target->dtype.value_or("N/A") != row->golden->dtype.value_or("N/A")) {
      mark(*row, Verdict26::Error, "The dtype of NPU and Bench are inconsistent.");
    }
  }
  for (Row26* row : rows) {
    if (row->golden != nullptr &&
        row->target->shape.value_or("N/A") != row->golden->shape.value_or("N/A")) {
      mark(*row, Verdict26::Error, "The shape of NPU and Bench are inconsistent.");
    }
  }
}

/// Judges the rows of one entry: what an operation adds between its inputs and its outputs, and
/// what does not fit in itself.
void judge26(std::span<Row26> rows, Mode mode) {
  Rows inputs;
  Rows outputs;
  for (Row26& row : rows) {
    const bool isOutput = row.target->name.find(".output.") != std::string::npos;
    (isOutput ? outputs : inputs).push_back(&row);
  }
  const Spared spared = sparedOf(inputs);
  if (spared == Spared::Everything) {
    return;
  }
  Rows checked = spared == Spared::Inputs ? Rows() : inputs;
  checked.insert(checked.end(), outputs.begin(), outputs.end());
  if (mode == Mode::Checksum) {
    judgeChecksums(checked);
    return;
  }
  for (Row26* row : checked) {
    if (hasNonFinite(row->target) && !hasNonFinite(row->golden)) {
      mark(*row, Verdict26::Error, "There is nan/inf/-inf in the maximum or minimum value of NPU.");
    }
  }
  if (spared == Spared::Nothing) {
    judgeLoss(inputs, outputs, mode);
  }
  for (Row26* row : checked) {
    if (row->golden != nullptr && !row->isGradConsistent()) {
      mark(*row, Verdict26::Error, "The Required_Grad of NPU and Bench are inconsistent");
    }
  }
  if (spared == Spared::Nothing) {
    judgeScalars(inputs);
  }
  judgeKind(checked);
  if (spared == Spared::Nothing) {
    judgeGrowth(inputs, outputs, mode);
  }
}

Row26 comparedRow(const Sides& sides, const ComparedTensors& tensors, std::size_t pair) {
  Row26 row;
  row.target = &sides.target.records[sides.pairs[pair].target];
  row.golden = goldenOf(sides, sides.pairs[pair]);
  if (sides.mode == Mode::Tensor) {
    row.metrics = tensors.pairs[pair].metrics;
  }
  if (sides.mode == Mode::Statistics) {
    compareStatistics26(row);
  }
  return row;
}

/// json.dumps of a list of plain words.
std::string messagesText(const std::vector<std::string>& messages) {
  std::string text = "[";
  for (const std::string& message : messages) {
    text += (text.size() > 1 ? ", \"" : "\"") + message + "\"";
  }
  return text + "]";
}

/// Compares, judges and writes the rows; `tensors` is empty where there are none.
void writeTable26(const Sides& sides, const ComparedTensors& tensors, TableFile& file) {
  RowCells cells(sides, Generation::V26);
  const auto make = [&](std::size_t pair) { return comparedRow(sides, tensors, pair); };
  const auto judge = [&](std::span<Row26> rows, std::size_t /*first*/) {
    judge26(rows, sides.mode);
    for (Row26& row : rows) {
      row.result = toString(row.verdict);
      row.message = messagesText(row.messages);
    }
  };
  writeRows(sides, cells, make, judge, file);
}

Result<PairingRule> ruleOf(const CompareRequest& request) {
  PairingRule rule{.isFuzzy = request.isFuzzy};
  if (!request.dataMapping.empty()) {
    rule.dataMapping = ULP_TRY(readNameMapping(request.dataMapping));
  }
  if (!request.cellMapping.empty()) {
    rule.cellMapping = ULP_TRY(readNameMapping(request.cellMapping));
  }
  return rule;
}

Result<> writeResult26(const std::filesystem::path& path,
                       const ComparedSides& compared,
                       CompareOutcome& outcome) {
  ULP_TRY(makeFolders(path.parent_path()));
  const Sides& sides = compared.sides;
  const std::size_t rows = sides.pairs.size();
  const std::vector<std::string> titles = tableTitles(sides, "Result,Err_message");
  const auto write = [&](TableFile& file) { writeTable26(sides, compared.tensors, file); };
  return keepFiles(path.extension() == ".xlsx"
                       ? writeSheetFile(path, titles, rows, {.hasFlags = true}, write)
                       : writeCsvFile(path, titles, rows, write),
                   outcome);
}

Result<CompareOutcome> compareMsprobe26(const CompareRequest& request,
                                        const std::stop_token& stop,
                                        const dumps::Progress& progress) {
  const PairingRule rule = ULP_TRY(ruleOf(request));
  return compareTables(
      request,
      rule,
      [&](const ProcessPair& pair, const ComparedSides& compared, CompareOutcome& outcome) {
        const std::string name = tableName(pair) + (request.isSpreadsheet ? ".xlsx" : ".csv");
        return writeResult26(request.output / pair.folder / name, compared, outcome);
      },
      stop,
      progress);
}

}  // namespace
}  // namespace ulp::compat::msprobe

namespace ulp::compat {

void registerMsprobe26(ComparatorRegistry& registry) {
  registry.add({"msprobe-26",
                "msprobe 26.x",
                {{CompareOption::Spreadsheet},
                 {CompareOption::Fuzzy, "-fm"},
                 {CompareOption::DataMapping, "-dm"},
                 {CompareOption::CellMapping, "-cm"}},
                msprobe::compareMsprobe26});
}

}  // namespace ulp::compat
