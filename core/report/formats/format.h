#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/report/contents/export_options.h"
#include "core/report/model/report.h"
#include "core/report/tables/data_table.h"

namespace ulp::report {

/// A file format in which results leave the program: whole reports, single tables, or both. Formats
/// for machines keep every digit, formats for reading show tables as they are shown.
struct Format {
  std::string id;           ///< "csv"
  std::string title;        ///< "Comma-separated values"
  std::string extension;    ///< ".csv"
  bool binary = false;      ///< needs a file: is never written to a terminal
  bool forReading = false;  ///< shows formatted tables, and can leave out the tensors
  bool ofOneRun = false;    ///< holds one run: of several, one must be named
  int windowOrder = 0;      ///< among those that the window offers for a report; 0: not offered
  /// Writes a report; null: the format holds none. Errors: those of selectForExport(), Unsupported.
  Result<std::string> (*writeReport)(const Report& report, const ExportOptions& options) = nullptr;
  std::string tableTitle{};  ///< of a table alone; empty: as `title`
  /// Writes a table; null: the format holds none. Errors: Unsupported, Io.
  Result<std::string> (*writeTable)(const DataTable& table) = nullptr;
};

class FormatRegistry {
 public:
  void add(Format format);
  [[nodiscard]] const std::vector<Format>& all() const { return m_formats; }

 private:
  std::vector<Format> m_formats;
};

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

}  // namespace ulp::report
