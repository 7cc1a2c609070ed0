#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::report {

/// What of a report to write. Empty lists mean all; formats for reading (text, md, html, latex)
/// then show the main metrics (readableMetrics()). A metric or run that the report does not hold is
/// an InvalidArgument that names those that it does.
struct ExportOptions {
  std::vector<Pass> passes{};
  std::vector<std::string> metrics{};
  std::vector<std::string> runs{};
  /// Without the tables of all tensors. Formats for reading only; the others are refused.
  bool isSummaryOnly = false;
  /// With the effective configuration of all runs and what set it. Formats for reading only.
  bool hasConfiguration = false;
  /// Rows of each table of tensors: with more, the worst by its first metric, and a note that names
  /// `completeData`. 0: all. Formats for reading only.
  std::size_t maxRows = 0;
  std::string completeData = "precision_report.json";
  /// The variant whose errors are the noise that charts shade; empty: none. Charts only.
  std::string noise{};
};

/// A format in which a report's summary and per-tensor table are written.
struct Exporter {
  std::string id;           ///< "csv"
  std::string title;        ///< "Comma-separated values"
  std::string extension;    ///< ".csv"
  bool binary = false;      ///< needs a file: is never written to a terminal
  bool forReading = false;  ///< shows formatted tables, and can leave out the tensors
  bool ofOneRun = false;    ///< holds one run: of several, one must be named
  Result<std::string> (*write)(const Report& report, const ExportOptions& options) = nullptr;
};

class ExporterRegistry {
 public:
  void add(Exporter exporter);
  [[nodiscard]] const std::vector<Exporter>& all() const { return m_exporters; }
  [[nodiscard]] const Exporter* find(std::string_view id) const;

 private:
  std::vector<Exporter> m_exporters;
};

void registerBuiltin(ExporterRegistry& registry);
[[nodiscard]] ExporterRegistry builtinExporters();

}  // namespace ulp::report
