#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/reports/run_pair.h"
#include "core/analysis/studies/counterfactual.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"

/// Why two runs differ, told by runs in which one difference of configuration is taken back.
namespace ulp::analysis {

/// How a counterfactual came out, against the baseline.
struct CounterfactualVerdict {
  std::string name;
  Sentence cause;
  Sentence change;
  std::vector<std::string> keys{};  ///< of a study: those in which it takes differences back
  bool isWhole = false;
  double siteShare = 0;    ///< equal elements where the runs differed first
  double logitsShare = 0;  ///< NaN: logits were not captured
  std::size_t equal = 0;   ///< tensors
  std::size_t tensors = 0;

  [[nodiscard]] bool isEqual() const { return equal == tensors; }
};

struct Proof {
  std::string site;                 ///< where the runs differ first
  std::string baseline;             ///< whom the counterfactuals are compared with
  std::string candidate;            ///< whom they change
  CounterfactualVerdict control{};  ///< the candidate once more, as it was
  std::vector<CounterfactualVerdict> verdicts{};
  std::string report{};  ///< file of the counterfactual runs
};

/// Plans the study that tells why two runs differ whose first difference is at `first`, with the
/// paths of the candidate's study as they are found from here. Errors: those of
/// planCounterfactuals().
[[nodiscard]] Result<CounterfactualStudy> planProof(const RunPair& pair,
                                                    const Site& first,
                                                    const std::filesystem::path& output);
/// Where its results belong: beside the study of the candidate, named after it, "a" and "bf16":
/// "a_cause_bf16".
[[nodiscard]] std::filesystem::path proofFolder(const NamedRun& candidate);

/// Tells whether the text of a study is that of the planned one: has the same runs, wherever model,
/// input and results lie.
[[nodiscard]] bool isOfPlan(std::string_view study, const CounterfactualStudy& plan);

/// Judges every run of the study that `plan` says, which is done. Errors: InvalidArgument: other
/// weights or tokens, or the runs as they were do not differ as they did, so that nothing is
/// proved; Internal: a run is missing.
[[nodiscard]] Result<Proof> judgeProof(const RunPair& pair,
                                       const CounterfactualStudy& plan,
                                       const report::Report& report,
                                       const Site& first);

/// Tells whether the logits of the runs differ. Where they do not, or were not captured, a cause is
/// one of the other tensors' differences.
[[nodiscard]] bool doLogitsDiffer(const Proof& proof);
/// The narrowest change that makes all logits equal, or every tensor where the logits do not
/// differ; null: none does.
[[nodiscard]] const CounterfactualVerdict* causeOf(const Proof& proof);
/// The change that comes nearest: the cause; else what makes the first difference equal, else what
/// makes most logits, or tensors, equal; null: nothing was changed.
[[nodiscard]] const CounterfactualVerdict* nearestTo(const Proof& proof);
/// What the proof says: the cause, or what is known where no change is one.
[[nodiscard]] std::vector<report::Sentence> proofSentences(const Proof& proof);

/// Where a run has a setting from.
struct SettingPlace {
  std::string run;   ///< as the report calls it
  std::string key;   ///< that it has a value of
  int line = 0;      ///< of study.yaml, from 1; 0: set on the command line
  std::string text;  ///< the line, without the blanks around it; "--set KEY=VALUE"

  friend bool operator==(const SettingPlace&, const SettingPlace&) = default;
};

/// The lines of a run's study that give it the values of `keys`, each line once; what nobody set
/// (defaults, float32 of the reference) has none. Nothing where the report holds no study.
[[nodiscard]] std::vector<SettingPlace> settingPlaces(const NamedRun& of,
                                                      const std::vector<std::string>& keys);

}  // namespace ulp::analysis
