#pragma once

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/exporters/exporter.h"
#include "tests/support/data/report_builder.h"

namespace ulp::test {

inline std::string exported(std::string_view format,
                            const report::Report& report,
                            const report::ExportOptions& options = {}) {
  const report::ExporterRegistry registry = report::builtinExporters();
  const report::Exporter* exporter = registry.find(format);
  if (exporter == nullptr) {
    ADD_FAILURE() << "no exporter " << format;
    return {};
  }
  auto text = exporter->write(report, options);
  EXPECT_TRUE(text.has_value()) << text.error().message();
  return text.value_or("");
}

}  // namespace ulp::test
