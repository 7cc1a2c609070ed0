#include "core/analysis/studies/lever_effects.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/base/undefined.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/effective_config.h"
#include "core/study/schema/schema.h"

namespace ulp::analysis {
namespace {

/// Errors shrink and grow by factors; scores such as a cosine or decibels by differences.
bool isErrorMetric(std::string_view metric) {
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const auto known = registry.indexOf(metric);
  return !known || (registry.all()[*known].better == numerics::Better::Lower &&
                    registry.all()[*known].unit != numerics::MetricUnit::Decibel);
}

/// A setting of the whole study: only runs of another one have another value.
bool isOfStudy(std::string_view key) {
  const study::Key* known = study::findKey(key);
  return known != nullptr && known->scope == study::KeyScope::Study;
}

/// The settings of the study that a run's numbers come from.
std::map<std::string, std::string> inputsOf(const std::string& run,
                                            const report::EffectiveConfig& config) {
  std::map<std::string, std::string> inputs;
  for (const auto& [key, value] : report::keysOf(config, run)) {
    const bool isOfRecord = key.starts_with("capture.") || key.starts_with("python.") ||
                            key == "device" || key == "engine" || key == "noise_floor" ||
                            key == "output_dir";
    if (isOfStudy(key) && !isOfRecord) {
      inputs.emplace(key, value.value);
    }
  }
  return inputs;
}

/// What two variants must have in common besides their levers. Nothing: the variant is measured
/// against a run of other inputs, so that its error is not one of its settings.
std::optional<std::string> basisOf(const report::Report& report,
                                   const report::Run& run,
                                   const report::EffectiveConfig& config) {
  const report::Run* const reference = report.referenceOf(run);
  std::string basis = reference == nullptr ? run.reference : reference->name;
  const auto own = inputsOf(run.name, config);
  const auto ofReference = inputsOf(basis, config);
  for (const auto& [key, value] : own) {
    const auto there = ofReference.find(key);
    // The same file may have several paths.
    if (there != ofReference.end() && there->second != value && !key.ends_with("path")) {
      return std::nullopt;
    }
    basis += '\n' + key + '=' + value;
  }
  return basis;
}

/// Null: the report does not say.
const report::EffectiveValue* valueOf(const report::EffectiveKeys* run, const std::string& key) {
  if (run == nullptr) {
    return nullptr;
  }
  const auto found = run->find(key);
  return found == run->end() ? nullptr : &found->second;
}

Lever makeLever(const std::string& key, const std::vector<const report::EffectiveKeys*>& runs) {
  Lever lever{.key = key};
  for (const report::EffectiveKeys* run : runs) {
    const report::EffectiveValue* value = valueOf(run, key);
    if (value == nullptr) {
      lever.settings.push_back(-1);
      lever.follows.push_back(true);  // nobody sets it
      continue;
    }
    lever.follows.push_back(value->follows);
    const auto known = std::ranges::find(lever.values, value->value);
    lever.settings.push_back(static_cast<int>(known - lever.values.begin()));
    if (known == lever.values.end()) {
      lever.values.push_back(value->value);
    }
  }
  return lever;
}

std::vector<Lever> findLevers(const report::EffectiveConfig& config,
                              const std::vector<std::string>& variants) {
  std::vector<const report::EffectiveKeys*> runs;
  std::set<std::string> keys;
  for (const std::string& variant : variants) {
    const auto found =
        std::ranges::find(config, variant, &report::EffectiveConfig::value_type::first);
    runs.push_back(found == config.end() ? nullptr : &found->second);
    if (runs.back() != nullptr) {
      for (const auto& [key, value] : *runs.back()) {
        if (!isOfStudy(key)) {
          keys.insert(key);
        }
      }
    }
  }
  std::vector<Lever> levers;
  for (const std::string& key : keys) {
    Lever lever = makeLever(key, runs);
    const bool isSet = std::ranges::count(lever.follows, false) > 0;
    if (lever.values.size() > 1 && isSet) {
      levers.push_back(std::move(lever));
    }
  }
  return levers;
}

/// The one lever in which two variants differ, what follows it in both aside; -1: none or several,
/// or one is not known.
int onlyDifference(const std::vector<Lever>& levers, std::size_t a, std::size_t b) {
  int only = -1;
  for (std::size_t i = 0; i < levers.size(); ++i) {
    const int here = levers[i].settings[a];
    const int there = levers[i].settings[b];
    if (levers[i].follows[a] && levers[i].follows[b]) {
      continue;
    }
    if (here < 0 || there < 0 || (here != there && only >= 0)) {
      return -1;
    }
    if (here != there) {
      only = static_cast<int>(i);
    }
  }
  return only;
}

/// Functions that change a model as they like are no values of one setting: to take one is
/// something, to take another says nothing of the first.
bool isAnotherChange(const Lever& lever, int a, int b) {
  const auto isOne = [&](int value) {
    return !lever.values[static_cast<std::size_t>(value)].empty();
  };
  return lever.key == "python.prepare" && isOne(a) && isOne(b);
}

/// (lever, from, to) -> the pairs that it moves between, all of the basis of the first one.
using PairsByMove = std::map<std::array<int, 3>, std::vector<std::pair<std::size_t, std::size_t>>>;

PairsByMove matchPairs(const LeverTable& table,
                       const std::vector<std::optional<std::string>>& bases,
                       const std::stop_token& stop) {
  PairsByMove moves;
  for (std::size_t a = 0; a < table.variants.size() && !stop.stop_requested(); ++a) {
    for (std::size_t b = a + 1; b < table.variants.size(); ++b) {
      const bool hasBasis = bases[a] && bases[a] == bases[b];
      const int lever = hasBasis ? onlyDifference(table.levers, a, b) : -1;
      if (lever < 0) {
        continue;
      }
      const std::vector<int>& settings = table.levers[static_cast<std::size_t>(lever)].settings;
      if (isAnotherChange(
              table.levers[static_cast<std::size_t>(lever)], settings[a], settings[b])) {
        continue;
      }
      const bool isForward = settings[a] < settings[b];
      const auto pair = isForward ? std::pair(a, b) : std::pair(b, a);
      auto& pairs = moves[{lever, settings[pair.first], settings[pair.second]}];
      if (pairs.empty() || bases[pairs.front().first] == bases[a]) {
        pairs.push_back(pair);
      }
    }
  }
  return moves;
}

/// Change between two numbers on the scale on which changes add up.
double changeOf(double before, double after, bool isRatio) {
  if (!isRatio) {
    return after - before;
  }
  return before == after ? 0 : std::log(after / before);
}

LeverCell cellOf(const LeverTable& table, const LeverMove& move, std::size_t column) {
  LeverCell cell{.effect = 0,
                 .low = std::numeric_limits<double>::infinity(),
                 .high = -std::numeric_limits<double>::infinity()};
  double sum = 0;
  for (const auto& [from, to] : move.pairs) {
    const report::SummaryCell& before = table.errors[from][column];
    const report::SummaryCell& after = table.errors[to][column];
    cell.nonFinite += static_cast<std::size_t>(before.nonFinite + after.nonFinite > 0);
    const double change = changeOf(before.value, after.value, table.isRatio);
    if (std::isnan(change)) {
      continue;
    }
    ++cell.pairs;
    sum += change;
    cell.low = std::min(cell.low, change);
    cell.high = std::max(cell.high, change);
  }
  if (cell.pairs == 0) {
    cell.effect = cell.low = cell.high = kUndefined;
    return cell;
  }
  cell.effect = sum / static_cast<double>(cell.pairs);
  if (table.isRatio) {
    cell.effect = std::exp(cell.effect);
    cell.low = std::exp(cell.low);
    cell.high = std::exp(cell.high);
  }
  return cell;
}

}  // namespace

Result<LeverTable> leverTable(const report::Report& report,
                              std::string_view metric,
                              const std::stop_token& stop) {
  const auto config = ULP_TRY(report::effectiveConfig(report));
  LeverTable table{.isRatio = isErrorMetric(metric)};
  std::vector<std::optional<std::string>> bases;  // parallel to table.variants
  for (report::SummaryRow& row : report::summarise(report, metric)) {
    const report::Run& run = *report.findRun(row.run);
    if (run.role == report::RunRole::Floor) {
      continue;
    }
    bases.push_back(basisOf(report, run, config));
    table.variants.push_back(std::move(row.run));
    table.errors.push_back(std::move(row.cells));
  }
  table.levers = findLevers(config, table.variants);
  for (auto& [place, pairs] : matchPairs(table, bases, stop)) {
    LeverMove move{.lever = static_cast<std::size_t>(place[0]),
                   .from = place[1],
                   .to = place[2],
                   .pairs = std::move(pairs)};
    for (std::size_t column = 0; column < report::summaryColumns().size(); ++column) {
      move.cells.push_back(cellOf(table, move, column));
    }
    table.moves.push_back(std::move(move));
  }
  return table;
}

}  // namespace ulp::analysis
