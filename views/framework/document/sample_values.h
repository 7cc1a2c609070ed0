#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// What the samples of a study gave for one metric of one variant.
struct SampleValues {
  int variant = -1;
  int metric = -1;
  std::vector<std::uint64_t> samples;       ///< their numbers, from 0
  std::vector<std::vector<double>> values;  ///< [samples][sites of the document]; NaN: undefined
};

/// Reads samples.h5 of the report that the variant comes from. Any thread. Errors: NotFound where
/// the study has one sample, the values are related to another run or the file is gone;
/// CorruptData.
[[nodiscard]] Result<SampleValues> readSampleValues(const ReportDocument& document,
                                                    int variant,
                                                    int metric);

}  // namespace ulp::views
