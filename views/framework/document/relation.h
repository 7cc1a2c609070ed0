#pragma once

#include <cstdint>

namespace ulp::views {

/// What views show of a run.
enum class Relation : std::uint8_t {
  Error,       ///< its error against the baseline
  Difference,  ///< its error less that of the baseline, both against the reference
  Ratio        ///< its error as a multiple of that of the baseline
};

}  // namespace ulp::views
