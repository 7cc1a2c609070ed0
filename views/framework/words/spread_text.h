#pragma once

#include <cstdint>

#include <QtCore/QString>

#include "core/report/model/spread.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {

/// False where nothing is known of samples.
[[nodiscard]] bool isKnown(const report::Spread& spread);
/// " ±0.021 (n=7)", as reports in text have it behind a mean; empty for one sample.
[[nodiscard]] QString intervalText(const report::Spread& spread,
                                   std::uint64_t samples,
                                   numerics::MetricUnit unit);
/// Samples in which the number is finite.
[[nodiscard]] std::uint64_t finiteSamples(const report::Spread& spread, std::uint64_t samples);
/// What a tooltip says of a mean: interval, standard deviation, extremes, samples and in how many
/// of them it is undefined; empty for one sample.
[[nodiscard]] QString spreadHelp(const report::Spread& spread,
                                 std::uint64_t samples,
                                 const MetricInfo& metric);

}  // namespace ulp::views
