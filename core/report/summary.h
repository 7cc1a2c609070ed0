#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace ulp::report {

/// One column of the summary, in the order of the pass: embeddings, mid median, mid max, norm,
/// logits, loss | head, logits, mid median, mid max, decoder.0 (Fast-LLM PR #525's table, DESIGN
/// section 1). `mid` are the layer rows decoder.1 … decoder.(L-2); with fewer than three layers all
/// of them.
struct SummaryColumn {
  std::string id;     ///< "forward.mid_max"
  std::string title;  ///< "mid max"
  Pass pass = Pass::Forward;
};

struct SummaryCell {
  double value = 0;  ///< NaN: not in the report
  Site site;  ///< the row it came from (for a median the row nearest to it); name empty: none
  std::uint64_t nonFinite = 0;  ///< non-finite variant elements in the rows that it stands for
  /// Of the value over the samples; of a median that of the row nearest to it.
  Spread spread{};
  std::uint64_t samples = 1;  ///< 1: there is no spread
};

struct SummaryRow {
  std::string run;
  std::vector<SummaryCell> cells;  ///< parallel to summaryColumns()
};

[[nodiscard]] const std::vector<SummaryColumn>& summaryColumns();
/// One row for each variant that has comparisons. `metric` is an id such as "rms_rel"; the loss
/// column is |v - r| / |r| of the scalar for relative metrics and the metric itself otherwise.
[[nodiscard]] std::vector<SummaryRow> summarise(const Report& report, std::string_view metric);

}  // namespace ulp::report
