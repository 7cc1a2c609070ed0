#pragma once

#include <cstddef>
#include <cstdint>

#include "core/analysis/mapping/site_mapping.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// A mapping file, also one of msprobe.
inline void fuzzMapping(const std::uint8_t* data, std::size_t size) {
  const auto mapping = analysis::SiteMapping::parse(fuzzText(data, size), "mapping.yaml");
  require(mapping || !mapping.error().message().empty());
}

}  // namespace ulp::test
