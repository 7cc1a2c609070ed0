#pragma once

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text/parse_number.h"
#include "core/compat/msprobe/files/table_file.h"
#include "core/dumps/msprobe/python_text.h"
#include "tests/core/compat/expected_table.h"

namespace ulp::compat::test {

/// Keeps the rows as openpyxl reads them back from a sheet, behind a first column with the colour.
class RecordedTable final : public msprobe::TableFile {
 public:
  RecordedTable(std::vector<std::string> titles, msprobe::SheetInfinity infinity)
      : m_infinity(infinity) {
    titles.insert(titles.begin(), "__fill");
    rows.push_back(std::move(titles));
  }

  void addRow(std::span<const msprobe::Cell> cells, msprobe::Fill fill) override {
    std::vector<std::string> row{fill == msprobe::Fill::Red      ? "FFFF0000"
                                 : fill == msprobe::Fill::Yellow ? "00FFFF00"
                                                                 : ""};
    for (const msprobe::Cell& cell : cells) {
      row.push_back(textOf(cell));
    }
    rows.push_back(std::move(row));
  }

  Table rows;

 private:
  [[nodiscard]] std::string textOf(const msprobe::Cell& cell) const {
    if (!cell.isNumber()) {
      return cell.text;
    }
    if (!std::isfinite(cell.number)) {
      return msprobe::nonFiniteText(cell.number, m_infinity);
    }
    const std::string text = fmt::format("{:.16g}", cell.number);
    return text.find_first_of(".e") == std::string::npos
               ? text
               : dumps::msprobe::pythonFloat(*parseNumber<double>(text));
  }

  msprobe::SheetInfinity m_infinity;
};

}  // namespace ulp::compat::test
