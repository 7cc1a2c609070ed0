#include "core/analysis/reports/other_inputs.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/report/model/effective_config.h"
#include "core/report/summary/told_apart.h"

namespace ulp::analysis {
namespace {

/// What digests tell better, and what numbers do not come from.
constexpr std::array<std::string_view, 21> kOtherwiseTold{"device",
                                                          "engine",
                                                          "input.chat_template",
                                                          "input.documents",
                                                          "input.field",
                                                          "input.path",
                                                          "input.seed",
                                                          "input.sequences",
                                                          "input.source",
                                                          "input.tokenizer",
                                                          "model.path",
                                                          "model.seed",
                                                          "model.weights",
                                                          "noise_floor",
                                                          "output_dir",
                                                          "python.device",
                                                          "python.device_map",
                                                          "python.executable",
                                                          "python.launcher",
                                                          "python.trust_code",
                                                          "runtime.threads"};

bool isOfNumbers(std::string_view key) {
  return !key.starts_with("capture.") &&
         std::ranges::find(kOtherwiseTold, key) == kOtherwiseTold.end();
}

/// What the reference ran with, as far as the report says.
report::EffectiveKeys referenceKeys(const report::Report& report) {
  report::EffectiveKeys keys;
  if (const report::Run* reference = report.findRun(report.reference)) {
    for (const auto& [key, value] : reference->overrides) {
      keys[key].value = value;
    }
  }
  if (const auto config = report::effectiveConfig(report)) {
    for (const auto& [key, value] : report::keysOf(*config, report.reference)) {
      keys[key] = value;
    }
  }
  return keys;
}

std::vector<std::string> otherSettings(const report::Report& a, const report::Report& b) {
  const report::EffectiveKeys ofA = referenceKeys(a);
  const report::EffectiveKeys ofB = referenceKeys(b);
  // Without a configuration what is not set is what nobody changed.
  const bool isLoneTold = a.effectiveJson.empty() && b.effectiveJson.empty();
  report::EffectiveKeys all = ofA;
  all.insert(ofB.begin(), ofB.end());
  std::vector<std::string> settings;
  for (const auto& [key, ignored] : all) {
    const auto inA = ofA.find(key);
    const auto inB = ofB.find(key);
    const bool isOther = inA == ofA.end() || inB == ofB.end()
                             ? isLoneTold
                             : inA->second.value != inB->second.value &&
                                   !(inA->second.follows && inB->second.follows);
    if (isOther && isOfNumbers(key)) {
      settings.push_back(key);
    }
  }
  return settings;
}

}  // namespace

OtherInputs otherInputs(const report::Report& a, const report::Report& b) {
  return {.tokens = report::areToldApart(a.provenance.tokenDigest, b.provenance.tokenDigest),
          .weights = report::areToldApart(a.provenance.weightsDigest, b.provenance.weightsDigest),
          .settings = otherSettings(a, b)};
}

}  // namespace ulp::analysis
