#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::report {

/// What a run used for a key, and who set it.
struct EffectiveValue {
  std::string value;     ///< scalar as text; lists and objects as they stand in the report
  std::string origin;    ///< "default", "study", "variant", …; empty: the report does not say
  bool follows = false;  ///< nobody set it: the run derived it from another key

  friend bool operator==(const EffectiveValue&, const EffectiveValue&) = default;
};

using EffectiveKeys = std::map<std::string, EffectiveValue, std::less<>>;

/// Effective configuration of every run that the report has one of, in the order of the report.
using EffectiveConfig = std::vector<std::pair<std::string, EffectiveKeys>>;

/// The keys of a run; empty: there are none.
[[nodiscard]] const EffectiveKeys& keysOf(const EffectiveConfig& config, std::string_view run);
/// The value of a key; empty: there is none.
[[nodiscard]] std::string valueIn(const EffectiveKeys& keys, std::string_view key);

/// What the losses of a run multiply its logits by, as the rows of its logits are not; 1 where the
/// report does not say.
[[nodiscard]] double logitsScaleIn(const EffectiveKeys& keys);

/// Report::effectiveJson, parsed. Errors: CorruptData.
[[nodiscard]] Result<EffectiveConfig> effectiveConfig(const Report& report);

}  // namespace ulp::report
