#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps::msit {

/// A table of CSV with one line of headings.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< as long as `columns`
  std::vector<std::size_t> lines{};            ///< parallel to rows: where each begins, from 1

  /// Position of a heading; kNone where there is none.
  [[nodiscard]] std::size_t column(std::string_view heading) const;
};

/// Errors: NotFound, Io, CorruptData (`file: line n: what; remedy`): a row with another number of
/// fields than there are headings, or with more than 1024.
[[nodiscard]] Result<CsvTable> readCsvTable(const std::filesystem::path& path);
[[nodiscard]] Result<CsvTable> parseCsvTable(std::string_view text, const std::string& file);
/// Positions of headings, in their order. Error: CorruptData where one is not there.
[[nodiscard]] Result<std::vector<std::size_t>> columnsOf(const CsvTable& table,
                                                         std::span<const std::string_view> headings,
                                                         const std::filesystem::path& file);

/// "1.5", "nan", "-inf"; nothing for "N/A" and whatever is no number.
[[nodiscard]] std::optional<double> asStatistic(std::string_view text);
/// Sizes between other characters: "(1, 6, 32)", "1x6x32".
[[nodiscard]] std::vector<std::int64_t> asShape(std::string_view text);

/// What a row says of its tensor in numbers.
struct RecordedNumbers {
  std::vector<std::int64_t> shape{};
  Statistics statistics{};
};
/// Of the cells shape, maximum, minimum, mean and norm; `place` is "file: line n". Words, as "N/A",
/// stand for nothing. Error: CorruptData (`place: what; remedy`): a size or number
/// that is none, or too large to be one.
[[nodiscard]] Result<RecordedNumbers> asNumbers(
    const std::array<std::reference_wrapper<const std::string>, 5>& cells,
    const std::string& place);

/// A tensor of `statistics.csv`, which the dumper of PyTorch writes into a module's folder.
struct ModuleStatistics {
  Role role = Role::Output;
  std::string index{};  ///< last number in the name of its file
  std::string dtype{};
  std::vector<std::int64_t> shape{};
  Statistics statistics{};
};
/// Errors: those of readCsvTable(), columnsOf() and asNumbers().
[[nodiscard]] Result<std::vector<ModuleStatistics>> readModuleStatistics(
    const std::filesystem::path& path);

}  // namespace ulp::dumps::msit
