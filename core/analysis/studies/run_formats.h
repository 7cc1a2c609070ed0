#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/study/reading/study.h"

namespace ulp::analysis {

/// Bytes of an element in a run, and what else decides how much it keeps.
struct RunFormats {
  std::string run{};  ///< its name
  std::uint64_t compute = 4;
  std::uint64_t residual = 4;
  std::uint64_t head = 4;
  std::uint64_t optimizer = 4;
  /// On a CUDA device attention keeps its scores: it is eager or the plain SDPA, which a reference
  /// in float32 or wider takes there unless the study says otherwise.
  bool keepsScores = false;
  /// Positions that are computed for each that is compared (section batch of the study); 1 where a
  /// token file decides how many are compared.
  double positions = 1;
};

/// Lists the formats of the runs of a study: the reference, the runs of the noise floor, which
/// repeat it, and the variants.
[[nodiscard]] std::vector<RunFormats> runFormats(const study::Study& study, bool isOnCuda);

}  // namespace ulp::analysis
