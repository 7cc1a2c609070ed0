#include "core/compat/msprobe/files/table_file.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_writer.h"
#include "core/base/text/utf8.h"
#include "core/dumps/msprobe/python_text.h"
#include "core/report/formats/xlsx_book.h"
#include "core/report/tables/data_table.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRowsOfAFile = 1'000'000;
constexpr std::size_t kBuffered = std::size_t{1} << 20;

std::string fieldOf(const Cell& cell) {
  if (cell.kind == dumps::msprobe::ScalarKind::Float) {
    return std::isfinite(cell.number) ? dumps::msprobe::pythonFloat(cell.number)
                                      : nonFiniteText(cell.number, SheetInfinity::BlankInFront);
  }
  return report::csvField(cell.text);
}

class CsvFile final : public TableFile {
 public:
  CsvFile(const fs::path& path, const std::vector<std::string>& titles, std::size_t rows)
      : m_path(path), m_titles(titles), m_isSplit(rows > kRowsOfAFile) {
    begin();
  }

  void addRow(std::span<const Cell> cells, Fill /*fill*/) override {
    if (m_rows == kRowsOfAFile) {
      flush();
      begin();
    }
    for (std::size_t column = 0; column < cells.size(); ++column) {
      m_text += column == 0 ? "" : ",";
      m_text += fieldOf(cells[column]);
    }
    m_text += '\n';
    ++m_rows;
    if (m_text.size() >= kBuffered) {
      flush();
    }
  }

  Result<std::vector<fs::path>> finish() {
    flush();
    std::vector<fs::path> files;
    for (auto part = m_parts.begin(); m_state && part != m_parts.end(); ++part) {
      m_state = part->writer.commit();
      if (m_state) {
        files.push_back(part->path);
      }
    }
    if (!m_state) {
      remove(files);
      return tl::unexpected<Error>(m_state.error());
    }
    return files;
  }

 private:
  struct Part {
    fs::path path;
    FileWriter writer;
  };

  /// Some parts without the others would pass for the whole table.
  static void remove(const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
      std::error_code failed;  // the error that led here is the one to report
      fs::remove(file, failed);
    }
  }

  void begin() {
    fs::path path = m_path;
    if (m_isSplit) {
      path.replace_filename(
          fmt::format("{}_part_{}.csv", m_path.stem().string(), m_parts.size() + 1));
    }
    m_rows = 0;
    m_text += report::csvLine(m_titles) + '\n';
    auto writer = FileWriter::create(path);
    if (writer) {
      m_parts.push_back({std::move(path), std::move(*writer)});
    } else if (m_state) {
      m_state = tl::unexpected<Error>(std::move(writer.error()));
    }
  }

  /// Into the last part; nothing after an error.
  void flush() {
    if (m_state) {
      m_state = m_parts.back().writer.write(std::as_bytes(std::span(m_text)));
    }
    m_text.clear();
  }

  const fs::path& m_path;
  const std::vector<std::string>& m_titles;
  bool m_isSplit;
  std::vector<Part> m_parts;
  std::string m_text;
  std::size_t m_rows = 0;  ///< of the last part
  Result<> m_state;
};

/// Characters that a cell of a spreadsheet holds.
constexpr std::size_t kMaxText = 32767;
constexpr std::uint32_t kRed = 0xFF0000;
constexpr std::uint32_t kYellow = 0xFFFF00;

std::string cut(const std::string& text) {
  std::size_t characters = 0;
  for (std::size_t place = 0; text.size() > kMaxText && place < text.size(); ++place) {
    characters += isInsideOfCodePoint(text[place]) ? 0U : 1U;
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

Cell textCell(std::string text) {
  return {.kind = dumps::msprobe::ScalarKind::Text, .text = std::move(text)};
}

Cell numberCell(double number) {
  return {.kind = dumps::msprobe::ScalarKind::Float, .number = number};
}

Cell flagCell(bool flag) {
  return {.kind = dumps::msprobe::ScalarKind::Flag, .text = flag ? "True" : "False"};
}

std::string nonFiniteText(double value, SheetInfinity infinity) {
  std::string text = dumps::msprobe::pythonFloat(value);
  switch (infinity) {
    case SheetInfinity::BlankInFront:
      return std::isnan(value) ? text : " " + text;
    case SheetInfinity::TabBehind:
      return text + "\t";
    case SheetInfinity::Bare:
      break;
  }
  return text;
}

Result<std::vector<fs::path>> writeCsvFile(const fs::path& path,
                                           const std::vector<std::string>& titles,
                                           std::size_t rows,
                                           const WriteRows& write) {
  CsvFile file(path, titles, rows);
  write(file);
  return file.finish();
}

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
  auto book = ULP_TRY(
      report::makeXlsxBook(rowsOfASheet(rows) + headers, [&](report::XlsxBook& made) -> Result<> {
        SheetFile file(made, titles, rows, style);
        write(file);
        return {};
      }));
  ULP_TRY(writeFileAtomically(path, book));
  return std::vector{path};
}

}  // namespace ulp::compat::msprobe
