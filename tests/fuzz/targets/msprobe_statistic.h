#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dumps/msit/statistics_table.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// statistic.csv of the ATB probe
inline void fuzzMsprobeStatistic(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write("statistic.csv", fuzzText(data, size));
  const auto table = dumps::msit::readOperationStatistics(folder.path() / "statistic.csv");
  require(table || !table.error().message().empty());
  if (table) {
    for (const dumps::msit::TensorStatistics& tensor : *table) {
      require(!tensor.operation.empty());
    }
  }
}

}  // namespace ulp::test
