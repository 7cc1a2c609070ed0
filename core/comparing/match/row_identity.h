#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/dtype.h"
#include "core/dumps/model/dump.h"

/// What a recorded tensor or argument is, as far as its own row tells.
namespace ulp::analysis {

/// A parameter, also as an argument of a function that takes one in its place: input 1 of linear.
[[nodiscard]] bool isParameter(const dumps::DumpEntry& entry, const dumps::DumpRow& row);
/// What tells a tensor from others of its run, by checksum, else by its statistics; empty where
/// nothing was recorded that does. Dumps hold no graph: equal fingerprints say what made an input.
[[nodiscard]] std::string fingerprintOf(const dumps::DumpRow& row);
/// The number that an argument is; nothing for tensors, texts and lists.
[[nodiscard]] std::optional<double> argumentNumber(const dumps::DumpRow& row);
/// Infinity, or the lowest or highest finite number of a format, which stands for it in masks.
[[nodiscard]] bool isLimit(double value);
/// Scores behind a mask: their extremes say nothing of the others.
[[nodiscard]] bool isMasked(const dumps::DumpRow& row);
/// The format that the tool named, "torch.bfloat16" or "BFloat16".
[[nodiscard]] std::optional<DType> elementTypeOf(const dumps::DumpRow& row);
/// The last part of a name without underscores, in lower case, so that functions, their variants in
/// place and classes of modules meet: "scatteradd", "maxpool3d".
[[nodiscard]] std::string plainOperation(std::string_view operation);

}  // namespace ulp::analysis
