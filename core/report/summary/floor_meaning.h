#pragma once

#include <string_view>

namespace ulp::report {

/// What a run of the noise floor measures, for people: "rounding of the reference itself" of
/// "floor.float64". Empty where the run is no such run, or one that this version does not know.
[[nodiscard]] std::string_view floorMeaning(std::string_view run);

}  // namespace ulp::report
