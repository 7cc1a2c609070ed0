#include "core/analysis/studies/counterfactual.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <utility>

#include "core/numerics/rounding/operation_formats.h"
#include "core/report/model/effective_config.h"
#include "core/study/reading/site_formats.h"
#include "core/study/reading/study.h"
#include "core/study/schema/schema.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::analysis {
namespace {

using report::EffectiveKeys;
using report::valueIn;
using Values = std::map<std::string, std::string>;  ///< key, value

constexpr std::string_view kPrecision = "precision.";
constexpr std::string_view kCast = "precision.cast";
constexpr std::string_view kRules = "precision.rules";
constexpr std::string_view kTableKey = "precision.rotary_table_dtype";
constexpr std::string_view kAttention = "attention.implementation";
constexpr std::string_view kTablesName = "rotary tables of unrounded frequencies";
/// Keys of a study that its counterfactual has of its own.
constexpr std::array<std::string_view, 3> kOwn{"output_dir", "capture.tensors", "noise_floor"};
/// What digests of weights and tokens do not tell.
constexpr std::array<std::string_view, 6> kShared{"model.architecture",
                                                  "input.documents",
                                                  "input.padding",
                                                  "input.unlabelled",
                                                  "schedule.",
                                                  "loss."};
/// Formats inside of attention, which fused kernels choose themselves.
constexpr std::array<std::string_view, 2> kEagerOnly{"precision.attention_scores_dtype",
                                                     "precision.softmax_dtype"};

std::string yamlText(std::string_view text) {
  return study::writeScalar(text, '"');
}

std::string yamlOf(const study::Key& key, const std::string& value) {
  const bool isText = key.type == study::ValueType::Text || key.type == study::ValueType::Path;
  return isText ? yamlText(value) : value;
}

bool isFormatKey(std::string_view key) {
  return key.starts_with(kPrecision) &&
         numerics::parseOperationKey(key.substr(kPrecision.size())).has_value();
}

std::string shownValue(std::string_view key, const std::string& value) {
  return fmt::format("{}: {}", key, value);
}

Result<EffectiveKeys> settingsOf(const RunOfReport& of) {
  auto config = ULP_TRY(report::effectiveConfig(of.report));
  for (auto& [run, keys] : config) {
    if (run == of.run && !keys.empty()) {
      return std::move(keys);
    }
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("the report does not say with which settings '{}' ran", of.run));
}

/// The values of a run's own keys.
Values runValues(const EffectiveKeys& keys) {
  Values values;
  for (const study::Key& key : study::schemaKeys()) {
    if (key.scope == study::KeyScope::Run && keys.contains(key.path)) {
      values[std::string(key.path)] = valueIn(keys, key.path);
    }
  }
  return values;
}

/// A study in the making.
struct StudyText {
  std::string shared;  ///< settings of all runs, as YAML
  Values reference;
  std::vector<std::pair<std::string, Values>> variants;
};

std::string sharedText(const EffectiveKeys& shared, const std::filesystem::path& output) {
  std::string text;
  for (const study::Key& key : study::schemaKeys()) {
    const auto found = shared.find(key.path);
    const bool isOwn = std::ranges::find(kOwn, key.path) != kOwn.end();
    if (key.scope == study::KeyScope::Study && found != shared.end() && !isOwn &&
        found->second.origin != "default" && !found->second.value.empty()) {
      text += fmt::format("{}: {}\n", key.path, yamlOf(key, found->second.value));
    }
  }
  return text + fmt::format("capture.tensors: none\nnoise_floor: []\noutput_dir: {}\n",
                            yamlText(output.string()));
}

std::string overridesText(const Values& overrides, int indent) {
  if (overrides.empty()) {
    return " {}\n";
  }
  std::string text = "\n";
  for (const study::Key& key : study::schemaKeys()) {
    const auto found = overrides.find(std::string(key.path));
    if (found != overrides.end()) {
      text += fmt::format("{:{}}{}: {}\n", "", indent, key.path, yamlOf(key, found->second));
    }
  }
  return text;
}

std::string yamlOf(const StudyText& study) {
  std::string text = study.shared + "reference:" + overridesText(study.reference, 2);
  text += "variants:\n";
  for (const auto& [name, overrides] : study.variants) {
    text += fmt::format("  {}:{}", yamlText(name), overridesText(overrides, 4));
  }
  return text;
}

Result<study::Settings> settingsIn(const StudyText& text, std::string_view run) {
  const auto parsed = ULP_TRY(study::parseStudy(yamlOf(text), "counterfactual study"));
  return study::effectiveSettings(parsed, run);
}

Values valuesOf(const study::Settings& settings) {
  Values values;
  for (const auto& [key, setting] : settings) {
    values[key] = setting.value;
  }
  return values;
}

Result<Values> effectiveValues(const StudyText& text, std::string_view run) {
  return settingsIn(text, run).map(valuesOf);
}

/// The fewest overrides with which the run has the wanted values: keys that follow others still do.
/// In the order of the schema, which has whoever is followed first.
Result<> setValues(StudyText& text, std::string_view run, Values& overrides, const Values& wanted) {
  for (const study::Key& key : study::schemaKeys()) {
    const auto want = wanted.find(std::string(key.path));
    if (want == wanted.end() || want->second.empty()) {
      continue;
    }
    const auto values = ULP_TRY(effectiveValues(text, run));
    if (values.at(want->first) != want->second) {
      overrides[want->first] = want->second;
    }
  }
  return {};
}

/// A list of rules with one more at its end.
std::string withRule(const std::string& rules, const std::string& rule) {
  const auto end = rules.rfind(']');
  const bool isEmpty = end == std::string::npos || rules.find('{') == std::string::npos;
  return isEmpty ? fmt::format("[{}]", rule) : fmt::format("{}, {}]", rules.substr(0, end), rule);
}

/// Matches the module alone.
std::string patternOf(std::string_view module) {
  std::string pattern = "^";
  for (const char c : module) {
    if (c == '.') {
      pattern += '\\';
    }
    pattern += c;
  }
  return pattern + "$";
}

/// The settings in which the candidate can be made like the baseline, one by one.
class Differences {
 public:
  Differences(study::Settings baseline, study::Settings candidate, bool isOfPython)
      : m_baseline(std::move(baseline)),
        m_candidate(std::move(candidate)),
        m_isOfPython(isOfPython) {
    for (const auto& [key, setting] : m_candidate) {
      const study::Key* known = study::findKey(key);
      if (known != nullptr && known->scope == study::KeyScope::Run && of(key) != setting.value) {
        m_keys.push_back(key);
      }
    }
  }

