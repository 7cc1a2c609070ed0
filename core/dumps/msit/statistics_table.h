#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msit/recorded_unit.h"

namespace ulp::dumps::msit {

/// A tensor of a table of numbers.
struct TensorStatistics {
  Role role = Role::Output;
  std::string index{};  ///< of a module: last number in the name of its file
  std::string dtype{};
  std::vector<std::int64_t> shape{};
  Statistics statistics{};
  // Of operations alone.
  std::string execution{};  ///< number of the round
  std::string operation{};  ///< "0_Layer/1_Attention", identifiers and names of all levels
  std::string file{};  ///< behind the folder of the round: "0_Layer/after/outtensor0.bin"; or empty
};

/// `statistics.csv`, which the dumper of PyTorch writes into a module's folder. Words, as "N/A",
/// stand for no number. Errors: NotFound, Io, CorruptData (`file: line n: what; remedy`): a missing
/// heading, a row with another number of fields than there are headings or with more than 1024, a
/// size or number that is none, or too large to be one.
[[nodiscard]] Result<std::vector<TensorStatistics>> readModuleStatistics(
    const std::filesystem::path& path);

/// `statistic.csv`, which the ATB probe of msprobe writes. Errors: those of readModuleStatistics().
[[nodiscard]] Result<std::vector<TensorStatistics>> readOperationStatistics(
    const std::filesystem::path& path);

/// Gives the rows of a unit the numbers of operations; where it has none, makes entries and rows of
/// the table. What belongs to no row becomes a note that counts it.
void addStatistics(RecordedUnit& unit,
                   const std::vector<TensorStatistics>& table,
                   const std::filesystem::path& file);

}  // namespace ulp::dumps::msit
