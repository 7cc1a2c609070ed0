#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace ulp::views {

using Overrides = std::map<std::string, std::string>;

/// `base` with the last part of every override's value: "bf16" and a float32 residual are
/// "bf16_residual_float32"; a number is added where the study has that variant already.
[[nodiscard]] std::string newVariantName(std::string_view yaml,
                                         const std::string& base,
                                         const Overrides& overrides);

/// The study with one more variant at the end of its list, everything else as it was, comments
/// included. Errors: those of study::addVariant().
[[nodiscard]] Result<std::string> withVariant(std::string_view yaml,
                                              const std::string& name,
                                              const Overrides& overrides);

}  // namespace ulp::views
