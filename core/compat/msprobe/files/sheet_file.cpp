#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/compat/msprobe/files/table_file.h"
#include "core/report/formats/xlsx_book.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;

/// Characters that a cell of a spreadsheet holds.
constexpr std::size_t kMaxText = 32767;
constexpr std::uint32_t kRed = 0xFF0000;
constexpr std::uint32_t kYellow = 0xFFFF00;

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
  SheetFile(report::XlsxBook& book,
            const std::vector<std::string>& titles,
            std::size_t rows,
            const SheetStyle& style)
      : m_book(book),
        m_titles(titles),
        m_style(style),
        m_isWhole(rows < kTooManyRows),
        m_limit(rowsOfASheet(rows)) {
    begin();
  }

  void addRow(std::span<const Cell> cells, Fill fill) override {
    if (m_rows == m_limit) {
      begin();
    }
    ++m_rows;
    if (fill == Fill::None) {
      m_sheet->setFill(std::nullopt);
    } else {
      m_sheet->setFill(fill == Fill::Red ? kRed : kYellow);
    }
    for (const Cell& cell : cells) {
      write(cell);
    }
    m_sheet->endRow();
  }

 private:
  void begin() {
    m_sheet = &m_book.addSheet(m_isWhole ? m_style.name : fmt::format("part_{}", m_parts++));
    m_rows = 0;
    for (const std::string& title : m_titles) {
      m_sheet->header(title);
    }
    m_sheet->endRow();
  }

  void write(const Cell& cell) {
    if (m_style.hasFlags && cell.kind == dumps::msprobe::ScalarKind::Flag) {
      m_sheet->flag(cell.text == "True");
    } else if (cell.isNumber() && std::isfinite(cell.number)) {
      m_sheet->exact(cell.number);
    } else if (cell.isNumber()) {
      m_sheet->text(nonFiniteText(cell.number, m_style.infinity));
    } else {
      m_sheet->text(cut(cell.text));
    }
  }

  report::XlsxBook& m_book;
  const std::vector<std::string>& m_titles;
  const SheetStyle& m_style;
  bool m_isWhole;
  std::size_t m_limit;                   ///< rows of a sheet
  report::XlsxSheet* m_sheet = nullptr;  ///< of the book
  std::size_t m_rows = 0;                ///< of the sheet
  std::size_t m_parts = 0;
};

}  // namespace

std::size_t rowsOfASheet(std::size_t rows) {
  if (rows < kTooManyRows) {
    return rows;
  }
  const std::size_t parts = (rows + kTooManyRows - 1) / kTooManyRows;
  return (rows + parts - 1) / parts;
}

Result<std::vector<fs::path>> writeSheetFile(const fs::path& path,
                                             const std::vector<std::string>& titles,
                                             std::size_t rows,
                                             const SheetStyle& style,
                                             const WriteRows& write) {
  const std::size_t headers = 1;
  auto book =
      ULP_TRY(report::makeXlsxBook(rowsOfASheet(rows) + headers, [&](report::XlsxBook& made) {
        SheetFile file(made, titles, rows, style);
        write(file);
      }));
  ULP_TRY(writeFileAtomically(path, book));
  return std::vector{path};
}

}  // namespace ulp::compat::msprobe
