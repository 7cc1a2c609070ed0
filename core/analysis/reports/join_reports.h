#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// Copies what a run says of itself: everything but its comparisons.
[[nodiscard]] report::Run withoutComparisons(const report::Run& run);

/// A report of the same study in which `reference` is the reference and, so far, the only run.
[[nodiscard]] report::Report derivedReport(const report::Report& report,
                                           const report::Run& reference);

class ComparedDumps;

/// A report that takes part in a comparison, and how its names read in those of the first one.
struct ReportSource {
  report::LoadedReport loaded;
  SiteMapping mapping;
  /// Where the tensors of a comparison of dumps are; null: it is none, or nobody has asked yet.
  std::shared_ptr<ComparedDumps> dumps{};
};

/// Where a run of joined reports comes from.
struct RunOrigin {
  std::size_t source = 0;  ///< in the sources
  std::string run;         ///< its name there
};

/// The runs of several reports as one report. The first source gives model, provenance and the
/// reference; a run whose name is taken is called "name (folder)", with a number where that is
/// taken, too; a unit of a comparison of dumps "candidate: step 0". Metrics are those of all
/// sources; a value that a source lacks is NaN (undefined). So are settings: the effective
/// configuration has every run by its name here.
struct JoinedReports {
  report::ReportPtr report;
  std::vector<RunOrigin> origins;  ///< parallel to report->runs
  /// For each source: names that its mapping changed, new name → own name.
  std::vector<std::unordered_map<std::string, std::string>> ownNames;
  /// For each source: its reference run ran under the same weights, tokens and effective settings
  /// as that of the first one (otherInputs()), so that errors of their variants can be put side by
  /// side.
  std::vector<bool> sharesReference;

  /// The name of a tensor in its own report.
  [[nodiscard]] std::string ownName(std::size_t run, const std::string& site) const;
};

/// Joins reports, and looks at `stop` at every row. One source is joined to itself: the same
/// report, nothing copied. `sources` must not be empty. Errors: Cancelled; those of
/// SiteMapping::map().
[[nodiscard]] Result<JoinedReports> joinReports(std::span<const ReportSource> sources,
                                                const std::stop_token& stop = {});

}  // namespace ulp::analysis
