#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/compat/msit/metrics.h"

namespace ulp::compat::msit {

/// What a report says of one tensor.
struct TensorSummary {
  std::string path{};
  std::string operation{};  ///< type of the module or operation
  std::string dtype{};      ///< "torch.float16"
  std::vector<std::int64_t> shape{};
  std::optional<Range> range{};
};

/// Of a tensor, or what stands for it, with these elements; path and operation are left open.
[[nodiscard]] TensorSummary summaryOf(DType dtype,
                                      std::vector<std::int64_t> shape,
                                      std::span<const float> values);

/// One comparison of a report.
struct ReportRow {
  std::string token{};
  std::uint64_t id = 0;  ///< counts all comparisons of a run
  TensorSummary golden{};
  TensorSummary my{};
  std::optional<Metrics> metrics{};
  std::string reason{};  ///< why there are none
};

/// `msit_cmp_report_*.csv`, without what msit leaves out there: rows of different sizes, and of
/// int8 on one side alone (of two such rows in a row only the first).
[[nodiscard]] std::string reportCsv(std::vector<ReportRow> rows);

/// Writes the table of `compare -w`: `token` is the weight's name, and paths, operations and
/// reasons are left out.
[[nodiscard]] std::string weightsCsv(std::vector<ReportRow> rows);

/// `msit_cmp_report_*.xlsx`, with all rows: name and rows of each sheet. Errors: Io, Unsupported.
[[nodiscard]] Result<std::string> reportXlsx(
    const std::vector<std::pair<std::string, std::vector<ReportRow>>>& sheets);

/// Compares the elements of both sides: fills the metrics of a row, or why there are none.
void compareInto(ReportRow& row, std::span<const float> golden, std::span<const float> my);

}  // namespace ulp::compat::msit
