#pragma once

#include <cstddef>
#include <cstdint>

#include "core/analysis/rules/verdict_rules.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// Rules of a comparison.
inline void fuzzVerdictRules(const std::uint8_t* data, std::size_t size) {
  const auto rules = analysis::VerdictRules::parse(fuzzText(data, size), "rules.yaml");
  require(rules || !rules.error().message().empty());
}

}  // namespace ulp::test
