#include "core/dumps/msit/statistics_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/parse_number.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::dumps::msit {
namespace {

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
  line += static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n'));
  text.remove_prefix(taken.size());
  return fields;
}

std::string countOf(const std::vector<std::string>& fields) {
  return fields.size() > kMostFields ? fmt::format("more than {}", kMostFields)
                                     : fmt::format("{}", fields.size());
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

}  // namespace

std::size_t CsvTable::column(std::string_view heading) const {
  const auto found = std::find(columns.begin(), columns.end(), heading);
  return found == columns.end() ? kNone : static_cast<std::size_t>(found - columns.begin());
}

Result<CsvTable> parseCsvTable(std::string_view text, const std::string& file) {
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

Result<std::vector<std::size_t>> columnsOf(const CsvTable& table,
                                           std::span<const std::string_view> headings,
                                           const std::filesystem::path& file) {
  std::vector<std::size_t> columns;
  for (const std::string_view heading : headings) {
    columns.push_back(table.column(heading));
    if (columns.back() == kNone) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: line 1: no column '{}'; dump again", file.string(), heading));
    }
  }
  return columns;
}

Result<CsvTable> readCsvTable(const std::filesystem::path& path) {
  const Result<std::string> text = readTextFile(path, kLargestTable);
  return text ? parseCsvTable(*text, path.string()) : tl::unexpected<Error>(text.error());
}

std::optional<double> asStatistic(std::string_view text) {
  return parseNumber<double>(text);
}

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

Result<RecordedNumbers> asNumbers(
    const std::array<std::reference_wrapper<const std::string>, 5>& cells,
    const std::string& place) {
  const auto [shape, max, min, mean, norm] = cells;
  RecordedNumbers numbers{.shape = asShape(shape.get())};
  if (!isShape(shape.get(), numbers.shape)) {
    return fail(
        ErrorCode::CorruptData,
        fmt::format("{}: '{}' is no possible shape; dump again", place, shown(shape.get())));
  }
  for (const auto& cell : {max, min, mean, norm}) {
    if (isMeantAsNumber(cell.get()) && !asStatistic(cell.get())) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format("{}: '{}' is no possible number; dump again", place, shown(cell.get())));
    }
  }
  numbers.statistics = {.max = asStatistic(max.get()),
                        .min = asStatistic(min.get()),
                        .mean = asStatistic(mean.get()),
                        .norm = asStatistic(norm.get())};
  return numbers;
}

Result<std::vector<ModuleStatistics>> readModuleStatistics(const std::filesystem::path& path) {
  const CsvTable table = ULP_TRY(readCsvTable(path));
  constexpr std::array<std::string_view, 8> kHeadings{
      "InputOutput", "Index", "DataType", "Shape", "Max", "Min", "Mean", "L2Norm"};
  const auto columns = ULP_TRY(columnsOf(table, kHeadings, path));
  std::vector<ModuleStatistics> tensors;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto cell = [&](std::size_t heading) {
      return std::cref(table.rows[i][columns[heading]]);
    };
    auto numbers = ULP_TRY(asNumbers({cell(3), cell(4), cell(5), cell(6), cell(7)},
                                     fmt::format("{}: line {}", path.string(), table.lines[i])));
    tensors.push_back({.role = cell(0).get() == "Input" ? Role::Input : Role::Output,
                       .index = cell(1),
                       .dtype = cell(2),
                       .shape = std::move(numbers.shape),
                       .statistics = numbers.statistics});
  }
  return tensors;
}

}  // namespace ulp::dumps::msit
