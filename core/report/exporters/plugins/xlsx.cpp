#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <xlsxwriter.h>

#include "core/base/atomic_file.h"
#include "core/base/format_number.h"
#include "core/report/exporters/export_selection.h"
#include "core/report/exporters/number_column.h"
#include "core/report/summary.h"

namespace ulp::report {

void registerXlsx(ExporterRegistry& registry);

namespace {

/// Small numbers keep their digits, ordinary ones stay readable.
constexpr const char* kNumberFormat = "[<0.001]0.00E+00;[<1000]0.0000;0";
constexpr const char* kPercentFormat = "[<0.00001]0.00E+00;0.000%";
constexpr double kNameWidth = 34;
constexpr double kNumberWidth = 13;
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

/// One sheet, written row by row. Remembers the first error of the library.
class Sheet {
 public:
  Sheet(lxw_workbook* book, const Formats& formats, const char* name)
      : m_sheet(workbook_add_worksheet(book, name)), m_formats(formats) {}

  void setWidth(std::size_t column, double width) {
    keep(worksheet_set_column(
        m_sheet, static_cast<lxw_col_t>(column), static_cast<lxw_col_t>(column), width, nullptr));
  }
  void header(const std::string& text) { write(text, m_formats.header); }
  void section(const std::string& text) { write(text, m_formats.section); }
  void text(const std::string& text) { write(text, nullptr); }
  void count(std::uint64_t value) {
    keep(worksheet_write_number(m_sheet, m_row, m_column++, static_cast<double>(value), nullptr));
  }
  /// A cell of a sheet cannot hold NaN or an infinity: those are words, and NaN stays empty.
  void number(double value, numerics::MetricUnit unit) {
    if (std::isfinite(value)) {
      lxw_format* format =
          unit == numerics::MetricUnit::Percent ? m_formats.percent : m_formats.number;
      keep(worksheet_write_number(m_sheet, m_row, m_column++, value, format));
    } else {
      write(std::isnan(value) ? "" : formatExact(value), nullptr);
    }
  }
  void endRow() {
    ++m_row;
    m_column = 0;
  }
  void freezeHeader(int columns) {
    worksheet_freeze_panes(m_sheet, 1, static_cast<lxw_col_t>(columns));
  }
  void filterAll(std::size_t columns) {
    keep(worksheet_autofilter(
        m_sheet, 0, 0, m_row == 0 ? 0 : m_row - 1, static_cast<lxw_col_t>(columns - 1)));
  }
  [[nodiscard]] lxw_error error() const { return m_error; }

 private:
  void write(const std::string& text, lxw_format* format) {
    if (!text.empty()) {
      keep(worksheet_write_string(m_sheet, m_row, m_column, text.c_str(), format));
    }
    ++m_column;
  }
  void keep(lxw_error error) { m_error = m_error == LXW_NO_ERROR ? error : m_error; }

  lxw_worksheet* m_sheet;
  const Formats& m_formats;
  lxw_row_t m_row = 0;
  lxw_col_t m_column = 0;
  lxw_error m_error = LXW_NO_ERROR;
};

void writeSummaryRow(Sheet& sheet,
                     const SummaryRow& row,
                     const SelectedMetric& metric,
                     const ExportSelection& selection) {
  sheet.text(row.run);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (selection.hasPass(summaryColumns()[i].pass)) {
      sheet.number(row.cells[i].value, metric.unit);
    }
  }
  sheet.endRow();
}

lxw_error writeSummary(Sheet sheet, const Report& report, const ExportSelection& selection) {
  sheet.setWidth(0, kNameWidth);
  sheet.header("metric and variant");
  std::size_t width = 1;
  for (const SummaryColumn& column : summaryColumns()) {
    if (selection.hasPass(column.pass)) {
      sheet.header(fmt::format("{} {}", toString(column.pass), column.title));
      sheet.setWidth(width++, kNumberWidth + 6);
    }
  }
  sheet.endRow();
  for (const SelectedMetric& metric : summaryMetrics(selection)) {
    sheet.section(metric.label);
    sheet.endRow();
    for (const SummaryRow& row : summarise(report, metric.id)) {
      if (selection.hasVariant(row.run)) {
        writeSummaryRow(sheet, row, metric, selection);
      }
    }
  }
  sheet.freezeHeader(1);
  return sheet.error();
}

std::vector<std::string> tensorHeaders(const ExportSelection& selection) {
  std::vector<std::string> headers{"run",
                                   "tensor",
                                   "module",
                                   "layer",
                                   "level",
                                   "pass",
                                   "shape",
                                   "reference dtype",
                                   "variant dtype",
                                   "elements",
                                   "compared"};
  for (const SelectedMetric& metric : selection.metrics) {
    headers.push_back(metric.label);
  }
  for (const char* run : {"reference", "variant"}) {
    for (const char* kind : {"NaN", "+Inf", "-Inf"}) {
      headers.push_back(fmt::format("{} {}", run, kind));
    }
  }
  return headers;
}

void writeTensorRow(Sheet& sheet,
                    const Run& run,
                    const Comparison& row,
                    const ExportSelection& selection) {
  const Site& site = row.site;
  sheet.text(run.name);
  sheet.text(site.name);
  sheet.text(site.module);
  sheet.number(site.layer, numerics::MetricUnit::None);
  sheet.text(std::string(toString(site.level)));
  sheet.text(std::string(toString(site.pass)));
  sheet.text(shapeText(row.shape));
  sheet.text(row.referenceDType);
  sheet.text(row.variantDType);
  sheet.count(row.count);
  sheet.count(row.compared);
  for (const SelectedMetric& metric : selection.metrics) {
    sheet.number(row.metrics.at(metric.column), metric.unit);
  }
  for (const auto& counts : {row.referenceNonFinite, row.variantNonFinite}) {
    sheet.count(counts.nan);
    sheet.count(counts.positiveInfinity);
    sheet.count(counts.negativeInfinity);
  }
  sheet.endRow();
}

lxw_error writeTensors(Sheet sheet, const ExportSelection& selection) {
  const std::vector<std::string> headers = tensorHeaders(selection);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const bool isName = i == 1 || i == 2;
    sheet.setWidth(i, isName ? kNameWidth : kNumberWidth);
    sheet.header(headers[i]);
  }
  sheet.endRow();
  for (const Run* run : selection.variants) {
    for (const Comparison* row : selection.rows(*run)) {
      writeTensorRow(sheet, *run, *row, selection);
    }
  }
  sheet.filterAll(headers.size());
  sheet.freezeHeader(2);
  return sheet.error();
}

