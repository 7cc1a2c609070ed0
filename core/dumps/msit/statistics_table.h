#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/dump.h"

namespace ulp::dumps::msit {

/// A table of CSV with one line of headings.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< as long as `columns`

  /// Position of a heading; kNone where there is none.
  [[nodiscard]] std::size_t column(std::string_view heading) const;
};

/// Errors: NotFound, Io, CorruptData (`file: line: what`).
[[nodiscard]] Result<CsvTable> readCsvTable(const std::filesystem::path& path);
[[nodiscard]] Result<CsvTable> parseCsvTable(std::string_view text, const std::string& file);

/// "1.5", "nan", "-inf"; nothing for "N/A" and whatever is no number.
[[nodiscard]] std::optional<double> asStatistic(std::string_view text);
/// Sizes between other characters: "(1, 6, 32)", "1x6x32".
[[nodiscard]] std::vector<std::int64_t> asShape(std::string_view text);

/// A tensor of `statistics.csv`, which the dumper of PyTorch writes into a module's folder.
struct ModuleStatistics {
  Role role = Role::Output;
  std::string index{};  ///< last number in the name of its file
  std::string dtype{};
  std::vector<std::int64_t> shape{};
  Statistics statistics{};
};
/// Errors: those of readCsvTable(); CorruptData without the columns of that table.
[[nodiscard]] Result<std::vector<ModuleStatistics>> readModuleStatistics(
    const std::filesystem::path& path);

}  // namespace ulp::dumps::msit
