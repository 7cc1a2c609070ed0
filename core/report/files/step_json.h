#pragma once

#include <array>
#include <string_view>

#include "core/json/record.h"
#include "core/report/model/report.h"

/// What precision_report.json says of the step that a run took.
namespace ulp::report {

inline constexpr std::array kClipFields{json::field<&ClipSummary::unit>("unit"),
                                        json::field<&ClipSummary::count>("count"),
                                        json::field<&ClipSummary::below>("below"),
                                        json::field<&ClipSummary::above>("above"),
                                        json::field<&ClipSummary::stopped>("stopped"),
                                        json::field<&ClipSummary::flips>("flips"),
                                        json::field<&ClipSummary::gradientFlips>("gradient_flips")};

inline constexpr std::array kTermFields{
    json::field<&LossTermSummary::type>("type"),
    json::field<&LossTermSummary::weight>("weight"),
    json::field<&LossTermSummary::value>("value"),
    json::field<&LossTermSummary::metrics, json::isGiven<&LossTermSummary::metrics>>("metrics"),
    json::recordField<&LossTermSummary::clips, kClipFields>("clips")};

inline constexpr std::array kStepFields{
    json::field<&StepSummary::labels>("labels"),
    json::field<&StepSummary::documents>("num_documents"),
    // A run is one step, so that it has seen no others.
    json::Field<StepSummary>{
        "documents_seen",
        [](json::Reader& json, StepSummary& /*step*/) { json.skipValue(); },
        [](json::Writer& json, std::string_view name, const StepSummary& step) {
          json.field(name, step.documents);
        }},
    json::field<&StepSummary::microBatches>("micro_batches"),
    json::recordField<&StepSummary::terms, kTermFields>("terms")};

}  // namespace ulp::report
