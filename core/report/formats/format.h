#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.h"
#include "core/base/result.h"
#include "core/report/contents/export_selection.h"
#include "core/report/contents/readable_report.h"
#include "core/report/model/report.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {

/// A file format in which results leave the program: whole reports, single tables, or both. Formats
/// for reading render a document of formatted tables; formats for machines keep every digit.
struct Format {
  std::string id;            ///< "csv"
  std::string title;         ///< "Comma-separated values"
  std::string extension;     ///< ".csv"
  bool binary = false;       ///< needs a file: is never written to a terminal
  bool ofOneRun = false;     ///< holds one run: of several, one must be named
  int windowOrder = 0;       ///< among those that the window offers for a report; 0: not offered
  std::string tableTitle{};  ///< of a table alone; empty: as `title`
  /// Renders a document, which can be without tensors; null: a format for machines.
  std::string (*render)(const Document& document) = nullptr;
  PartOrder order = PartOrder::SummaryFirst;  ///< of the documents that it renders
  bool rendersTables = true;                  ///< false: it renders reports alone
  /// Of a format for machines: writes a report; null: it holds none.
  Result<std::string> (*exportReport)(const Report& report, const ExportOptions& options) = nullptr;
  /// Of a format for machines: writes a table; null: it holds none.
  Result<std::string> (*exportTable)(const DataTable& table) = nullptr;

  [[nodiscard]] bool isForReading() const { return render != nullptr; }
  /// Writes a report; formats for machines hold no `extras`. Errors: those of selectForExport(),
  /// Unsupported, Io.
  [[nodiscard]] Result<std::string> writeReport(const Report& report,
                                                const ExportOptions& options,
                                                DocumentExtras extras = {}) const;
  /// Writes a table. Errors: Unsupported, Io.
  [[nodiscard]] Result<std::string> writeTable(const DataTable& table) const;
};

using FormatRegistry = Registry<Format>;

/// Adds every format of formats/plugins/ (generated).
void registerBuiltin(FormatRegistry& registry);

/// Lists the formats that write reports.
[[nodiscard]] std::vector<Format> reportFormats();
/// Lists the formats that write single tables, each titled as one of a table.
[[nodiscard]] std::vector<Format> tableFormats();
/// Joins the ids of formats: "csv, html".
[[nodiscard]] std::string idsOf(const std::vector<Format>& formats);
/// Finds a format that writes reports. Errors: InvalidArgument for an unknown one, naming those
/// that there are.
[[nodiscard]] Result<Format> findReportFormat(std::string_view id);
/// Writes a table. Errors: InvalidArgument for an unknown format, naming those that there are;
/// Unsupported for a table that the format cannot hold; Io.
[[nodiscard]] Result<std::string> writeTable(const DataTable& table, std::string_view format);

/// Renders a page that needs nothing from outside: it follows the reader's light or dark system,
/// its tables are sorted by a click on a heading.
[[nodiscard]] std::string renderHtml(const Document& document);
/// Escapes what Markdown would read as markup inside of a table cell or a heading.
[[nodiscard]] std::string escapedMarkdown(std::string_view shown);
/// Appends `<table>…</table>` without title and note.
void appendHtmlTable(std::string& out, const TextTable& table);

}  // namespace ulp::report
