#pragma once

#include "core/report/model/dump_origin.h"
#include "core/report/model/report.h"

namespace ulp::report {

/// One dump is looked at, and compared with none: its runs are what was recorded, not errors.
[[nodiscard]] inline bool isOneDump(const DumpOrigin& origin) {
  return origin.candidate.path.empty() && !origin.baseline.path.empty();
}
[[nodiscard]] inline bool isOfOneDump(const Report& report) {
  return report.dumps && isOneDump(*report.dumps);
}

/// Rule of the findings by which a report of one dump says where its numbers stop being finite.
inline constexpr std::string_view kOverflowRule = "overflow";

}  // namespace ulp::report
