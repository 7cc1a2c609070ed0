#pragma once

#include <iosfwd>

#include "app/cli/command.h"
#include "app/cli/run/study_run.h"
#include "core/analysis/depth/run_difference.h"
#include "core/analysis/reports/run_pair.h"
#include "core/analysis/studies/proof.h"
#include "core/base/result.h"
#include "core/json/writer.h"

/// Why two runs differ, told by runs in which one difference of configuration is taken back.
namespace ulp::cli {

/// Runs the counterfactual study in this process, with progress and Ctrl-C as `run` has them.
/// `arguments` says where, on which device and with how much progress; `pair` has the
/// difference. Errors: those of planProof(), of the study and of judgeProof().
[[nodiscard]] Result<analysis::Proof> proveCause(const analysis::RunPair& pair,
                                                 const analysis::RunDifference& difference,
                                                 RunArguments arguments,
                                                 const CommandContext& context);

/// The verdicts as a table, then the cause in a sentence.
void printProof(std::ostream& out, const analysis::Proof& proof);
/// The same as the field `proof` of the object that is open.
void writeProof(json::Writer& json, const analysis::Proof& proof);

}  // namespace ulp::cli
