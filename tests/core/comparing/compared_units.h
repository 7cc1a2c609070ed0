#pragma once

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/comparing/verdict/dump_comparison.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::test {

/// What a comparison of two dumps of one unit each tells, with a mapping file's text.
inline analysis::UnitOutcome compared(const std::shared_ptr<BuiltUnit>& left,
                                      const std::shared_ptr<BuiltUnit>& right,
                                      const std::string& yaml = "") {
  BuiltDump baseline;
  baseline.path = "a";
  baseline.add(left);
  BuiltDump candidate;
  candidate.path = "b";
  candidate.add(right);
  const auto mapping = analysis::SiteMapping::parse(yaml, "m.yaml");
  EXPECT_TRUE(mapping) << mapping.error().message();
  auto comparison = analysis::compareDumps(baseline, candidate, {.mapping = *mapping});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return std::move(comparison->units.front());
}

}  // namespace ulp::test
