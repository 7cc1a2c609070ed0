#pragma once

#include <string>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::analysis {

/// In what two studies are told apart besides the formats of their variants: a difference between
/// their runs is then not one of precision alone. What one of them says nothing of may be the same.
struct OtherInputs {
  bool tokens = false;
  bool weights = false;
  /// Keys of which their references have other values; none that says where tokens, weights and
  /// results are, on what machine the study ran, or what it kept.
  std::vector<std::string> settings{};

  [[nodiscard]] bool areAny() const { return tokens || weights || !settings.empty(); }
};

[[nodiscard]] OtherInputs otherInputs(const report::Report& a, const report::Report& b);

}  // namespace ulp::analysis
