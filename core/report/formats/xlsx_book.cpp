#include "core/report/formats/xlsx_book.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <vector>
#include <xlsxwriter.h>

#include "core/base/files/atomic_file.h"
#include "core/base/text/format_number.h"

namespace ulp::report {
namespace {

/// Small numbers keep their digits, ordinary ones stay readable.
constexpr const char* kNumberFormat = "[<0.001]0.00E+00;[<1000]0.0000;0";
constexpr const char* kPercentFormat = "[<0.00001]0.00E+00;0.000%";
/// Rows from which a sheet is written through to disk instead of being kept in memory.
constexpr std::size_t kManyRows = 5'000;

/// A folder of its own below the system's temporary folder: libxlsxwriter writes files only.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code ignored;
    std::string pattern =
        (std::filesystem::temp_directory_path(ignored) / "ulpscope-xlsx-XXXXXX").string();
    const char* made = ::mkdtemp(pattern.data());
    m_path = made == nullptr ? "" : made;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!m_path.empty()) {
      std::filesystem::remove_all(m_path, ignored);
    }
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

struct Formats {
  lxw_format* header = nullptr;
  lxw_format* number = nullptr;
  lxw_format* percent = nullptr;
  lxw_format* section = nullptr;
};

Formats makeFormats(lxw_workbook* book) {
  Formats formats{workbook_add_format(book),
                  workbook_add_format(book),
                  workbook_add_format(book),
                  workbook_add_format(book)};
  format_set_bold(formats.header);
  format_set_bottom(formats.header, LXW_BORDER_THIN);
  format_set_bold(formats.section);
  format_set_num_format(formats.number, kNumberFormat);
  format_set_num_format(formats.percent, kPercentFormat);
  return formats;
}

/// Remembers the first error of the library.
class Sheet final : public XlsxSheet {
 public:
  Sheet(lxw_workbook* book, const std::string& name, const Formats& formats)
      : m_book(book), m_sheet(workbook_add_worksheet(book, name.c_str())), m_formats(formats) {}

  void setWidth(std::size_t column, double width) override {
    keep(worksheet_set_column(
        m_sheet, static_cast<lxw_col_t>(column), static_cast<lxw_col_t>(column), width, nullptr));
  }
  void header(const std::string& text) override { write(text, m_formats.header); }
  void section(const std::string& text) override { write(text, m_formats.section); }
  void text(const std::string& text) override { write(text, m_fill); }
  void count(std::uint64_t value) override {
    keep(worksheet_write_number(m_sheet, m_row, m_column++, static_cast<double>(value), nullptr));
  }
  void number(double value, numerics::MetricUnit unit) override {
    if (std::isfinite(value)) {
      lxw_format* format =
          unit == numerics::MetricUnit::Percent ? m_formats.percent : m_formats.number;
      keep(worksheet_write_number(m_sheet, m_row, m_column++, value, format));
    } else {
      write(std::isnan(value) ? "" : formatExact(value), nullptr);
    }
  }
  void exact(double value) override {
    keep(worksheet_write_number(m_sheet, m_row, m_column++, value, m_fill));
  }
  void flag(bool value) override {
    keep(worksheet_write_boolean(m_sheet, m_row, m_column++, value ? 1 : 0, m_fill));
  }
  void setFill(std::optional<std::uint32_t> colour) override {
    if (!colour) {
      m_fill = nullptr;
      return;
    }
    lxw_format*& format = m_fills[*colour];
    if (format == nullptr) {
      format = workbook_add_format(m_book);
      format_set_pattern(format, LXW_PATTERN_SOLID);
      format_set_fg_color(format, static_cast<lxw_color_t>(*colour));
    }
    m_fill = format;
  }
  void endRow() override {
    ++m_row;
    m_column = 0;
  }
  void freezeHeader(int columns, int rows) override {
    worksheet_freeze_panes(m_sheet, static_cast<lxw_row_t>(rows), static_cast<lxw_col_t>(columns));
  }
  void filterAll(std::size_t columns, std::size_t titles) override {
    const auto first = static_cast<lxw_row_t>(titles);
    keep(worksheet_autofilter(m_sheet,
                              first,
                              0,
                              m_row <= first ? first : m_row - 1,
                              static_cast<lxw_col_t>(columns - 1)));
  }
  [[nodiscard]] lxw_error error() const { return m_error; }

 private:
  void write(const std::string& text, lxw_format* format) {
    if (!text.empty()) {
      keep(worksheet_write_string(m_sheet, m_row, m_column, text.c_str(), format));
    } else if (m_fill != nullptr && format == m_fill) {
      keep(worksheet_write_blank(m_sheet, m_row, m_column, format));
    }
    ++m_column;
  }
  void keep(lxw_error error) { m_error = m_error == LXW_NO_ERROR ? error : m_error; }

  lxw_workbook* m_book;
  lxw_worksheet* m_sheet;
  const Formats& m_formats;
  std::map<std::uint32_t, lxw_format*> m_fills;
  lxw_format* m_fill = nullptr;
  lxw_row_t m_row = 0;
  lxw_col_t m_column = 0;
  lxw_error m_error = LXW_NO_ERROR;
};

class Book final : public XlsxBook {
 public:
  explicit Book(lxw_workbook* book) : m_book(book), m_formats(makeFormats(book)) {}

  XlsxSheet& addSheet(const std::string& name) override {
    m_sheets.push_back(std::make_unique<Sheet>(m_book, name, m_formats));
    return *m_sheets.back();
  }
  [[nodiscard]] lxw_error close() {
    lxw_error error = workbook_close(m_book);
    for (const auto& sheet : m_sheets) {
      error = sheet->error() == LXW_NO_ERROR ? error : sheet->error();
    }
    return error;
  }

 private:
  lxw_workbook* m_book;
  Formats m_formats;
  std::vector<std::unique_ptr<Sheet>> m_sheets;
};

}  // namespace

Result<std::string> makeXlsxBook(std::size_t rows, const std::function<void(XlsxBook&)>& fill) {
  if (rows > LXW_ROW_MAX) {
    return fail(ErrorCode::Unsupported,
                fmt::format("a sheet holds {} rows and there are {}; use csv, or fewer runs or "
                            "passes",
                            LXW_ROW_MAX,
                            rows));
  }
  const ScratchFolder folder;
  if (folder.path().empty()) {
    return fail(ErrorCode::Io,
                "cannot make a temporary folder for the workbook; is $TMPDIR writable?");
  }
  const std::filesystem::path file = folder.path() / "book.xlsx";
  std::string scratch = folder.path().string();
  lxw_workbook_options options{};
  options.constant_memory = rows > kManyRows ? LXW_TRUE : LXW_FALSE;
  options.tmpdir = scratch.data();
  lxw_workbook* raw = workbook_new_opt(file.c_str(), &options);
  if (raw == nullptr) {
    return fail(ErrorCode::Io, "cannot make the workbook: no memory or no temporary file");
  }
  Book book(raw);
  fill(book);
  if (const lxw_error error = book.close(); error != LXW_NO_ERROR) {
    return fail(ErrorCode::Io, fmt::format("cannot make the workbook: {}", lxw_strerror(error)));
  }
  return readTextFile(file);
}

}  // namespace ulp::report
