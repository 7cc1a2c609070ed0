#include "core/report/formats/xlsx_book.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <stop_token>
#include <sys/mman.h>
#include <system_error>
#include <utility>
#include <xlsxwriter.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_descriptor.h"
#include "core/base/text/c_locale.h"
#include "core/base/text/elided.h"
#include "core/base/text/format_number.h"
#include "core/base/text/utf8.h"
#include "core/base/text/visible_text.h"
#include "core/base/work_meter.h"

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

/// The file that the library packs: in memory, where it can be closed to whoever writes it.
class PackedFile {
 public:
  [[nodiscard]] bool isMade() const { return static_cast<bool>(m_file); }
  [[nodiscard]] std::filesystem::path path() const {
    return fmt::format("/proc/self/fd/{}", m_file.get());
  }
  /// Makes the next write fail: nothing else ends workbook_close() before it is through.
  void refuseWrites() const { ::fcntl(m_file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW); }

 private:
  FileDescriptor m_file{::memfd_create("book.xlsx", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
};

/// What a string of a sheet says: "_x001B_" there is the code of a character, and XML holds few of
/// the others that nobody sees.
std::string sheetText(const std::string& text) {
  constexpr std::size_t kDigits = 4;
  std::string shown = visibleText(text);
  for (std::size_t at = 0; (at = shown.find("_x", at)) != std::string::npos; ++at) {
    const std::size_t end = shown.find_first_not_of("0123456789abcdefABCDEF", at + 2);
    if (end == at + 2 + kDigits && shown[end] == '_') {
      shown.insert(at, "_x005F");
      at += 6;
    }
  }
  // What Excel holds in a cell, counted in characters.
  constexpr std::size_t kLongest = 32767;
  return countCodePoints(shown) > kLongest ? elided(shown, kLongest) : shown;
}

}  // namespace

XlsxSheet::XlsxSheet(lxw_workbook* book, const std::string& name, const XlsxStyles& styles)
    : m_book(book), m_sheet(workbook_add_worksheet(book, name.c_str())), m_styles(styles) {}

void XlsxSheet::setWidth(std::size_t column, double width) {
  const auto place = static_cast<lxw_col_t>(column);
  keep(worksheet_set_column(m_sheet, place, place, width, nullptr));
}

void XlsxSheet::count(std::uint64_t value) {
  writeNumber(static_cast<double>(value), nullptr);
}

void XlsxSheet::number(double value, numerics::MetricUnit unit) {
  if (std::isfinite(value)) {
    writeNumber(value, unit == numerics::MetricUnit::Percent ? m_styles.percent : m_styles.number);
  } else {
    write(std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "−Inf", nullptr);
  }
}

void XlsxSheet::exact(double value) {
  writeNumber(value, m_fill);
}

void XlsxSheet::flag(bool value) {
  if (m_isStopped) {
    return;
  }
  keep(worksheet_write_boolean(m_sheet, m_row, m_column++, value ? 1 : 0, m_fill));
}

void XlsxSheet::setFill(std::optional<std::uint32_t> colour) {
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

void XlsxSheet::endRow() {
  m_isStopped = m_isStopped || m_pace.isStopped();
  ++m_row;
  m_column = 0;
}

void XlsxSheet::freezeHeader(int columns, int rows) {
  worksheet_freeze_panes(m_sheet, static_cast<lxw_row_t>(rows), static_cast<lxw_col_t>(columns));
}

void XlsxSheet::filterAll(std::size_t columns, std::size_t titles) {
  const auto first = static_cast<lxw_row_t>(titles);
  const lxw_row_t last = m_row <= first ? first : m_row - 1;
  keep(worksheet_autofilter(m_sheet, first, 0, last, static_cast<lxw_col_t>(columns - 1)));
}

void XlsxSheet::write(const std::string& text, lxw_format* format) {
  if (m_isStopped) {
    return;
  }
  if (!text.empty()) {
    keep(worksheet_write_string(m_sheet, m_row, m_column, sheetText(text).c_str(), format));
  } else if (m_fill != nullptr && format == m_fill) {
    keep(worksheet_write_blank(m_sheet, m_row, m_column, format));
  }
  ++m_column;
}

void XlsxSheet::writeNumber(double value, lxw_format* format) {
  if (m_isStopped) {
    return;
  }
  keep(worksheet_write_number(m_sheet, m_row, m_column++, value, format));
}

XlsxBook::XlsxBook(lxw_workbook* book)
    : m_book(book),
      m_styles{workbook_add_format(book),
               workbook_add_format(book),
               workbook_add_format(book),
               workbook_add_format(book)} {
  format_set_bold(m_styles.header);
  format_set_bottom(m_styles.header, LXW_BORDER_THIN);
  format_set_bold(m_styles.section);
  format_set_num_format(m_styles.number, kNumberFormat);
  format_set_num_format(m_styles.percent, kPercentFormat);
}

XlsxBook::~XlsxBook() {
  if (m_book != nullptr) {
    lxw_workbook_free(m_book);
  }
}

Result<> XlsxBook::close() {
  if (std::ranges::any_of(m_sheets, &XlsxSheet::isStopped)) {
    return stopped();
  }
  int error = workbook_close(std::exchange(m_book, nullptr));
  for (const XlsxSheet& sheet : m_sheets) {
    error = sheet.error() == 0 ? error : sheet.error();
  }
  if (error != LXW_NO_ERROR) {
    return fail(
        ErrorCode::Io,
        fmt::format("cannot make the workbook: {}", lxw_strerror(static_cast<lxw_error>(error))));
  }
  return {};
}

Result<std::string> makeXlsxBook(std::size_t rows, const std::function<Result<>(XlsxBook&)>& fill) {
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
  // The library writes numbers with printf().
  const CLocale points;
  const PackedFile packed;
  if (!packed.isMade()) {
    return fail(ErrorCode::Io,
                fmt::format("cannot make the workbook: no file in memory ({})",
                            std::generic_category().message(errno)));
  }
  const std::filesystem::path file = packed.path();
  std::string scratch = folder.path().string();
  lxw_workbook_options options{};
  options.constant_memory = rows > kManyRows ? LXW_TRUE : LXW_FALSE;
  options.tmpdir = scratch.data();
  lxw_workbook* raw = workbook_new_opt(file.c_str(), &options);
  if (raw == nullptr) {
    return fail(ErrorCode::Io, "cannot make the workbook: no memory or no temporary file");
  }
  XlsxBook book(raw);
  // To pack the rows takes as long as to write them, and tells nothing until it is over.
  MeterScope::current().expect(rows);
  ULP_TRY(fill(book));
  {
    const std::stop_callback refused(currentStop(), [&packed] { packed.refuseWrites(); });
    const Result<> closed = book.close();
    if (currentStop().stop_requested()) {
      return stopped();
    }
    ULP_TRY(closed);
  }
  return readTextFile(file);
}

}  // namespace ulp::report
