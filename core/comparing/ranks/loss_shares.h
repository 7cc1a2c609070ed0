#pragma once

#include <cstdint>
#include <vector>

#include "core/dumps/model/dump.h"

/// What data-parallel ranks have of the loss whose gradients parameters get: each has a loss of its
/// own, and the whole is their sum by a divisor (RankLayout::gradientDivisor).
namespace ulp::analysis {

/// A gradient that arrives at a call or leaves it.
[[nodiscard]] bool isGradientOfCall(const dumps::DumpRow& row);

/// Such as a loss: one number, which need not be the same on all ranks.
[[nodiscard]] bool isNumber(const dumps::DumpRow& row);

/// Of a tensor of which every element is divided.
[[nodiscard]] dumps::Statistics dividedBy(const dumps::Statistics& all, double divisor);

/// Of `count` elements; of whole numbers, whose sums and squares are whole, without the rounding
/// that putting the statistics of parts together leaves.
[[nodiscard]] dumps::Statistics withoutRounding(const dumps::Statistics& all,
                                                const dumps::DumpRow& row,
                                                std::uint64_t count);

/// Of the mean of numbers.
[[nodiscard]] dumps::Statistics meanOfNumbers(const std::vector<dumps::Statistics>& numbers);

/// Some gradient of a parameter is the same on all ranks, as those are that were summed up before
/// they were recorded: then all are. Only what was recorded beside the elements is looked at.
[[nodiscard]] bool areGradientsSummed(const std::vector<dumps::DumpUnitPtr>& ranks);

}  // namespace ulp::analysis
