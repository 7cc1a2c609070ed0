#include "core/dumps/msit/statistics_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::dumps::msit {
namespace {

/// A table of CSV with one line of headings.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< as long as `columns`
  std::vector<std::size_t> lines{};            ///< parallel to rows: where each begins, from 1
};

constexpr std::size_t kLargestTable = std::size_t{256} << 20;
constexpr std::size_t kMostDimensions = 64;
/// Lines of commas must not fill the memory: each field takes more than its one byte.
constexpr std::size_t kMostFields = 1024;
constexpr std::size_t kMostCells = std::size_t{1} << 24U;

/// Takes one record off `text`, which begins in line `line`; fields in quotes may hold commas and
/// line breaks. A record of more than kMostFields fields is taken no further.
std::vector<std::string> takeRecord(std::string_view& text, std::size_t& line) {
  std::vector<std::string> fields(1);
  bool isQuoted = false;
  std::size_t i = 0;
  for (; i < text.size() && (isQuoted || text[i] != '\n') && fields.size() <= kMostFields; ++i) {
    const char c = text[i];
    const bool isEscaped = isQuoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"';
    if (isEscaped) {
      fields.back() += c;
      ++i;
    } else if (c == '"') {
      isQuoted = !isQuoted;
    } else if (c == ',' && !isQuoted) {
      fields.emplace_back();
    } else if (c != '\r' || isQuoted) {
      fields.back() += c;
    }
  }
  const std::string_view taken = text.substr(0, i + 1);
  line += static_cast<std::size_t>(std::ranges::count(taken, '\n'));
  text.remove_prefix(taken.size());
  return fields;
}

std::string countOf(const std::vector<std::string>& fields) {
  return fields.size() > kMostFields ? fmt::format("more than {}", kMostFields)
                                     : fmt::format("{}", fields.size());
}

/// A row with another number of fields than there are headings is an error.
Result<CsvTable> readCsvTable(const std::filesystem::path& path) {
  const std::string content = ULP_TRY(readTextFile(path, kLargestTable));
  const std::string file = path.string();
  std::string_view text = content;
  CsvTable table;
  std::size_t cells = 0;
  std::size_t next = 1;
  if (!text.empty()) {
    table.columns = takeRecord(text, next);
  }
  if (table.columns.size() > kMostFields) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: line 1: {} headings; this is no table of statistics",
                            file,
                            countOf(table.columns)));
  }
  while (!text.empty()) {
    const std::size_t line = next;
    std::vector<std::string> fields = takeRecord(text, next);
    if (fields.size() == 1 && fields.front().empty()) {
      continue;
    }
    if (fields.size() != table.columns.size()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: line {}: {} fields where the headings are {}; the table was cut "
                              "off or changed, dump again",
                              file,
                              line,
                              countOf(fields),
                              table.columns.size()));
    }
    cells += fields.size();
    if (cells > kMostCells) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format("{}: line {}: the table has more than {} cells", file, line, kMostCells));
    }
    table.rows.push_back(std::move(fields));
    table.lines.push_back(line);
  }
  return table;
}

/// Positions of headings, in their order. Error: CorruptData where one is not there.
Result<std::vector<std::size_t>> columnsOf(const CsvTable& table,
                                           std::span<const std::string_view> headings,
                                           const std::filesystem::path& file) {
  std::vector<std::size_t> columns;
  for (const std::string_view heading : headings) {
    const auto found = std::ranges::find(table.columns, heading);
    if (found == table.columns.end()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: line 1: no column '{}'; dump again", file.string(), heading));
    }
    columns.push_back(static_cast<std::size_t>(found - table.columns.begin()));
  }
  return columns;
}

constexpr std::string_view kDigits = "0123456789";

/// Unlike a word, as "N/A" or what Python prints of a complex number.
bool isMeantAsNumber(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of("+-."), text.size());
  return first < text.size() && kDigits.find(text[first]) != std::string_view::npos;
}

/// Of a long text its beginning.
std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 40;
  return text.size() > kShown ? fmt::format("{}…", text.substr(0, kShown)) : std::string(text);
}

bool isShape(std::string_view text, const std::vector<std::int64_t>& shape) {
  return shape.empty() ? text.find_first_of(kDigits) == std::string_view::npos
                       : shape.size() < kMostDimensions && tensors::checkedCount(shape).has_value();
}

