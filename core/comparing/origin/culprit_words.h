#pragma once

#include <string>
#include <vector>

#include "core/base/text/sentence.h"
#include "core/comparing/measure/row_difference.h"

/// What a verdict says of a tensor.
namespace ulp::analysis {

/// "output.0" of "model.mlp.forward.0.output.0": what says the reason stands beside the call.
[[nodiscard]] std::string nameInCall(const std::string& call, const std::string& row);

/// "the candidate lacks a, and has b", of names of calls and rows; empty: of none.
[[nodiscard]] std::string lacksText(const std::vector<std::string>& lacking,
                                    const std::vector<std::string>& extra);

/// "[2, 3]".
[[nodiscard]] std::string shapeOf(const dumps::DumpRow& row);

/// "3.2 %"; infinite: an unknown amount.
[[nodiscard]] Sentence amountOf(double error);

/// How a tensor that `subject` names differs from the baseline's.
[[nodiscard]] Sentence differenceText(Sentence subject, const RowDifference& difference);

/// A tensor is farther off than `carried`, and nothing that was recorded made it.
[[nodiscard]] Sentence gapText(Sentence different, double carried);

}  // namespace ulp::analysis