  [[nodiscard]] Result<std::vector<Counterfactual>> counterfactuals(std::string_view module) const {
    std::vector<Counterfactual> all;
    if (differs(kCast)) {
      all.push_back(unroundedFrequencies());
    }
    if (auto formats = ULP_TRY(formatsOf(module))) {
      all.push_back(*std::move(formats));
    }
    for (const std::string& key : m_keys) {
      if (isPossible(key)) {
        all.push_back(takenBack(key));
      }
    }
    return all;
  }

 private:
  [[nodiscard]] const std::string& of(std::string_view key) const {
    return m_baseline.find(key)->second.value;
  }
  [[nodiscard]] const std::string& now(std::string_view key) const {
    return m_candidate.find(key)->second.value;
  }

  [[nodiscard]] bool differs(std::string_view key) const {
    return std::ranges::find(m_keys, key) != m_keys.end();
  }

  [[nodiscard]] bool isPossible(std::string_view key) const {
    const bool isInside = std::ranges::find(kEagerOnly, key) != kEagerOnly.end();
    // Modules of PyTorch have one format each, so that what follows it is no lever of its own.
    const bool isSet =
        !m_baseline.find(key)->second.follows || !m_candidate.find(key)->second.follows;
    return m_isOfPython ? isSet : !isInside || now(kAttention) == "eager";
  }

