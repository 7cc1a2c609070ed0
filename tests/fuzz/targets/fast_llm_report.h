#pragma once

#include <cstddef>
#include <cstdint>

#include "core/report/files/fast_llm_report.h"
#include "tests/fuzz/fuzz_report.h"

namespace ulp::test {

/// Either version of Fast-LLM's.
inline void fuzzFastLlmReport(const std::uint8_t* data, std::size_t size) {
  checkReport(report::parseFastLlmReport(fuzzText(data, size), "report.json"));
}

}  // namespace ulp::test
