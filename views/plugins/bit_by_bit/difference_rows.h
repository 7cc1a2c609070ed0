#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/analysis/depth/run_difference.h"
#include "core/analysis/reports/run_pair.h"
#include "core/report/tables/data_table.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// Two runs that have been compared number by number.
struct ComparedPair {
  analysis::RunPair pair;
  analysis::RunDifference difference;

  [[nodiscard]] const report::Comparison& row(std::size_t index) const {
    return pair.rows->comparisons[index];
  }
};
using ComparedPairPtr = std::shared_ptr<const ComparedPair>;

/// A tensor that differs: the first one of a pass, or one of those that follow.
struct DifferenceRow {
  const report::Comparison* row = nullptr;  ///< owned by the pair
  bool isFirst = false;
  analysis::DifferenceNumbers numbers{};
};

using DifferenceModel = RowTableModel<DifferenceRow>;

[[nodiscard]] std::vector<DifferenceRow> differenceRows(const ComparedPair& compared);
[[nodiscard]] std::vector<Column<DifferenceRow>> differenceColumns();

/// "bf16 differs from reference: 5 of 152 compared tensors are equal", or that they are equal.
[[nodiscard]] QString headingOf(const ComparedPair& compared);
/// What has to be known beside it: samples, tensors of one run alone, files that could not be read.
[[nodiscard]] QStringList notesOf(const ComparedPair& compared);
/// The account of the first difference of each pass as rich text. Tensors are links whose address
/// is their index in the rows of the candidate.
[[nodiscard]] QString accountOf(const ComparedPair& compared);

}  // namespace ulp::views
