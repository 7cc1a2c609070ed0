#pragma once

#include <gtest/gtest.h>

#include "core/analysis/dumps/dump_comparison.h"
#include "core/analysis/dumps/dump_sides.h"

namespace ulp::test {

/// The report that comparing two dumps makes.
inline report::Report comparedReport(const report::DumpOrigin& origin) {
  auto sides = analysis::openSides(origin);
  EXPECT_TRUE(sides) << sides.error().message();
  auto comparison =
      analysis::compareDumps(*sides->baseline,
                             *sides->candidate,
                             {.mapping = sides->mapping, .readsElements = origin.readsElements});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return analysis::toReport(std::move(*comparison), sides->origin);
}

}  // namespace ulp::test
