#pragma once

#include <cstddef>
#include <cstdint>

#include "core/analysis/mapping/site_mapping.h"
#include "core/comparing/verdict/verdict_rules.h"
#include "core/study/reading/study.h"
#include "tests/fuzz/fuzz_input.h"

/// What the fuzzers do with files that users write. Their regular expressions are compiled, never
/// searched for: that may take as long as whoever wrote one likes.
namespace ulp {

/// A study, also one of Fast-LLM. Every run of one that is accepted has its settings.
inline void fuzzStudy(const std::uint8_t* data, std::size_t size) {
  const auto study = study::parseStudy(fuzzText(data, size), "study.yaml");
  if (!study) {
    require(!study.error().message().empty());
    return;
  }
  require(study::effectiveSettings(*study, study::kReferenceName).has_value());
  for (const study::Variant& variant : study->variants) {
    require(study::effectiveSettings(*study, variant.name).has_value());
  }
}

/// A mapping file, also one of msprobe.
inline void fuzzMapping(const std::uint8_t* data, std::size_t size) {
  const auto mapping = analysis::SiteMapping::parse(fuzzText(data, size), "mapping.yaml");
  require(mapping || !mapping.error().message().empty());
}

/// Rules of a comparison.
inline void fuzzVerdictRules(const std::uint8_t* data, std::size_t size) {
  const auto rules = analysis::VerdictRules::parse(fuzzText(data, size), "rules.yaml");
  require(rules || !rules.error().message().empty());
}

}  // namespace ulp
