#pragma once

#include <cstddef>
#include <cstdint>

#include "core/study/reading/study.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

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

}  // namespace ulp::test
