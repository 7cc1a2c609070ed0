#include "core/analysis/findings/finding_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <span>
#include <tuple>
#include <unordered_map>

#include "core/analysis/depth/divergence.h"
#include "core/base/text/elided.h"
#include "core/base/text/format_number.h"
#include "core/report/model/one_dump.h"

namespace ulp::analysis {
namespace {

constexpr std::size_t kAfterAll = std::numeric_limits<std::size_t>::max();

ThresholdValues valuesOf(const FindingRuleRegistry& rules, const ThresholdValues& changed) {
  ThresholdValues values;
  for (const FindingRule& rule : rules.all()) {
    for (const Threshold& threshold : rule.thresholds) {
      const auto wanted = changed.find(threshold.id);
      const bool isUsable = wanted != changed.end() && wanted->second >= threshold.minimum &&
                            wanted->second <= threshold.maximum;
      values[threshold.id] = isUsable ? wanted->second : threshold.value;
    }
  }
  return values;
}

/// Where in the course of the computation a site lies: pass by pass, each in order of first
/// appearance.
class ExecutionOrder {
 public:
  explicit ExecutionOrder(const report::Report& report) {
    for (const report::Run& run : report.runs) {
      std::size_t place = 0;
      for (const report::Comparison& row : run.comparisons) {
        m_places[static_cast<std::size_t>(row.site.pass)].try_emplace(row.site.name, place++);
      }
    }
  }

  [[nodiscard]] std::pair<std::size_t, std::size_t> placeOf(const report::Finding& finding) const {
    if (finding.sites.empty()) {
      return {kAfterAll, kAfterAll};
    }
    const Site& site = finding.sites.front();
    const auto pass = static_cast<std::size_t>(site.pass);
    const auto found = m_places.at(pass).find(site.name);
    return {pass, found == m_places.at(pass).end() ? kAfterAll : found->second};
  }

