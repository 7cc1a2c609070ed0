#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/compat/msprobe/table_file.h"
#include "core/report/table_writers/xlsx_book.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;

/// Characters that a cell of a spreadsheet holds.
constexpr std::size_t kMaxText = 32767;
constexpr std::uint32_t kRed = 0xFF0000;
constexpr std::uint32_t kYellow = 0xFFFF00;

struct Row {
  std::vector<Cell> cells;
  Fill fill = Fill::None;
};

std::string cut(const std::string& text) {
  std::size_t characters = 0;
  for (std::size_t place = 0; text.size() > kMaxText && place < text.size(); ++place) {
    const bool isWithin = (static_cast<unsigned char>(text[place]) & 0xC0U) == 0x80U;
    characters += isWithin ? 0U : 1U;
    if (characters > kMaxText) {
      return text.substr(0, place);
    }
  }
  return text;
}

class SheetFile final : public TableFile {
 public:
  SheetFile(fs::path path, std::vector<std::string> titles, std::size_t rows, SheetStyle style)
      : m_path(std::move(path)), m_titles(std::move(titles)), m_style(std::move(style)) {
    m_rows.reserve(rows);
  }

  void addRow(std::span<const Cell> cells, Fill fill) override {
    m_rows.push_back({{cells.begin(), cells.end()}, fill});
  }

  Result<std::vector<fs::path>> finish() override {
    const std::size_t titles = 1;
    auto book = report::makeXlsxBook(rowsOfASheet(m_rows.size()) + titles,
                                     [&](report::XlsxBook& made) { fillBook(made); });
    if (!book) {
      return tl::unexpected<Error>(std::move(book.error()));
    }
    if (auto written = writeFileAtomically(m_path, *book); !written) {
      return tl::unexpected<Error>(std::move(written.error()));
    }
    return std::vector{m_path};
  }

 private:
  void fillBook(report::XlsxBook& book) const {
    std::size_t first = 0;
    std::size_t part = 0;
    do {
      const std::size_t end = std::min(first + rowsOfASheet(m_rows.size()), m_rows.size());
      report::XlsxSheet& sheet = book.addSheet(
          m_rows.size() < kTooManyRows ? m_style.name : fmt::format("part_{}", part++));
      for (const std::string& title : m_titles) {
        sheet.header(title);
      }
      sheet.endRow();
      for (; first < end; ++first) {
        writeRow(sheet, m_rows[first]);
      }
    } while (first < m_rows.size());
  }

  void writeRow(report::XlsxSheet& sheet, const Row& row) const {
    if (row.fill == Fill::None) {
      sheet.setFill(std::nullopt);
    } else {
      sheet.setFill(row.fill == Fill::Red ? kRed : kYellow);
    }
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
      const Cell& cell = row.cells[column];
      if (column == m_style.flagColumn) {
        sheet.flag(cell.text == "True");
      } else if (cell.isNumber() && std::isfinite(cell.number)) {
        sheet.exact(cell.number);
      } else if (cell.isNumber()) {
        sheet.text(nonFiniteText(cell.number, m_style.infinity));
      } else {
        sheet.text(cut(cell.text));
      }
    }
    sheet.endRow();
  }

  fs::path m_path;
  std::vector<std::string> m_titles;
  SheetStyle m_style;
  std::vector<Row> m_rows;
};

}  // namespace

std::size_t rowsOfASheet(std::size_t rows) {
  if (rows < kTooManyRows) {
    return rows;
  }
  const std::size_t parts = (rows + kTooManyRows - 1) / kTooManyRows;
  return (rows + parts - 1) / parts;
}

std::unique_ptr<TableFile> makeSheetFile(const fs::path& path,
                                         std::vector<std::string> titles,
                                         std::size_t rows,
                                         SheetStyle style) {
  return std::make_unique<SheetFile>(path, std::move(titles), rows, std::move(style));
}

}  // namespace ulp::compat::msprobe
