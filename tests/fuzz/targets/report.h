#pragma once

#include <cstddef>
#include <cstdint>

#include "core/report/files/fast_llm_report.h"
#include "tests/fuzz/fuzz_report.h"

namespace ulp::test {

/// Either of them, told by its content.
inline void fuzzReport(const std::uint8_t* data, std::size_t size) {
  checkReport(report::parseReport(fuzzText(data, size), "report.json"));
}

}  // namespace ulp::test
