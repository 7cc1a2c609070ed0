#pragma once

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/comparing/align/dump_sides.h"
#include "core/comparing/verdict/dump_report.h"

namespace ulp::test {

/// The report that opening a dump alone makes. What cannot be read ends the test.
inline report::Report reportOfOneDump(const std::filesystem::path& path) {
  auto sides = analysis::openSides({.baseline = {.path = path}});
  if (!sides) {
    throw std::runtime_error(sides.error().message());
  }
  auto contents = analysis::readContents(*sides->baseline, {});
  if (!contents) {
    throw std::runtime_error(contents.error().message());
  }
  return analysis::toReport(std::move(*contents), sides->origin);
}

}  // namespace ulp::test
