#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/dumps/msprobe/dump_json.h"

namespace ulp::compat::msprobe {

/// A cell as Python holds it: text, an integer, a float or a bool.
using Cell = dumps::msprobe::Scalar;
[[nodiscard]] Cell textCell(std::string text);
[[nodiscard]] Cell numberCell(double number);
[[nodiscard]] Cell flagCell(bool flag);

enum class Fill : std::uint8_t { None, Yellow, Red };

/// A table that is written row by row.
class TableFile : public Interface {
 public:
  virtual void addRow(std::span<const Cell> cells, Fill fill) = 0;
};
/// Adds the rows of a table, as many as were announced.
using WriteRows = std::function<void(TableFile& file)>;

/// Floats as Python's repr(), infinities with a blank in front as pandas was told to; files
/// `_part_{k}` above a million rows, counted from 1. `path` ends in ".csv". The files that were
/// written, else none is left. Error: Io.
[[nodiscard]] Result<std::vector<std::filesystem::path>> writeCsvFile(
    const std::filesystem::path& path,
    const std::vector<std::string>& titles,
    std::size_t rows,
    const WriteRows& write);

/// What stands for an infinity or NaN in a file.
enum class SheetInfinity : std::uint8_t {
  BlankInFront,  ///< " inf", in CSV, so that a spreadsheet shows it
  TabBehind,     ///< "inf\t", in sheets of 8.x with colours
  Bare           ///< "inf", in other sheets
};
/// From so many rows on msprobe makes several sheets, of the same size but for the last one.
inline constexpr std::size_t kTooManyRows = 1'048'500;
[[nodiscard]] std::size_t rowsOfASheet(std::size_t rows);
struct SheetStyle {
  std::string name = "Sheet1";  ///< `part_{k}` from kTooManyRows on
  SheetInfinity infinity = SheetInfinity::Bare;
  bool hasFlags = false;  ///< bools are bools of the spreadsheet, else texts
};
/// A row is in memory no longer than it takes to add it. Errors: Io, Unsupported.
[[nodiscard]] Result<std::vector<std::filesystem::path>> writeSheetFile(
    const std::filesystem::path& path,
    const std::vector<std::string>& titles,
    std::size_t rows,
    const SheetStyle& style,
    const WriteRows& write);
/// The text for an infinity or NaN in a sheet.
[[nodiscard]] std::string nonFiniteText(double value, SheetInfinity infinity);

}  // namespace ulp::compat::msprobe
