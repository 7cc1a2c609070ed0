#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/site.h"

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

}  // namespace ulp::report
