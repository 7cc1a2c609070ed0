#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/contents/export_selection.h"
#include "core/report/model/report.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {

/// What rules say of a row.
struct RowMark {
  std::string text;  ///< "FAIL"
  int gravity = 0;   ///< where not all rows are shown, those with more are
};

/// What rules say of a report.
struct DocumentJudgement {
  std::vector<TextTable> tables{};  ///< the answer first; none: no rules were asked
  /// Of each run, parallel to ExportSelection::rows(), for a column of its own.
  std::map<std::string, std::vector<RowMark>> rows{};
};

/// What a document holds beside what the report says.
struct DocumentExtras {
  TextTable verdict{};  ///< the answer, before everything else; without rows: none
  DocumentJudgement judgement{};
  TextTable findings{};  ///< what it rests on, the gravest first; without rows: none
  std::vector<TextTable> tables{};
  std::vector<DocumentFigure> figures{};
  std::string style{};  ///< CSS of the figures
};

/// In which order a document shows the parts of a report.
enum class PartOrder : std::uint8_t {
  /// The verdict, what rules say, findings, figures, summaries, the note on them, runs, tables of
  /// the extras, configuration, tensors. Of long tables the first ten rows stand before the
  /// figures.
  SummaryFirst,
  /// Runs, tensors, summaries, the note on them, findings, the verdict, what rules say: the end of
  /// a text is what a terminal shows.
  SummaryLast
};

/// Makes a report as people read it, of the parts that there are: what every format for reading
/// shows. Errors: those of selectForExport(); CorruptData when the configuration cannot be read.
[[nodiscard]] Result<Document> makeReadable(const Report& report,
                                            const ExportOptions& options,
                                            PartOrder order,
                                            DocumentExtras extras = {});

}  // namespace ulp::report
