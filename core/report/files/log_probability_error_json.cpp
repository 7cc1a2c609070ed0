#include "core/report/files/log_probability_error_json.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ulp::report {
namespace {

struct NumberField {
  std::string_view name;
  double LogProbabilityError::*member;
};

constexpr std::array kNumbers{
    NumberField{"mean", &LogProbabilityError::mean},
    NumberField{"ci95", &LogProbabilityError::interval},
    NumberField{"mean_abs", &LogProbabilityError::meanAbsolute},
    NumberField{"rms", &LogProbabilityError::rms},
    NumberField{"rms_rel", &LogProbabilityError::relativeRms},
    NumberField{"max", &LogProbabilityError::largest},
    NumberField{"epsilon", &LogProbabilityError::epsilon},
    NumberField{"share_above", &LogProbabilityError::shareAbove},
    NumberField{"slope", &LogProbabilityError::slope},
    NumberField{"correlation", &LogProbabilityError::correlation},
    NumberField{"residual_rms", &LogProbabilityError::residualRms},
    NumberField{"kl", &LogProbabilityError::kl},
};

struct CountField {
  std::string_view name;
  std::uint64_t LogProbabilityError::*member;
};

constexpr std::array kCounts{
    CountField{"tokens", &LogProbabilityError::tokens},
    CountField{"nonfinite", &LogProbabilityError::nonFinite},
    CountField{"positions", &LogProbabilityError::positions},
    CountField{"same_top", &LogProbabilityError::sameTop},
};

}  // namespace

void writeLogProbabilityError(json::Writer& json, const LogProbabilityError& error) {
  json.key("log_probabilities");
  json.beginObject();
  for (const CountField& field : kCounts) {
    json.field(field.name, error.*field.member);
  }
  for (const NumberField& field : kNumbers) {
    json.field(field.name, error.*field.member);
  }
  json.endObject();
}

LogProbabilityError readLogProbabilityError(json::Reader& json) {
  LogProbabilityError error;
  for (const NumberField& field : kNumbers) {
    error.*field.member = std::numeric_limits<double>::quiet_NaN();
  }
  json.readObject([&](std::string_view name) {
    const auto* number = std::ranges::find(kNumbers, name, &NumberField::name);
    const auto* count = std::ranges::find(kCounts, name, &CountField::name);
    if (number != kNumbers.end()) {
      error.*number->member = json.readNumber();
    } else if (count != kCounts.end()) {
      error.*count->member = json.readCount();
    } else {
      json.skipValue();
    }
  });
  return error;
}

}  // namespace ulp::report
