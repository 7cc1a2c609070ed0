#pragma once

#include <cstdint>
#include <vector>

#include "core/study/reading/study.h"

namespace ulp::analysis {

/// Bytes of an element in a run.
struct RunFormats {
  std::uint64_t compute = 4;
  std::uint64_t residual = 4;
  std::uint64_t head = 4;
  std::uint64_t optimizer = 4;
};

/// Lists the formats of the runs of a study: the reference, the runs of the noise floor, which
/// repeat it, and the variants.
[[nodiscard]] std::vector<RunFormats> runFormats(const study::Study& study);

}  // namespace ulp::analysis
