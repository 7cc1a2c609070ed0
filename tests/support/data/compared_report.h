#pragma once

#include <stdexcept>
#include <utility>

#include "core/comparing/align/dump_sides.h"
#include "core/comparing/verdict/dump_comparison.h"

namespace ulp::test {

/// The report that comparing two dumps makes. What cannot be compared ends the test.
inline report::Report comparedReport(const report::DumpOrigin& origin) {
  auto sides = analysis::openSides(origin);
  if (!sides) {
    throw std::runtime_error(sides.error().message());
  }
  auto comparison =
      analysis::compareDumps(*sides->baseline,
                             *sides->candidate,
                             {.mapping = sides->mapping, .readsElements = origin.readsElements});
  if (!comparison) {
    throw std::runtime_error(comparison.error().message());
  }
  return analysis::toReport(std::move(*comparison), sides->origin);
}

}  // namespace ulp::test
