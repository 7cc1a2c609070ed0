#pragma once

#include <string_view>

namespace ulp::report {

/// Says in words what a run of the noise floor measures: "rounding of the reference itself" of
/// "floor.float64". Empty where the run is no such run, or one that this version does not know.
[[nodiscard]] std::string_view floorMeaning(std::string_view run);

}  // namespace ulp::report
