#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compat/msit/comparison.h"
#include "core/compat/msit/side.h"
#include "core/dumps/msit/pairing.h"

namespace ulp::compat::msit {

/// `statstics_cmp_report_*.csv` of two dumps of numbers: of PyTorch as golden, of ATB as the side
/// under test. What cannot be read, or lacks a number, is added to `failures`, and the rest is
/// compared. Errors: InvalidArgument for other kinds of dumps; Cancelled; asOneError() of the
/// failures where nothing could be compared.
[[nodiscard]] Result<std::string> statisticsCsv(const Side& golden,
                                                const Side& my,
                                                const std::vector<TokenPair>& tokens,
                                                const std::vector<dumps::msit::NodePair>& pairs,
                                                std::vector<Error>& failures,
                                                const std::stop_token& stop);

}  // namespace ulp::compat::msit
