#pragma once

#include <array>
#include <string_view>

#include "core/report/model/log_probabilities.h"
#include "core/report/model/token_texts.h"
#include "core/tensors/store/capture_layout.h"

/// What of a run folder on a host lies beside its report here, too. Tensors stay there.
namespace ulp::remote {

inline constexpr std::string_view kReport = "precision_report.json";
/// These grow at their end.
inline constexpr std::array<std::string_view, 2> kAppendedFiles{"events.jsonl", "run.log"};
/// These are replaced as a whole. In this order, so that the report comes last.
inline constexpr std::array<std::string_view, 4> kReplacedFiles{
    "study.yaml", report::kTokenTextFile, report::kLogProbabilityFile, kReport};
/// This one is changed where it is, and comes when nothing writes to it any more.
inline constexpr std::string_view kFinalFile = tensors::kSampleFile;

}  // namespace ulp::remote