  [[nodiscard]] Counterfactual takenBack(const std::string& key) const {
    const std::string& value = of(key);
    if (value.empty()) {
      return {fmt::format("without {}", key),
              shownValue(key, now(key)),
              shownValue(key, "(none)"),
              {{key, ""}},
              {key}};
    }
    // Rules are too long for a name.
    return {key == kRules ? key : fmt::format("{}={}", key, value),
            shownValue(key, now(key)),
            shownValue(key, value),
            {{key, value}},
            {key}};
  }

  [[nodiscard]] Counterfactual unroundedFrequencies() const {
    const std::string rule =
        fmt::format(R"({{"match":"(^|\\.)rotary_emb$","compute_dtype":"float32",)"
                    R"("rotary_table_dtype":"{}"}})",
                    now(kTableKey));
    return {std::string(kTablesName),
            {ULP_TR_NOOP("the rotary tables, whose frequencies (inv_freq) precision.cast: module "
                         "rounds"),
             {}},
            {ULP_TR_NOOP("the frequencies kept in float32"), {}},
            {{std::string(kRules), withRule(now(kRules), rule)}},
            {std::string(kCast)}};
  }

  /// All formats that differ, at one module.
  [[nodiscard]] Result<std::optional<Counterfactual>> formatsOf(std::string_view module) const {
    if (module.empty()) {
      return std::nullopt;
    }
    const std::string rules = withRules(module, ULP_TRY(formatsAt(module)));
    if (rules == now(kRules)) {
      return std::nullopt;
    }
    std::vector<std::string> keys;
    std::ranges::copy_if(m_keys, std::back_inserter(keys), [this](const std::string& key) {
      return isPossible(key) && (isFormatKey(key) || key == kRules);
    });
    return Counterfactual{fmt::format("formats of {}", module),
                          {ULP_TR_NOOP("the formats at %1"), {std::string(module)}},
                          {ULP_TR_NOOP("the formats of the baseline at %1"), {std::string(module)}},
                          {{std::string(kRules), rules}},
                          std::move(keys)};
  }

  /// Formats of the baseline as rules have them, by what `pass` they are for; what both passes have
  /// alike stands there once, since some formats can only be set for both.
  using PassFormats = std::map<std::string_view, std::string>;

  [[nodiscard]] Result<PassFormats> formatsAt(std::string_view module) const {
    using enum study::RulePass;
    const auto then = ULP_TRY(study::FormatRules::of(m_baseline));
    const auto now = ULP_TRY(study::FormatRules::of(m_candidate));
    const auto forward = ULP_TRY(then.at(module, Forward));
    const auto backward = ULP_TRY(then.at(module, Backward));
    const auto forwardNow = ULP_TRY(now.at(module, Forward));
    const auto backwardNow = ULP_TRY(now.at(module, Backward));
    PassFormats formats;
    for (const std::string_view key : numerics::operationKeys()) {
      const numerics::Operation operation = *numerics::parseOperationKey(key);
      const bool isLever = m_isOfPython ? operation == numerics::Operation::Compute
                                        : isPossible(fmt::format("{}{}", kPrecision, key));
      const bool isSame = forward[operation] == forwardNow[operation] &&
                          backward[operation] == backwardNow[operation];
      if (!isLever || isSame) {
        continue;
      }
      const auto add = [&](std::string_view pass, numerics::NumberFormat format) {
        formats[pass] += fmt::format(R"(,"{}":"{}")", key, toString(format));
      };
      if (forward[operation] == backward[operation]) {
        add("", forward[operation]);
      } else {
        add(R"(,"pass":"forward")", forward[operation]);
        add(R"(,"pass":"backward")", backward[operation]);
      }
    }
    return formats;
  }

  /// The rules of the candidate with those for one module behind them.
  [[nodiscard]] std::string withRules(std::string_view module, const PassFormats& formats) const {
    std::string rules = now(kRules);
    for (const auto& [pass, set] : formats) {
      rules = withRule(
          rules, fmt::format(R"({{"match":{}{}{}}})", yamlText(patternOf(module)), pass, set));
    }
    return rules;
  }

