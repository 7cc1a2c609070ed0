#pragma once

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/formats/format.h"
#include "tests/support/data/report_builder.h"

namespace ulp::test {

inline std::string exported(std::string_view format,
                            const report::Report& report,
                            const report::ExportOptions& options = {}) {
  const auto found = report::findReportFormat(format);
  if (!found) {
    ADD_FAILURE() << found.error().message();
    return {};
  }
  auto text = found->writeReport(report, options);
  EXPECT_TRUE(text.has_value()) << text.error().message();
  return text.value_or("");
}

}  // namespace ulp::test