/// Sizes between other characters: "(1, 6, 32)", "1x6x32".
std::vector<std::int64_t> asShape(std::string_view text) {
  std::vector<std::int64_t> shape;
  while (shape.size() < kMostDimensions) {
    const std::size_t start = text.find_first_of("0123456789");
    if (start == std::string_view::npos) {
      break;
    }
    text.remove_prefix(start);
    std::int64_t size = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (problem != std::errc()) {
      return {};
    }
    shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return shape;
}

/// `place` is "file: line n". Words stand for nothing.
Result<std::optional<double>> numberOf(std::string_view cell, const std::string& place) {
  const auto number = parseNumber<double>(cell);
  if (!number && isMeantAsNumber(cell)) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: '{}' is no possible number; dump again", place, shown(cell)));
  }
  return number;
}

/// Reads the rows of a table. Direction, index, type, shape, maximum, minimum, mean and norm have
/// the headings from `first` on; `addRest(tensor, cell)` takes the direction and what others hold.
template <class AddRest>
Result<std::vector<TensorStatistics>> readTable(const std::filesystem::path& path,
                                                std::span<const std::string_view> headings,
                                                std::size_t first,
                                                const AddRest& addRest) {
  const CsvTable table = ULP_TRY(readCsvTable(path));
  const auto columns = ULP_TRY(columnsOf(table, headings, path));
  std::vector<TensorStatistics> tensors;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto cell = [&](std::size_t heading) -> const std::string& {
      return table.rows[i][columns[heading]];
    };
    const std::string place = fmt::format("{}: line {}", path.string(), table.lines[i]);
    TensorStatistics tensor{
        .index = cell(first + 1), .dtype = cell(first + 2), .shape = asShape(cell(first + 3))};
    if (!isShape(cell(first + 3), tensor.shape)) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format("{}: '{}' is no possible shape; dump again", place, shown(cell(first + 3))));
    }
    tensor.statistics.max = ULP_TRY(numberOf(cell(first + 4), place));
    tensor.statistics.min = ULP_TRY(numberOf(cell(first + 5), place));
    tensor.statistics.mean = ULP_TRY(numberOf(cell(first + 6), place));
    tensor.statistics.norm = ULP_TRY(numberOf(cell(first + 7), place));
    addRest(tensor, cell);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
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

std::string nameOf(const TensorStatistics& tensor) {
  constexpr std::string_view kExtension = ".bin";
  if (tensor.file.ends_with(kExtension)) {
    return tensor.file.substr(0, tensor.file.size() - kExtension.size());
  }
  const bool isInput = tensor.role == Role::Input;
  return fmt::format(
      "{}/{}{}", tensor.operation, isInput ? "before/intensor" : "after/outtensor", tensor.index);
}

void addAsEntries(RecordedUnit& unit, const std::vector<TensorStatistics>& table) {
  for (const TensorStatistics& tensor : table) {
    if (unit.entries.empty() || unit.entries.back().name != tensor.operation) {
      const std::size_t slash = tensor.operation.rfind('/');
      const std::string own =
          slash == std::string::npos ? tensor.operation : tensor.operation.substr(slash + 1);
      unit.addEntry({.name = tensor.operation,
                     .kind = EntryKind::Api,
                     .module = slash == std::string::npos ? "" : tensor.operation.substr(0, slash),
                     .operation = own.substr(std::min(own.find('_') + 1, own.size()))});
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

Result<std::vector<TensorStatistics>> readModuleStatistics(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 8> kHeadings{
      "InputOutput", "Index", "DataType", "Shape", "Max", "Min", "Mean", "L2Norm"};
  return readTable(path, kHeadings, 0, [](TensorStatistics& tensor, const auto& cell) {
    tensor.role = cell(0) == "Input" ? Role::Input : Role::Output;
  });
}

Result<std::vector<TensorStatistics>> readOperationStatistics(const std::filesystem::path& path) {
  enum Heading : std::uint8_t { Execution, Name, Id, Direction, File = 11 };
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
  auto tensors =
      ULP_TRY(readTable(path, kHeadings, Direction, [](TensorStatistics& tensor, const auto& cell) {
        const std::string& direction = cell(Direction);
        const bool isInput = direction.starts_with('i') || direction.starts_with('I');
        tensor.role = isInput ? Role::Input : Role::Output;
        tensor.execution = cell(Execution);
        tensor.operation = joinedName(cell(Id), cell(Name));
        tensor.file = behindRound(cell(File));
      }));
  std::erase_if(tensors, [](const TensorStatistics& one) { return one.operation.empty(); });
  return tensors;
}

void addStatistics(RecordedUnit& unit,
                   const std::vector<TensorStatistics>& table,
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
  for (const TensorStatistics& tensor : table) {
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
