#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"

namespace ulp::tensors {

/// A row of samples.h5.
struct SampleRow {
  std::string name;
  Pass pass = Pass::Forward;
};

/// One metric of one run in every sample that is finished.
struct SampleTable {
  std::vector<SampleRow> rows;         ///< in order of execution
  std::vector<std::uint64_t> samples;  ///< their numbers, from 0, rising
  std::vector<double> values;          ///< row-major [samples, rows]; NaN: undefined

  [[nodiscard]] double at(std::size_t sample, std::size_t row) const {
    return values[sample * rows.size() + row];
  }
};

/// Reads the rows alone. Errors: as of readSamples().
[[nodiscard]] Result<std::vector<SampleRow>> readSampleRows(const std::filesystem::path& folder);

/// Reads them from the file of a run folder, also while a worker writes it. Errors: NotFound where
/// there is no such file, run or metric; CorruptData.
[[nodiscard]] Result<SampleTable> readSamples(const std::filesystem::path& folder,
                                              std::string_view run,
                                              std::string_view metric);

}  // namespace ulp::tensors