lxw_error writeRuns(Sheet sheet, const ExportSelection& selection) {
  const std::vector<std::string> headers{
      "run", "status", "loss", "seconds", "peak bytes", "changes", "error"};
  for (std::size_t i = 0; i < headers.size(); ++i) {
    sheet.setWidth(i, i == 0 || i > 4 ? kNameWidth : kNumberWidth);
    sheet.header(headers[i]);
  }
  sheet.endRow();
  for (const Run* run : selection.runs) {
    std::vector<std::string> changes;
    for (const auto& [path, value] : run->overrides) {
      changes.push_back(fmt::format("{}: {}", path, value));
    }
    sheet.text(run->name);
    sheet.text(std::string(toString(run->status)));
    sheet.number(run->loss, numerics::MetricUnit::None);
    sheet.number(run->seconds, numerics::MetricUnit::None);
    sheet.count(run->peakBytes);
    sheet.text(fmt::format("{}", fmt::join(changes, ", ")));
    sheet.text(run->error);
    sheet.endRow();
  }
  sheet.freezeHeader(1);
  return sheet.error();
}

lxw_error writeProvenance(Sheet sheet, const Report& report) {
  const Provenance& provenance = report.provenance;
  const std::vector<std::pair<std::string, std::string>> facts{
      {"model", report.model.name},
      {"family", report.model.family},
      {"layers", std::to_string(report.model.layers)},
      {"parameters", std::to_string(report.model.parameters)},
      {"weights digest", provenance.weightsDigest},
      {"token digest", provenance.tokenDigest},
      {"device", provenance.device},
      {"threads", std::to_string(provenance.threads)},
      {"Ulpscope", provenance.ulpscopeVersion},
      {"LibTorch", provenance.torchVersion},
      {"started", provenance.startedAt},
      {"seconds", formatExact(provenance.seconds)},
      {"schema", std::string(kSchema)}};
  sheet.setWidth(0, kNumberWidth + 4);
  sheet.setWidth(1, 3 * kNameWidth);
  sheet.header("fact");
  sheet.header("value");
  sheet.endRow();
  for (const auto& [name, value] : facts) {
    sheet.text(name);
    sheet.text(value);
    sheet.endRow();
  }
  sheet.freezeHeader(1);
  return sheet.error();
}

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

Error failure(lxw_error error) {
  return {ErrorCode::Io, fmt::format("cannot make the workbook: {}", lxw_strerror(error))};
}

Result<> writeBook(const std::filesystem::path& file,
                   const Report& report,
                   const ExportSelection& selection,
                   std::size_t rows) {
  std::string folder = file.parent_path().string();
  lxw_workbook_options options{};
  options.constant_memory = rows > kManyRows ? LXW_TRUE : LXW_FALSE;
  options.tmpdir = folder.data();
  lxw_workbook* book = workbook_new_opt(file.c_str(), &options);
  if (book == nullptr) {
    return fail(ErrorCode::Io, "cannot make the workbook: no memory or no temporary file");
  }
  const Formats formats = makeFormats(book);
  const lxw_error errors[] = {writeSummary({book, formats, "Summary"}, report, selection),
                              writeTensors({book, formats, "Tensors"}, selection),
                              writeRuns({book, formats, "Runs"}, selection),
                              writeProvenance({book, formats, "Provenance"}, report),
                              workbook_close(book)};
  for (const lxw_error error : errors) {
    if (error != LXW_NO_ERROR) {
      return tl::unexpected<Error>(failure(error));
    }
  }
  return {};
}

Result<std::string> writeXlsx(const Report& report, const ExportOptions& options) {
  const auto selection = selectAllTensors(report, options);
  if (!selection) {
    return tl::unexpected<Error>(selection.error());
  }
  std::size_t rows = 1;
  for (const Run* run : selection->variants) {
    rows += selection->rows(*run).size();
  }
  if (rows > LXW_ROW_MAX) {
    return fail(ErrorCode::Unsupported,
                fmt::format("a sheet holds {} rows and the report has {}; use csv, or fewer runs "
                            "or passes",
                            LXW_ROW_MAX,
                            rows));
  }
  const ScratchFolder folder;
  if (folder.path().empty()) {
    return fail(ErrorCode::Io,
                "cannot make a temporary folder for the workbook; is $TMPDIR writable?");
  }
  const std::filesystem::path file = folder.path() / "report.xlsx";
  if (auto written = writeBook(file, report, *selection, rows); !written) {
    return tl::unexpected<Error>(std::move(written.error()));
  }
  return readTextFile(file);
}

}  // namespace

void registerXlsx(ExporterRegistry& registry) {
  registry.add({.id = "xlsx",
                .title = "Excel workbook",
                .extension = ".xlsx",
                .binary = true,
                .write = writeXlsx});
}

}  // namespace ulp::report