  study::Settings m_baseline;
  study::Settings m_candidate;
  bool m_isOfPython;
  std::vector<std::string> m_keys;
};

/// Only the run that rounds buffers can leave out to round one of them.
bool shouldChangePlaces(const Values& baseline, const Values& candidate) {
  const auto castOf = [](const Values& values) {
    const auto found = values.find(std::string(kCast));
    return found == values.end() ? std::string() : found->second;
  };
  return castOf(baseline) == "module" && castOf(candidate) != castOf(baseline);
}

Result<> checkComparable(const RunOfReport& a,
                         const RunOfReport& b,
                         const EffectiveKeys& settingsOfA,
                         const EffectiveKeys& settingsOfB) {
  const report::Provenance& left = a.report.provenance;
  const report::Provenance& right = b.report.provenance;
  if (left.weightsDigest != right.weightsDigest || left.tokenDigest != right.tokenDigest) {
    return fail(ErrorCode::InvalidArgument,
                "the runs have other weights or other tokens; a counterfactual needs the same");
  }
  for (const auto& [key, setting] : settingsOfA) {
    const bool isShared = std::ranges::any_of(
        kShared, [&key = key](std::string_view prefix) { return key.starts_with(prefix); });
    if (isShared && valueIn(settingsOfB, key) != setting.value) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("the runs are of other studies ({}: {} and {}); a counterfactual "
                              "needs the same",
                              key,
                              setting.value,
                              valueIn(settingsOfB, key)));
    }
  }
  return {};
}

/// Fills in which counterfactuals leave no difference.
Result<> compareSettings(const StudyText& text, std::vector<Counterfactual>& counterfactuals) {
  const auto reference = ULP_TRY(effectiveValues(text, study::kReferenceName));
  for (Counterfactual& one : counterfactuals) {
    const auto values = ULP_TRY(effectiveValues(text, one.name));
    one.isWhole = values == reference;
  }
  return {};
}

}  // namespace

Result<CounterfactualStudy> planCounterfactuals(const RunOfReport& a,
                                                const RunOfReport& b,
                                                std::string_view module,
                                                const std::filesystem::path& output) {
  const auto settingsOfA = ULP_TRY(settingsOf(a));
  const auto settingsOfB = ULP_TRY(settingsOf(b));
  ULP_TRY(checkComparable(a, b, settingsOfA, settingsOfB));
  Values baseline = runValues(settingsOfA);
  Values candidate = runValues(settingsOfB);
  CounterfactualStudy plan{.baseline = a.run, .candidate = b.run};
  if (shouldChangePlaces(baseline, candidate)) {
    std::swap(baseline, candidate);
    std::swap(plan.baseline, plan.candidate);
  }
  if (baseline == candidate) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' and '{}' ran with the same settings; what differs is the machine "
                            "or the version",
                            a.run,
                            b.run));
  }
  StudyText text{.shared = sharedText(settingsOfA, output)};
  text.variants.emplace_back(kUnchangedRun, Values());
  ULP_TRY(setValues(text, study::kReferenceName, text.reference, baseline));
  ULP_TRY(setValues(text, kUnchangedRun, text.variants.front().second, candidate));
  const Differences differences(ULP_TRY(settingsIn(text, study::kReferenceName)),
                                ULP_TRY(settingsIn(text, kUnchangedRun)),
                                !a.report.provenance.engine.empty());
  plan.counterfactuals = ULP_TRY(differences.counterfactuals(module));
  if (plan.counterfactuals.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("no difference between the settings of '{}' and '{}' can be taken back "
                            "by itself: both compute as these settings say only with attention."
                            "implementation: eager",
                            a.run,
                            b.run));
  }
  for (const Counterfactual& one : plan.counterfactuals) {
    Values overrides = text.variants.front().second;
    for (const auto& [key, value] : one.settings) {
      if (value.empty()) {
        overrides.erase(key);
      } else {
        overrides[key] = value;
      }
    }
    text.variants.emplace_back(one.name, std::move(overrides));
  }
  ULP_TRY(compareSettings(text, plan.counterfactuals));
  plan.yaml = yamlOf(text);
  return plan;
}

}  // namespace ulp::analysis
