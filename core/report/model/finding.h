#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/base/text/sentence.h"
#include "core/report/model/report.h"

namespace ulp::report {

enum class FindingSeverity : std::uint8_t {
  Note,   ///< worth knowing
  Look,   ///< an error that something must have made
  Broken  ///< numbers are gone
};
[[nodiscard]] std::string_view toString(FindingSeverity severity);  ///< "note" | "look" | "broken"
[[nodiscard]] std::optional<FindingSeverity> parseFindingSeverity(std::string_view name);

using ulp::Sentence;

/// A number that a finding rests on.
struct FindingNumber {
  std::string name;  ///< English, as it stands in the report
  double value = 0;
  bool isRatio = false;  ///< shown as a percentage
  std::string run{};     ///< whose number it is, of a finding about several; empty: of all

  /// "error", of one among several runs "error (bf16)": as reports hold it.
  [[nodiscard]] std::string label() const { return run.empty() ? name : name + " (" + run + ")"; }

  friend bool operator==(const FindingNumber&, const FindingNumber&) = default;
};

/// A conclusion of an analysis rule (DESIGN section 1).
struct Finding {
  std::string rule;  ///< id of the rule
  FindingSeverity severity = FindingSeverity::Look;
  Sentence title;                      ///< what was found
  Sentence explanation;                ///< the rule with its thresholds
  std::vector<FindingNumber> numbers;  ///< what it rests on
  std::vector<Site> sites;             ///< the first is where to look; empty: of whole runs
  std::vector<std::string> runs;       ///< variants that it is about, in report order
  std::map<std::string, std::string> overrides;  ///< of a variant worth trying; empty: none

  /// A finding about no run in particular is about every one.
  [[nodiscard]] bool isAbout(const std::string& run) const {
    return runs.empty() || std::find(runs.begin(), runs.end(), run) != runs.end();
  }

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// Rule of the findings by which a comparison of dumps says where its errors start.
inline constexpr std::string_view kCulpritRule = "culprit";

/// The findings that a report holds, in their order; none where it has none. Sentences come back
/// whole, except where the parts that the report holds do not make the text beside them: of an
/// earlier version, or changed by hand. Then the text is the pattern. Errors: CorruptData.
[[nodiscard]] Result<std::vector<Finding>> readFindings(const Report& report);
/// Replaces the findings of a report that is being made.
void setFindings(Report& report, const std::vector<Finding>& findings);

}  // namespace ulp::report
