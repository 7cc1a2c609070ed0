#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/report/contents/export_options.h"
#include "core/report/model/report.h"
#include "core/report/tables/document.h"

namespace ulp::report {

/// A report as people read it: what every format for reading shows, in this order.
struct ReadableReport {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  ///< model, device, versions, digests
  TextTable runs;
  TextTable configuration;           ///< without rows unless it is asked for
  std::vector<TextTable> more;       ///< what else a document shows; none unless somebody adds it
  std::vector<TextTable> tensors;    ///< one a variant; none when only the summary is asked for
  std::vector<TextTable> summaries;  ///< one a metric
  std::string note;                  ///< on the marks in the summaries, or empty
  std::vector<DocumentFigure> figures;  ///< none unless somebody adds them
  std::string style;                    ///< CSS of the figures
  TextTable findings;                   ///< conclusions in order of execution; without rows: none
};

/// In which order a document shows the parts of a report.
enum class PartOrder : std::uint8_t {
  /// Findings, summaries, the note on them, figures, runs, what else there is, configuration,
  /// tensors.
  SummaryFirst,
  /// Runs, tensors, summaries, the note on them, findings: the end of a text is what a terminal
  /// shows.
  SummaryLast
};

/// Makes a document of the parts that there are.
[[nodiscard]] Document documentOf(ReadableReport readable, PartOrder order);

/// Errors: those of selectForExport().
[[nodiscard]] Result<ReadableReport> makeReadable(const Report& report,
                                                  const ExportOptions& options);

}  // namespace ulp::report
