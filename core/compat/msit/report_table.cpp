#include "core/compat/msit/report_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/text/split.h"
#include "core/dumps/msprobe/python_text.h"
#include "core/report/formats/xlsx_book.h"
#include "core/report/tables/data_table.h"

namespace ulp::compat::msit {
namespace {

using Cell = std::variant<std::string, double>;

constexpr std::string_view kColumns =
    "token_id,data_id,golden_data_path,golden_op_type,golden_dtype,golden_shape,golden_max_value,"
    "golden_min_value,golden_mean_value,my_data_path,my_op_type,my_dtype,my_shape,my_max_value,"
    "my_min_value,my_mean_value,cosine_similarity,max_relative_error,mean_relative_error,"
    "max_absolute_error,mean_absolute_error,kl_divergence,relative_euclidean_distance,"
    "cmp_fail_reason";
constexpr std::size_t kKlDivergence = 21;
/// What of them a table of weights has behind the name.
constexpr std::array<std::size_t, 17> kOfWeights{
    4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};

void addSummary(std::vector<Cell>& cells, const TensorSummary& tensor) {
  cells.insert(cells.end(),
               {tensor.path,
                tensor.operation,
                tensor.dtype,
                fmt::format("[{}]", fmt::join(tensor.shape, ", "))});
  if (!tensor.range) {
    cells.insert(cells.end(), 3, std::string());
    return;
  }
  for (const float value : {tensor.range->max, tensor.range->min, tensor.range->mean}) {
    cells.emplace_back(static_cast<double>(value));
  }
}

std::vector<Cell> cellsOf(const ReportRow& row) {
  std::vector<Cell> cells{row.token, std::to_string(row.id)};
  addSummary(cells, row.golden);
  addSummary(cells, row.my);
  if (row.metrics) {
    cells.emplace_back(row.metrics->cosineSimilarity);
    for (const float value : {row.metrics->maxRelativeError,
                              row.metrics->meanRelativeError,
                              row.metrics->maxAbsoluteError,
                              row.metrics->meanAbsoluteError,
                              row.metrics->klDivergence.value_or(0.0F),
                              row.metrics->relativeEuclideanDistance}) {
      cells.emplace_back(static_cast<double>(value));
    }
  } else {
    cells.insert(cells.end(), 7, std::string());
  }
  cells.emplace_back(row.reason);
  return cells;
}

/// NaN is a gap in pandas.
std::string textOf(const Cell& cell) {
  const double* number = std::get_if<double>(&cell);
  if (number == nullptr) {
    return std::get<std::string>(cell);
  }
  return std::isnan(*number) ? "" : dumps::msprobe::pythonFloat(*number);
}

bool isInt8(const TensorSummary& tensor) {
  return tensor.dtype == "torch.int8";
}

void dropRows(std::vector<ReportRow>& rows) {
  std::erase_if(rows,
                [](const ReportRow& row) { return row.reason == "data shape doesn't match."; });
  // The original removes from the list that it walks through, and so never looks at the next row.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (isInt8(rows[i].golden) != isInt8(rows[i].my)) {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

std::vector<std::vector<std::string>> fieldsOf(const std::vector<ReportRow>& rows) {
  // Python's max(kl, 0) makes integers of negative sums; a column of nothing else stays one.
  const bool isIntegerKl = !rows.empty() && std::ranges::all_of(rows, [](const ReportRow& row) {
    return row.metrics && !row.metrics->klDivergence;
  });
  std::vector<std::vector<std::string>> lines;
  for (const ReportRow& row : rows) {
    std::vector<std::string>& fields = lines.emplace_back();
    for (const Cell& cell : cellsOf(row)) {
      fields.push_back(fields.size() == kKlDivergence && isIntegerKl ? "0" : textOf(cell));
    }
  }
  return lines;
}

void fillSheet(report::XlsxSheet& sheet, const std::vector<ReportRow>& rows) {
  for (const std::string_view column : split(kColumns, ',')) {
    sheet.header(std::string(column));
  }
  sheet.endRow();
  for (const ReportRow& row : rows) {
    for (const Cell& cell : cellsOf(row)) {
      const double* number = std::get_if<double>(&cell);
      if (number != nullptr && std::isfinite(*number)) {
        sheet.number(*number, numerics::MetricUnit::None);
      } else {
        sheet.text(textOf(cell));
      }
    }
    sheet.endRow();
  }
}

}  // namespace

TensorSummary summaryOf(DType dtype,
                        std::vector<std::int64_t> shape,
                        std::span<const float> values) {
  return {.dtype = fmt::format("torch.{}", toString(dtype)),
          .shape = std::move(shape),
          .range = rangeOf(values)};
}

void compareInto(ReportRow& row, std::span<const float> golden, std::span<const float> my) {
  row.reason = reasonAgainst(golden, my, golden.size() == my.size());
  if (row.reason.empty() && !golden.empty()) {
    row.metrics = compareValues(golden, my);
  }
}

std::string reportCsv(std::vector<ReportRow> rows) {
  dropRows(rows);
  std::string out(kColumns);
  for (const std::vector<std::string>& fields : fieldsOf(rows)) {
    out += '\n' + report::csvLine(fields);
  }
  out += '\n';
  return out;
}

std::string weightsCsv(std::vector<ReportRow> rows) {
  dropRows(rows);
  std::string out;
  const auto addLine = [&](const auto& all, std::string name) {
    std::vector<std::string> fields{std::move(name)};
    for (const std::size_t column : kOfWeights) {
      fields.emplace_back(all.at(column));
    }
    out += report::csvLine(fields) + '\n';
  };
  addLine(split(kColumns, ','), "weight_name");
  for (const std::vector<std::string>& all : fieldsOf(rows)) {
    addLine(all, all.front());
  }
  return out;
}

Result<std::string> reportXlsx(
    const std::vector<std::pair<std::string, std::vector<ReportRow>>>& sheets) {
  std::size_t most = 0;
  for (const auto& [name, rows] : sheets) {
    most = std::max(most, rows.size() + 1);
  }
  return report::makeXlsxBook(most, [&](report::XlsxBook& book) -> Result<> {
    for (const auto& [name, rows] : sheets) {
      fillSheet(book.addSheet(name), rows);
    }
    return {};
  });
}

}  // namespace ulp::compat::msit
