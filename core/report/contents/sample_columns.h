#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/contents/export_selection.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/tables/data_table.h"

namespace ulp::report {

/// Whether some row of the run has a signed error (numerics::gainError()).
[[nodiscard]] bool hasGainError(const Run& run);

/// A column of a table of all tensors that keeps every digit.
struct TensorColumn {
  std::string id;     ///< "dtype_reference", "rms_rel_ci95"
  std::string label;  ///< "reference dtype", "RMS rel ±"
  numerics::MetricUnit unit = numerics::MetricUnit::None;
  bool isCount = false;  ///< whole numbers from 0
};

/// The columns that such tables have beside the metrics, and their values. Of each row the signed
/// error (numerics::gainError()) where the report has it. With several samples: of each metric and
/// of the signed error standard deviation and half of the 95 % interval; of each row the samples,
/// and 1 where the signed error is systematic. With a noise floor: of each metric the floor, and 1
/// where it covers the value; of each row the role of its run, 1 for one of the floor. With
/// routers: flippedShareAt(), and the rows that one run alone has of experts. Points into the
/// selection.
class SampleColumns {
 public:
  SampleColumns(const Report& report, const ExportSelection& selection);

  [[nodiscard]] const std::vector<TensorColumn>& columns() const { return m_columns; }
  /// Parallel to columns().
  [[nodiscard]] std::vector<double> values(const Run& run, const Comparison& row) const;

 private:
  const ExportSelection& m_selection;
  NoiseFloor m_floor;
  bool m_hasSamples;
  bool m_hasGain;
  bool m_hasRouters;
  std::vector<TensorColumn> m_columns;
};

/// All that a report says of each tensor of the selected variants, for formats that keep every
/// digit: ratios are no percentages, and what is undefined is NaN. Points into report and
/// selection.
class TensorColumns {
 public:
  TensorColumns(const Report& report, const ExportSelection& selection);

  [[nodiscard]] const std::vector<TensorColumn>& columns() const { return m_columns; }
  /// Calls `onRow` for row after row with cells parallel to columns(); `shapeText` writes shapes.
  /// Errors: Cancelled.
  [[nodiscard]] Result<> forEachRow(
      const std::function<std::string(std::span<const std::int64_t>)>& shapeText,
      const std::function<void(const std::vector<DataCell>&)>& onRow) const;

 private:
  const ExportSelection& m_selection;
  SampleColumns m_samples;
  std::vector<TensorColumn> m_columns;
};

}  // namespace ulp::report
