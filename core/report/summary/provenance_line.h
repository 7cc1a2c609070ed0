#pragma once

#include <string>
#include <string_view>

#include "core/report/model/report.h"

namespace ulp::report {

/// Says how much input the numbers rest on, as far as the report tells: "1 sample, 2 sequences of
/// 128 tokens, 2 documents, 254 labels", or "3 of 8 samples, …" while it runs. Empty where it says
/// nothing.
[[nodiscard]] std::string inputAmount(const Report& report);

/// Says where numbers come from, in one line beside a picture or table: model, digest of its
/// weights, input and digest of its tokens, how many samples, tokens, documents and labels, device,
/// date, version. What the report does not say is left out.
[[nodiscard]] std::string provenanceLine(const Report& report);

/// A digest as lines show it: its first characters, without the name of the hash.
[[nodiscard]] std::string shortDigest(std::string_view digest);

/// The id of the device, as studies name it: "cuda:0" of "cuda:0 (NVIDIA H200)".
[[nodiscard]] std::string deviceId(const Provenance& made);

/// "compute_capability 9.0, cublas 13.1.0, …"; empty where the report names none.
[[nodiscard]] std::string deviceFactsText(const Report& report);

/// Which attention kernels each run used, as far as the report says: "reference math; bf16 flash,
/// math".
[[nodiscard]] std::string attentionText(const Report& report);

/// Says in one line what a run changes: "precision.compute_dtype: bfloat16, …"; for a run of the
/// noise floor that changes no setting, what it measures (floorLabel()).
[[nodiscard]] std::string changesOf(const Run& run);

}  // namespace ulp::report
