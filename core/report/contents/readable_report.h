#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/report/contents/export_options.h"
#include "core/report/model/report.h"
#include "core/report/tables/text_table.h"

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
  TextTable findings;                ///< conclusions in order of execution; without rows: none
};

/// Hands out tables and note in the order of a document: findings if there are any, summaries, the
/// note on them if there is one, runs, what else there is, configuration, tensors.
void forEachPart(const ReadableReport& readable,
                 const std::function<void(const TextTable&)>& table,
                 const std::function<void(const std::string&)>& note);

/// Errors: those of selectForExport().
[[nodiscard]] Result<ReadableReport> makeReadable(const Report& report,
                                                  const ExportOptions& options);

}  // namespace ulp::report
