#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/report/files/fast_llm_report.h"
#include "core/report/model/report.h"
#include "tests/fuzz/fuzz_input.h"

/// What the fuzzers do with both files that are called precision_report.json.
namespace ulp::report {

/// What every reader promises of a report.
inline void checkReport(const Result<Report>& report) {
  if (!report) {
    require(!report.error().message().empty());
    return;
  }
  require(report->runs.empty() || report->findRun(report->reference) == &report->runs.front());
  for (const Run& run : report->runs) {
    require(std::all_of(run.comparisons.begin(), run.comparisons.end(), [&](const Comparison& row) {
      return row.metrics.size() == report->metrics.size();
    }));
  }
}

/// Either of them, told by its content.
inline void fuzzReport(const std::uint8_t* data, std::size_t size) {
  checkReport(parseReport(fuzzText(data, size), "report.json"));
}

/// Either version of Fast-LLM's.
inline void fuzzFastLlmReport(const std::uint8_t* data, std::size_t size) {
  checkReport(parseFastLlmReport(fuzzText(data, size), "report.json"));
}

}  // namespace ulp::report
