#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/numerics/rounding/number_format.h"
#include "core/study/reading/study.h"
#include "core/study/schema/value_check.h"

namespace ulp::study {

/// The keys of section `batch` of one run: in which company its sequences go through the model.
struct BatchSettings {
  std::int64_t among = 0;
  std::int64_t place = 0;  ///< 0 where there are no others
  std::uint64_t seed = 0;
  std::int64_t padding = 0;
  bool isPaddedLeft = true;
  std::int64_t chunkLength = 0;
  bool generatesInSteps = false;  ///< positions behind a prompt go through the model one by one
  std::optional<numerics::NumberFormat> cacheFormat{};

  [[nodiscard]] bool isCached() const { return chunkLength > 0 || generatesInSteps; }
  [[nodiscard]] bool isPlain() const { return among == 0 && padding == 0 && !isCached(); }
  /// How many positions are computed where the run alone has `sequences` of `length`.
  [[nodiscard]] std::int64_t positions(std::int64_t sequences, std::int64_t length) const {
    return (among > sequences ? among : sequences) * (length + padding);
  }
};

/// Of the effective settings of a run of the study, which hold every key.
[[nodiscard]] BatchSettings batchSettings(const Study& study, const Settings& settings);

/// Why the sequences of a micro-batch cannot be among so many; empty: they can.
[[nodiscard]] std::string placeProblem(const BatchSettings& batch, std::int64_t sequences);

/// What contradicts the keys of section `batch` in some run, at the value that does.
[[nodiscard]] std::vector<ValueProblem> batchProblems(const Study& study);

}  // namespace ulp::study
