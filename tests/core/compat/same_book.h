#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/core/compat/expected_table.h"
#include "tests/core/compat/same_cells.h"
#include "tests/core/report/xlsx_reader.h"

namespace ulp::compat::test {

/// Rows behind their colours, without the opacity in front of them (AARRGGBB): openpyxl writes 00,
/// others FF, and programs that show them ignore it.
inline Table withoutOpacity(Table table) {
  constexpr std::size_t kColour = 6;
  for (std::size_t row = 1; row < table.size(); ++row) {
    std::string& fill = table[row].at(0);
    fill.erase(0, fill.size() > kColour ? fill.size() - kColour : 0);
  }
  return table;
}

/// A sheet that was written has the values, types and colours of the original's, whose `.xlsx` and
/// `.xlsx.csv` begin so in `expected`.
inline void expectSameSheet(const std::filesystem::path& written,
                            const std::filesystem::path& expected,
                            const std::string& prefix,
                            const std::string& sheet) {
  const std::string ours = contentOf(written);
  expectSameCells(parseCsv(ulp::test::readSheetValues(ours, sheet)),
                  withoutOpacity(parseCsv(contentOf(onlyFile(expected, prefix, ".xlsx.csv")))));
  const std::string theirs = contentOf(onlyFile(expected, prefix, ".xlsx"));
  expectSameCells(parseCsv(ulp::test::readSheetKinds(ours, sheet)),
                  parseCsv(ulp::test::readSheetKinds(theirs, sheet)));
}

}  // namespace ulp::compat::test
