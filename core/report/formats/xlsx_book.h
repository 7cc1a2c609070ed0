#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/base/stop_pace.h"
#include "core/numerics/metrics/metric.h"

struct lxw_format;
struct lxw_workbook;
struct lxw_worksheet;

namespace ulp::report {

/// How cells are shown; of one workbook.
struct XlsxStyles {
  lxw_format* header = nullptr;
  lxw_format* number = nullptr;
  lxw_format* percent = nullptr;
  lxw_format* section = nullptr;
};

/// One sheet, written row by row from left to right. Errors are kept for the book. When the
/// caller's work is stopped (StopScope), what follows is not written.
class XlsxSheet {
 public:
  XlsxSheet(lxw_workbook* book, const std::string& name, const XlsxStyles& styles);

  void setWidth(std::size_t column, double width);  ///< in characters
  void header(const std::string& text) { write(text, m_styles.header); }
  void section(const std::string& text) { write(text, m_styles.section); }
  void text(const std::string& text) { write(text, m_fill); }
  void count(std::uint64_t value);
  /// Of a number 16 digits are written, as many as the library writes. A cell cannot hold NaN or an
  /// infinity: these are words.
  void number(double value, numerics::MetricUnit unit);
  /// Nothing is known of what would stand here.
  void skip() { text(""); }
  /// 16 digits, in the spreadsheet's own general format; must be finite.
  void exact(double value);
  void flag(bool value);
  /// The colour behind the cells that follow, 0xRRGGBB; nothing: none.
  void setFill(std::optional<std::uint32_t> colour);
  void endRow();
  void freezeHeader(int columns, int rows = 1);
  /// A filter over all rows, with the titles in row `titles`.
  void filterAll(std::size_t columns, std::size_t titles = 0);
  /// The first error of the library; 0: none.
  [[nodiscard]] int error() const { return m_error; }
  [[nodiscard]] bool isStopped() const { return m_isStopped; }

 private:
  static constexpr std::size_t kPacedRows = 256;

  void write(const std::string& text, lxw_format* format);
  void writeNumber(double value, lxw_format* format);
  void keep(int error) { m_error = m_error == 0 ? error : m_error; }

  lxw_workbook* m_book;
  lxw_worksheet* m_sheet;
  XlsxStyles m_styles;
  std::map<std::uint32_t, lxw_format*> m_fills;
  lxw_format* m_fill = nullptr;
  std::uint32_t m_row = 0;
  std::uint16_t m_column = 0;
  int m_error = 0;
  StopPace m_pace{kPacedRows};
  bool m_isStopped = false;
};

/// A workbook while it is being made; owns the library's.
class XlsxBook {
 public:
  explicit XlsxBook(lxw_workbook* book);
  ~XlsxBook();
  XlsxBook(const XlsxBook&) = delete;
  XlsxBook& operator=(const XlsxBook&) = delete;
  /// The sheet lives as long as the book. Finish one before the next is added.
  XlsxSheet& addSheet(const std::string& name) {
    return m_sheets.emplace_back(m_book, name, m_styles);
  }
  /// Writes the file; the last call. Errors: Cancelled for a book that was stopped; Io.
  [[nodiscard]] Result<> close();

 private:
  lxw_workbook* m_book;
  XlsxStyles m_styles;
  std::list<XlsxSheet> m_sheets;
};

/// Makes a workbook whose largest sheet has `rows` rows. Errors: those of `fill`; Unsupported for
/// more than a sheet holds; Cancelled; Io when there is no room for the temporary file.
[[nodiscard]] Result<std::string> makeXlsxBook(std::size_t rows,
                                               const std::function<Result<>(XlsxBook&)>& fill);

}  // namespace ulp::report
