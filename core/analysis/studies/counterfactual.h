#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/text/sentence.h"
#include "core/report/model/report.h"

/// Why two runs differ, as an experiment: one change at a time that may make them equal.
namespace ulp::analysis {

/// A run of a report.
struct RunOfReport {
  const report::Report& report;
  std::string run;
};

/// A change of the candidate run that takes one difference of configuration back.
struct Counterfactual {
  std::string name;  ///< of its variant
  Sentence cause;    ///< what the change takes away
  Sentence change;   ///< what it puts in its place
  /// Key, value as YAML, over those of the run; empty: the run's own is left out.
  std::map<std::string, std::string> settings;
  std::vector<std::string> keys;  ///< in which it takes a difference back
  /// It leaves no difference of configuration to the baseline, so that it cannot but be equal.
  bool isWhole = false;
};

/// Variant that repeats the candidate without a change: the control of the experiment.
inline constexpr std::string_view kUnchangedRun = "unchanged";

/// A study whose reference is `baseline`, whose variants are kUnchangedRun and the counterfactuals.
struct CounterfactualStudy {
  std::string yaml;
  std::vector<Counterfactual> counterfactuals;
  std::string baseline;   ///< name of the run that its reference repeats
  std::string candidate;  ///< of the one that the changes are made to
};

/// Makes it from the effective settings of both runs: each setting in which they differ is taken
/// back alone; so are, where precision.cast: module differs, the rounded frequencies of the rotary
/// tables alone, and in `module` (of the first difference; empty: none) all formats that differ
/// there, by what the runs set and by their rules.
/// The runs change places where only the other one can be taken back in parts. Errors:
/// InvalidArgument: other weights, tokens, losses or architecture, no difference of settings, or
/// none that can be taken back, settings that were not recorded.
[[nodiscard]] Result<CounterfactualStudy> planCounterfactuals(const RunOfReport& a,
                                                              const RunOfReport& b,
                                                              std::string_view module,
                                                              const std::filesystem::path& output);

}  // namespace ulp::analysis
