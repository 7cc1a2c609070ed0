#pragma once

#include <cstddef>
#include <string>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/json/writer.h"

namespace ulp::cli {

/// Where two runs of the same calls part, bit by bit, and what is known to be non-deterministic
/// there or before; nothing where the candidate does not look like the baseline run again, or where
/// the culprit is that the runs were given different numbers. `longest` bounds the list of
/// suspects.
[[nodiscard]] std::string repeatabilityText(const analysis::UnitOutcome& unit, std::size_t longest);
/// The fields `repeated`, `first_difference` (null: there is none) and `suspects`, in an object
/// that is open.
void writeRepeatability(json::Writer& json, const analysis::Repeatability& repeatability);

}  // namespace ulp::cli