 private:
  std::array<std::unordered_map<std::string_view, std::size_t>, kPasses.size()> m_places;
};

bool isFloor(const report::Run& run) {
  return run.role == report::RunRole::Floor;
}

constexpr std::array<FormatLimits, 10> kFormats{{
    {"float64", 0x1p-53, std::numeric_limits<double>::max(), 0x1p-1022},
    {"float32", 0x1p-24, 0x1.fffffep127, 0x1p-126},
    {"tf32", 0x1p-11, 0x1.ffcp127, 0x1p-126},
    {"float16", 0x1p-11, 65504, 0x1p-14},
    {"bfloat16", 0x1p-8, 0x1.fep127, 0x1p-126},
    {"float8_e4m3fn", 0x1p-4, 448, 0x1p-6},
    {"float8_e5m2", 0x1p-3, 57344, 0x1p-14},
    {"mxfp8", 0x1p-4, 448, 0x1p-6},
    {"mxfp4", 0x1p-2, 6, 1},
    {"nvfp4", 0x1p-2, 6, 1},
}};

/// The coarser one; null is none.
const FormatLimits* coarser(const FormatLimits* a, const FormatLimits* b) {
  return a == nullptr || (b != nullptr && b->roundOff > a->roundOff) ? b : a;
}

/// Lies in tensors of a wider type.
bool isSimulated(const FormatLimits& format) {
  return format.name == "tf32" || format.roundOff > formatLimits("bfloat16")->roundOff;
}

/// The coarsest simulated format that a setting names; null: none.
const FormatLimits* formatOfSetting(std::string_view key, std::string_view value) {
  if (key == "matmul.float8") {
    return value == "tensor" || value == "row" ? formatLimits("float8_e4m3fn") : nullptr;
  }
  if (key == "precision.rules") {
    const FormatLimits* coarsest = nullptr;
    for (const FormatLimits& format : kFormats) {
      if (isSimulated(format) && value.find(format.name) != std::string_view::npos) {
        coarsest = coarser(coarsest, &format);
      }
    }
    return coarsest;
  }
  const bool isFormat = key.starts_with("precision.") && key.ends_with("_dtype");
  const FormatLimits* format =
      isFormat || key == "batch.cache_dtype" ? formatLimits(value) : nullptr;
  return format != nullptr && isSimulated(*format) ? format : nullptr;
}

constexpr std::size_t kNamesShown = 3;

std::string rangeText(const std::vector<double>& values, std::string (*textOf)(double)) {
  const auto [least, most] = std::ranges::minmax(values);
  const std::string from = textOf(least);
  const std::string to = textOf(most);
  return from == to ? from : from + "–" + to;
}

/// Of a report without runs of a noise floor, which `floor` knows.
std::vector<report::Finding> findBeyond(const report::NoiseFloor& floor,
                                        const report::Report& report,
                                        const FindingRuleRegistry& rules,
                                        const ThresholdValues& changed,
                                        const std::stop_token& stop) {
  using Key = std::tuple<bool, std::pair<std::size_t, std::size_t>, int>;
  const ThresholdValues thresholds = valuesOf(rules, changed);
  const RuleInput input(report, thresholds, floor);
  const ExecutionOrder order(report);
  std::vector<std::pair<Key, report::Finding>> found;
  for (const FindingRule& rule : rules.all()) {
    if (stop.stop_requested()) {
      return {};
    }
    if (rule.isForOneDump != report::isOfOneDump(report) || (report.dumps && !rule.isForDumps)) {
      continue;
    }
    for (report::Finding& finding : rule.find(input)) {
      finding.rule = rule.id;
      const Key key{!rule.isPinned, order.placeOf(finding), rule.order};
      found.emplace_back(key, std::move(finding));
    }
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<report::Finding> findings;
  findings.reserve(found.size());
  for (auto& [key, finding] : found) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

FindingRuleRegistry builtinFindingRules() {
  FindingRuleRegistry registry;
  registerBuiltin(registry);
  registry.sortBy(&FindingRule::order);
  return registry;
}

std::vector<report::Finding> findFindings(const report::Report& report,
                                          const FindingRuleRegistry& rules,
                                          const ThresholdValues& changed,
                                          const std::stop_token& stop) {
  const report::NoiseFloor floor(report);
  if (std::ranges::none_of(report.runs, isFloor)) {
    return findBeyond(floor, report, rules, changed, stop);
  }
  // Rules tell of what the study asks about, which runs of its noise floor are not.
  report::Report withoutFloor = report;
  std::erase_if(withoutFloor.runs, isFloor);
  return findBeyond(floor, withoutFloor, rules, changed, stop);
}

std::vector<report::Finding> findFindings(const report::Report& report) {
  return findFindings(report, builtinFindingRules());
}

const FormatLimits* formatLimits(std::string_view dtype) {
  const auto* found = std::ranges::find(kFormats, dtype, &FormatLimits::name);
  return found == kFormats.end() ? nullptr : found;
}

RuleInput::RuleInput(const report::Report& report,
                     const ThresholdValues& thresholds,
                     report::NoiseFloor floor)
    : m_report(report),
      m_thresholds(thresholds),
      m_floor(std::move(floor)),
      m_relative(report.metricIndex("rms_rel")),
      m_difference(report.metricIndex("rms_diff")),
      m_largest(report.metricIndex("max_diff")),
      m_scale(report.metricIndex("ref_scale")),
      m_equal(report.metricIndex("equal_fraction")) {
  for (const report::Run& run : report.runs) {
    if (!run.comparisons.empty()) {
      m_variants.push_back(&run);
      collectDerived(run);
    }
  }
  // A configuration that cannot be read is a report that says less, not one without findings.
  m_effective = report::effectiveConfig(report).value_or(report::EffectiveConfig{});
}

void RuleInput::collectDerived(const report::Run& run) {
  const auto isOperation = [](const report::Comparison& row) {
    return row.site.level == Level::Op;
  };
  const FormatLimits* format = coarsestFormat(run);
  if (format == nullptr || std::ranges::none_of(run.comparisons, isOperation)) {
    return;
  }
  const Divergence trace =
      traceDivergence(m_report, run, {threshold("first_divergence.excess"), format->roundOff});
  for (const DivergenceStep& step : trace.steps) {
    const report::Comparison& row = run.comparisons[step.comparison];
    if (isOperation(row) && !step.isMade) {
      m_derived.insert(&row);
    }
  }
}

bool RuleInput::isDerived(const report::Comparison& row) const {
  // An optimizer's state and updates are made of the gradients alone.
  return row.site.pass == Pass::Optimizer || m_derived.contains(&row);
}

bool RuleInput::isEqual(const report::Comparison& row) const {
  const double share = metricAt(row, m_equal);
  if (std::isfinite(share)) {
    return share == 1;
  }
  return row.referenceNonFinite == row.variantNonFinite &&
         (row.compared == 0 || difference(row) == 0);
}

double RuleInput::largestKnown(const report::Comparison& row) const {
  double largest = std::isfinite(scale(row)) ? scale(row) : 0;
  for (const report::WorstPair& pair : row.worst) {
    for (const double value : {pair.reference, pair.variant}) {
      largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
    }
  }
  return largest;
}

double RuleInput::threshold(std::string_view id) const {
  return m_thresholds.find(id)->second;
}

const FormatLimits* RuleInput::coarsestFormat(const report::Report& report,
                                              const report::Run& run,
                                              const report::EffectiveConfig& config) {
  const FormatLimits* coarsest = nullptr;
  for (const report::Comparison& row : run.comparisons) {
    // What a format that is not known rounds to the reference does not tell.
    if (const FormatLimits* own = formatLimits(row.variantDType)) {
      coarsest = coarser(coarser(coarsest, own), formatLimits(row.referenceDType));
    }
  }
  if (coarsest == nullptr) {
    return nullptr;
  }
  const report::Run* reference = report.referenceOf(run);
  for (const report::Run* each : {&run, reference == nullptr ? &run : reference}) {
    for (const auto& [key, value] : each->overrides) {
      coarsest = coarser(coarsest, formatOfSetting(key, value));
    }
    for (const auto& [key, used] : report::keysOf(config, each->name)) {
      coarsest = coarser(coarsest, formatOfSetting(key, used.value));
    }
  }
  return coarsest;
}

std::string RuleInput::effective(std::string_view run, std::string_view key) const {
  return report::valueIn(effective(run), key);
}

std::optional<std::vector<std::string>> RuleInput::differingKeys(std::string_view a,
                                                                 std::string_view b) const {
  const report::EffectiveKeys& left = effective(a);
  const report::EffectiveKeys& right = effective(b);
  if (left.empty() || right.empty()) {
    return std::nullopt;
  }
  std::vector<std::string> keys;
  for (const auto& [key, used] : left) {
    if (used.value != report::valueIn(right, key)) {
      keys.push_back(key);
    }
  }
  return keys;
}

std::map<std::string, std::string> RuleInput::widened(std::string_view run,
                                                      const std::string& key) const {
  const std::string dtype = effective(run, key);
  const bool isNarrow = !dtype.empty() && dtype != "float32" && dtype != "float64";
  return isNarrow ? std::map<std::string, std::string>{{key, "float32"}}
                  : std::map<std::string, std::string>();
}

bool areBatchKeys(const std::vector<std::string>& keys) {
  return std::ranges::all_of(keys, [](const std::string& key) {
    return key.starts_with("batch.") && key != "batch.cache_dtype";
  });
}

bool isRecorded(const report::Comparison& row) {
  return row.compared == 0 &&
         row.referenceNonFinite.total() + row.variantNonFinite.total() < row.count;
}

const report::Comparison* forwardRow(const report::Run& run, std::string_view name) {
  const auto row = std::ranges::find_if(run.comparisons, [name](const report::Comparison& each) {
    return each.site.name == name && each.site.pass == Pass::Forward;
  });
  return row == run.comparisons.end() ? nullptr : &*row;
}

std::vector<Site> logitsOf(const report::Run& run) {
  const report::Comparison* logits = forwardRow(run, "logits");
  return logits == nullptr ? std::vector<Site>() : std::vector{logits->site};
}

std::string percentText(double ratio) {
  return formatPercent(ratio) + " %";
}

std::string numberText(double value) {
  constexpr double kExact = 1e12;
  const double size = std::abs(value);
  if (size < kExact && value == std::round(value)) {
    return fmt::format("{:.0f}", value);
  }
  // Digits that fmt leaves out where they are zeros, and exponents as everywhere else.
  return size >= 1e-4 && size < 1000 ? fmt::format("{:.3g}", value) : formatSignificant(value);
}

std::string ruleTitle(const std::string& id, const FindingRuleRegistry& rules) {
  if (const FindingRule* rule = rules.find(id)) {
    return rule->title;
  }
  std::string words = id;
  std::ranges::replace(words, '_', ' ');
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') {
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  }
  return words;
}

std::string failureOf(const report::Run& run) {
  const std::string reason = run.error.substr(0, run.error.find('\n'));
  const std::string name = run.name + ": ";
  return reason.starts_with(name) ? reason.substr(name.size()) : reason;
}

std::string placeText(const Site& site) {
  const std::string_view pass =
      site.pass == Pass::ParameterGradient ? "parameter gradient" : toString(site.pass);
  return fmt::format("{}, {}", site.name, pass);
}

std::string percentsText(const std::vector<double>& ratios) {
  return rangeText(ratios, formatPercent) + " %";
}

std::string numbersText(const std::vector<double>& values) {
  return rangeText(values, numberText);
}

std::string namesText(const std::vector<std::string>& names) {
  return firstNames(names, kNamesShown);
}

}  // namespace ulp::analysis
