#include "core/dumps/msit/operation_statistics.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/dumps/msit/statistics_table.h"

namespace ulp::dumps::msit {
namespace {

constexpr std::array<std::string_view, 12> kHeadings{"Execution Count",
                                                     "Op Name",
                                                     "Op Id",
                                                     "Input/Output",
                                                     "Index",
                                                     "Dtype",
                                                     "Shape",
                                                     "Max",
                                                     "Min",
                                                     "Mean",
                                                     "Norm",
                                                     "Tensor Path"};
enum Heading : std::uint8_t {
  Execution,
  Name,
  Id,
  Direction,
  Index,
  Dtype,
  Shape,
  Max,
  Min,
  Mean,
  Norm,
  File
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

/// "0_1" and "Layer/Attention" -> "0_Layer/1_Attention"; empty where the levels differ.
std::string joinedName(std::string_view ids, std::string_view names) {
  const std::vector<std::string_view> idParts = split(ids, '_');
  const std::vector<std::string_view> nameParts = split(names, '/');
  std::string joined;
  for (std::size_t i = 0; i < nameParts.size() && idParts.size() == nameParts.size(); ++i) {
    joined += fmt::format("{}{}_{}", i == 0 ? "" : "/", idParts[i], nameParts[i]);
  }
  return joined;
}

/// Of ".../atb_dump_data/data/{device}_{PID}/{round}/a/b.bin" the end "a/b.bin".
std::string behindRound(std::string_view path) {
  const std::size_t start = path.rfind("atb_dump_data/");
  if (start == std::string_view::npos) {
    return {};
  }
  path.remove_prefix(start);
  constexpr int kFolders = 4;
  for (int i = 0; i < kFolders; ++i) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) {
      return {};
    }
    path.remove_prefix(slash + 1);
  }
  return std::string(path);
}

std::string nameOf(const OperationStatistics& tensor) {
  constexpr std::string_view kExtension = ".bin";
  if (tensor.file.ends_with(kExtension)) {
    return tensor.file.substr(0, tensor.file.size() - kExtension.size());
  }
  const bool isInput = tensor.role == Role::Input;
  return fmt::format(
      "{}/{}{}", tensor.operation, isInput ? "before/intensor" : "after/outtensor", tensor.index);
}

void addAsEntries(RecordedUnit& unit, const std::vector<OperationStatistics>& table) {
  for (const OperationStatistics& tensor : table) {
    if (unit.entries.empty() || unit.entries.back().name != tensor.operation) {
      const std::size_t slash = tensor.operation.rfind('/');
      const std::string own =
          slash == std::string::npos ? tensor.operation : tensor.operation.substr(slash + 1);
      unit.entries.push_back(
          {.name = tensor.operation,
           .kind = EntryKind::Api,
           .module = slash == std::string::npos ? "" : tensor.operation.substr(0, slash),
           .operation = own.substr(std::min(own.find('_') + 1, own.size())),
           .firstRow = unit.rows.size()});
    }
    unit.addRow({.name = nameOf(tensor),
                 .role = tensor.role,
                 .index = tensor.index,
                 .dtype = tensor.dtype,
                 .shape = tensor.shape,
                 .statistics = tensor.statistics},
                {});
  }
}

}  // namespace

Result<std::vector<OperationStatistics>> readOperationStatistics(
    const std::filesystem::path& path) {
  const CsvTable table = ULP_TRY(readCsvTable(path));
  const auto columns = ULP_TRY(columnsOf(table, kHeadings, path));
  std::vector<OperationStatistics> tensors;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto cell = [&](Heading heading) { return std::cref(table.rows[i][columns[heading]]); };
    auto numbers = ULP_TRY(asNumbers({cell(Shape), cell(Max), cell(Min), cell(Mean), cell(Norm)},
                                     fmt::format("{}: line {}", path.string(), table.lines[i])));
    const std::string& direction = cell(Direction);
    const bool isInput = direction.starts_with('i') || direction.starts_with('I');
    tensors.push_back({.execution = cell(Execution),
                       .operation = joinedName(cell(Id).get(), cell(Name).get()),
                       .role = isInput ? Role::Input : Role::Output,
                       .index = cell(Index),
                       .dtype = cell(Dtype),
                       .shape = std::move(numbers.shape),
                       .statistics = numbers.statistics,
                       .file = behindRound(cell(File).get())});
  }
  std::erase_if(tensors, [](const OperationStatistics& one) { return one.operation.empty(); });
  return tensors;
}

void addStatistics(RecordedUnit& unit,
                   const std::vector<OperationStatistics>& table,
                   const std::filesystem::path& file) {
  if (unit.rows.empty()) {
    addAsEntries(unit, table);
    return;
  }
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t i = 0; i < unit.rows.size(); ++i) {
    rows.emplace(unit.rows[i].name, i);
  }
  std::size_t strangers = 0;
  for (const OperationStatistics& tensor : table) {
    const auto row = rows.find(nameOf(tensor));
    if (row == rows.end()) {
      ++strangers;
    } else if (unit.rows[row->second].statistics.isEmpty()) {
      unit.rows[row->second].statistics = tensor.statistics;
    }
  }
  if (strangers > 0) {
    unit.notes.push_back(fmt::format(
        "{}: {} tensors of the table have no file in the dump", file.string(), strangers));
  }
}

}  // namespace ulp::dumps::msit
