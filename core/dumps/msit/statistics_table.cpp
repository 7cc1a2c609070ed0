#include "core/dumps/msit/statistics_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.h"

namespace ulp::dumps::msit {
namespace {

constexpr std::size_t kLargestFile = std::size_t{256} << 20;
constexpr std::size_t kMostDimensions = 64;

/// Takes one record off `text`; fields in quotes may hold commas and line breaks.
std::vector<std::string> takeRecord(std::string_view& text) {
  std::vector<std::string> fields(1);
  bool isQuoted = false;
  std::size_t i = 0;
  for (; i < text.size() && (isQuoted || text[i] != '\n'); ++i) {
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
  text.remove_prefix(std::min(i + 1, text.size()));
  return fields;
}

}  // namespace

std::size_t CsvTable::column(std::string_view heading) const {
  const auto found = std::find(columns.begin(), columns.end(), heading);
  return found == columns.end() ? kNone : static_cast<std::size_t>(found - columns.begin());
}

Result<CsvTable> parseCsvTable(std::string_view text, const std::string& file) {
  CsvTable table;
  if (!text.empty()) {
    table.columns = takeRecord(text);
  }
  for (std::size_t record = 2; !text.empty(); ++record) {
    std::vector<std::string> fields = takeRecord(text);
    if (fields.size() == 1 && fields.front().empty()) {
      continue;
    }
    if (fields.size() != table.columns.size()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: record {}: {} fields where the headings are {}",
                              file,
                              record,
                              fields.size(),
                              table.columns.size()));
    }
    table.rows.push_back(std::move(fields));
  }
  return table;
}

Result<CsvTable> readCsvTable(const std::filesystem::path& path) {
  const Result<std::string> text = readTextFile(path, kLargestFile);
  return text ? parseCsvTable(*text, path.string()) : tl::unexpected<Error>(text.error());
}

std::optional<double> asStatistic(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isNumber = problem == std::errc() && end == text.data() + text.size();
  return isNumber ? std::optional(value) : std::nullopt;
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

Result<std::vector<ModuleStatistics>> readModuleStatistics(const std::filesystem::path& path) {
  const Result<CsvTable> table = readCsvTable(path);
  if (!table) {
    return tl::unexpected<Error>(table.error());
  }
  constexpr std::array<std::string_view, 8> kHeadings{
      "InputOutput", "Index", "DataType", "Shape", "Max", "Min", "Mean", "L2Norm"};
  std::array<std::size_t, kHeadings.size()> columns{};
  for (std::size_t i = 0; i < kHeadings.size(); ++i) {
    columns[i] = table->column(kHeadings[i]);
    if (columns[i] == kNone) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: no column '{}'", path.string(), kHeadings[i]));
    }
  }
  std::vector<ModuleStatistics> tensors;
  for (const std::vector<std::string>& row : table->rows) {
    tensors.push_back({.role = row[columns[0]] == "Input" ? Role::Input : Role::Output,
                       .index = row[columns[1]],
                       .dtype = row[columns[2]],
                       .shape = asShape(row[columns[3]]),
                       .statistics = {.max = asStatistic(row[columns[4]]),
                                      .min = asStatistic(row[columns[5]]),
                                      .mean = asStatistic(row[columns[6]]),
                                      .norm = asStatistic(row[columns[7]])}});
  }
  return tensors;
}

}  // namespace ulp::dumps::msit
