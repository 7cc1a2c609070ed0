#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msit/recorded_unit.h"

namespace ulp::dumps::msit {

/// A tensor of `statistic.csv`, which the ATB probe of msprobe writes.
struct OperationStatistics {
  std::string execution{};  ///< number of the round
  std::string operation{};  ///< "0_Layer/1_Attention", identifiers and names of all levels
  Role role = Role::Output;
  std::string index{};
  std::string dtype{};
  std::vector<std::int64_t> shape{};
  Statistics statistics{};
  std::string file{};  ///< behind the folder of the round: "0_Layer/after/outtensor0.bin"; or empty
};

/// Errors: those of readCsvTable(), columnsOf() and asNumbers().
[[nodiscard]] Result<std::vector<OperationStatistics>> readOperationStatistics(
    const std::filesystem::path& path);

/// Gives the rows of a unit their numbers; where it has none, makes entries and rows of the table.
/// What belongs to no row becomes a note that counts it.
void addStatistics(RecordedUnit& unit,
                   const std::vector<OperationStatistics>& table,
                   const std::filesystem::path& file);

}  // namespace ulp::dumps::msit
