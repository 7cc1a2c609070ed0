#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/run/study_run.h"
#include "app/cli/sources/run_pair.h"
#include "core/analysis/depth/divergence.h"
#include "core/analysis/studies/counterfactual.h"
#include "core/json/writer.h"

/// Why two runs differ, told by runs in which one difference of configuration is taken back.
namespace ulp::cli {

/// How a counterfactual came out, against the baseline.
struct Verdict {
  std::string name;
  std::string cause;
  std::string change;
  bool isWhole = false;
  double siteShare = 0;    ///< equal elements where the runs differed first
  double logitsShare = 0;  ///< NaN: logits were not captured
  std::size_t equal = 0;   ///< tensors
  std::size_t tensors = 0;

  [[nodiscard]] bool isEqual() const { return equal == tensors; }
};

struct Proof {
  std::string site;       ///< where the runs differ first
  std::string baseline;   ///< whom the counterfactuals are compared with
  std::string candidate;  ///< whom they change
  Verdict control{};      ///< the candidate once more, as it was
  std::vector<Verdict> verdicts{};
  std::string report{};  ///< file of the counterfactual runs
};

/// Runs the counterfactual study in this process, with progress and Ctrl-C as `run` has them.
/// `arguments` says where, on which device and with how much progress; `pair` differs at
/// `divergence`. Errors: those of planCounterfactuals() and of the study, and Internal
/// when the control does not repeat the difference.
[[nodiscard]] Result<Proof> proveCause(const RunPair& pair,
                                       const analysis::ExactDivergence& divergence,
                                       RunArguments arguments,
                                       const CommandContext& context);

/// The verdicts as a table, then the cause in a sentence.
void printProof(std::ostream& out, const Proof& proof);
/// The same as the field `proof` of the object that is open.
void writeProof(json::Writer& json, const Proof& proof);

/// The narrowest change that makes all logits equal; null: none does.
[[nodiscard]] const Verdict* causeOf(const Proof& proof);

}  // namespace ulp::cli
