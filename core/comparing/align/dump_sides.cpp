#include "core/comparing/align/dump_sides.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/threads.h"
#include "core/comparing/ranks/merged_shards.h"
#include "core/dumps/hosts/host_dump.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/importers/raw_address.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msprobe/compare_json.h"
#include "core/report/model/one_dump.h"

namespace ulp::analysis {
namespace {

using dumps::Dump;

namespace fs = std::filesystem;

bool isCompatible(const std::optional<std::int64_t>& left,
                  const std::optional<std::int64_t>& right) {
  return !left || !right || left == right;
}

bool isCompatible(const UnitAxes& left, const UnitAxes& right) {
  return (left.run.empty() || right.run.empty() || left.run == right.run) &&
         isCompatible(left.step, right.step) && isCompatible(left.rank, right.rank) &&
         isCompatible(left.token, right.token);
}

bool isOfOneRun(const Dump& dump) {
  return std::ranges::all_of(dump.units, [&](const dumps::UnitInfo& unit) {
    return unit.axes.run == dump.units.front().axes.run;
  });
}

/// The units of one dump while they are paired.
struct PairedSide {
  PairedSide(const Dump& dump, bool hasRuns)
      : axes(listOf(dump.units, &dumps::UnitInfo::axes)), isPaired(axes.size()) {
    for (UnitAxes& each : axes) {
      each.run = hasRuns ? each.run : "";
    }
  }

  /// Those that have no partner, and for which `fits` is true.
  template <class Fits>
  [[nodiscard]] std::vector<std::size_t> openWhere(const Fits& fits) const {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (!isPaired[i] && fits(axes[i])) {
        open.push_back(i);
      }
    }
    return open;
  }
  [[nodiscard]] std::vector<std::size_t> choicesFor(const UnitAxes& other) const {
    return openWhere([&](const UnitAxes& own) { return isCompatible(own, other); });
  }
  [[nodiscard]] std::vector<std::size_t> rest() const {
    return openWhere([](const UnitAxes& /*axes*/) { return true; });
  }

  std::vector<UnitAxes> axes;
  std::vector<bool> isPaired;
};

class UnitPairer {
 public:
  UnitPairer(const Dump& baseline, const Dump& candidate, bool hasRuns)
      : m_baseline(baseline, hasRuns), m_candidate(candidate, hasRuns) {}

  [[nodiscard]] UnitPairing pair() && {
    if (m_baseline.axes.size() == 1 && m_candidate.axes.size() == 1) {
      return {.pairs = {{0, 0}}};
    }
    for (std::size_t i = 0; i < m_baseline.axes.size(); ++i) {
      for (std::size_t j = 0; j < m_candidate.axes.size() && !m_baseline.isPaired[i]; ++j) {
        if (!m_candidate.isPaired[j] && m_candidate.axes[j] == m_baseline.axes[i]) {
          add(i, j);
        }
      }
    }
    // Units with exactly one that may be theirs, and that has no other.
    for (const std::size_t i : m_baseline.rest()) {
      const auto choices = m_candidate.choicesFor(m_baseline.axes[i]);
      if (choices.size() == 1 &&
          m_baseline.choicesFor(m_candidate.axes[choices.front()]).size() == 1) {
        add(i, choices.front());
      }
    }
    std::ranges::sort(m_result.pairs, {}, &UnitPair::baseline);
    m_result.onlyBaseline = m_baseline.rest();
    m_result.onlyCandidate = m_candidate.rest();
    return std::move(m_result);
  }

 private:
  void add(std::size_t baseline, std::size_t candidate) {
    m_result.pairs.push_back({baseline, candidate});
    m_baseline.isPaired[baseline] = true;
    m_candidate.isPaired[candidate] = true;
  }

  PairedSide m_baseline;
  PairedSide m_candidate;
  UnitPairing m_result;
};

/// The run that is meant where none is named; empty: all units, as not all of them are of runs.
Result<std::string> impliedRun(const Dump& dump, bool isBaseline) {
  constexpr const char* kReference = "reference";
  std::vector<std::string> others;
  bool hasReference = false;
  for (const dumps::UnitInfo& unit : dump.units) {
    const std::string& run = unit.axes.run;
    if (run.empty()) {
      return std::string();
    }
    hasReference = hasReference || run == kReference;
    if (run != kReference && std::ranges::find(others, run) == others.end()) {
      others.push_back(run);
    }
  }
  if (others.empty() && !hasReference) {
    return std::string();
  }
  if (isBaseline && hasReference) {
    return std::string(kReference);
  }
  if (others.size() == 1) {
    return others.front();
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: name the run that is meant, as in {}#{}; there are {}",
                          dump.path.string(),
                          dump.path.string(),
                          others.empty() ? kReference : others.front(),
                          fmt::join(others, ", ")));
}

/// A dump with all of its units. Makes the path of `side` absolute.
Result<dumps::DumpPtr> openWhole(report::DumpSide& side, const std::stop_token& stop) {
  // Before it is opened: it is called after its path, and "." is no name to find it by again.
  std::error_code ignored;
  if (fs::path whole = fs::absolute(side.path, ignored); !ignored) {
    side.path = whole.lexically_normal();
  }
  return dumps::openDump(side.path, stop);
}

/// A dump with all of its units. Completes `side` with what was implied.
Result<dumps::DumpPtr> openSide(report::DumpSide& side,
                                bool isBaseline,
                                const std::stop_token& stop) {
  auto dump = ULP_TRY(openWhole(side, stop));
  if (side.units.run.empty()) {
    side.units.run = ULP_TRY(impliedRun(*dump, isBaseline));
  }
  return dump;
}

/// What was chosen, of a dump that says steps (ranks, tokens) unless the other one alone does: what
/// it has is what that step is compared with.
Result<dumps::DumpPtr> chosen(dumps::DumpPtr dump, const Dump& other, report::DumpSide& side) {
  for (const auto axis : {&UnitAxes::step, &UnitAxes::rank, &UnitAxes::token}) {
    const auto says = [axis](const dumps::UnitInfo& unit) { return (unit.axes.*axis).has_value(); };
    if (std::ranges::none_of(dump->units, says) && std::ranges::any_of(other.units, says)) {
      side.units.*axis = std::nullopt;
    }
  }
  return dumps::chooseUnits(std::move(dump), side.units);
}

std::set<std::int64_t> ranksOf(const Dump& dump) {
  std::set<std::int64_t> ranks;
  for (const dumps::UnitInfo& unit : dump.units) {
    ranks.insert(unit.axes.rank.value_or(0));
  }
  return ranks;
}

/// The ranks that have the same parts: the first of each group, the second of each, and so on.
RankGroups across(const RankGroups& groups) {
  RankGroups across(groups.front().size());
  for (const std::vector<std::int64_t>& group : groups) {
    for (std::size_t i = 0; i < std::min(group.size(), across.size()); ++i) {
      across[i].push_back(group[i]);
    }
  }
  return across;
}

/// What a dump says of its ranks, where `layout` does not.
void addSaidRanks(std::optional<RankLayout>& layout, const Dump& dump, bool isSaid) {
  const std::set<std::int64_t> ranks = ranksOf(dump);
  if (!isSaid && ranks.size() > 1 && dump.shares != dumps::RankShares::Unsaid) {
    layout.emplace();
    if (!dump.tensorGroups.empty()) {
      layout->tensor = dump.tensorGroups;
      layout->data = across(dump.tensorGroups);
    } else {
      RankGroups& groups = dump.shares == dumps::RankShares::Data ? layout->data : layout->tensor;
      groups = {{ranks.begin(), ranks.end()}};
    }
  }
  if (layout && !layout->data.empty() && dump.shares == dumps::RankShares::Data) {
    layout->gradientDivisor = dump.gradientDivisor > 0
                                  ? dump.gradientDivisor
                                  : static_cast<double>(layout->data.front().size());
  }
}

/// The mapping's rules. Where it says nothing of ranks and the dumps have not as many, the ranks of
/// a dump that says itself what they have are those of one model.
DumpRules withKnownRanks(const DumpSides& sides) {
  DumpRules rules = sides.mapping.dumps();
  const bool isSaid = !rules.shards.empty() || rules.baselineRanks || rules.candidateRanks ||
                      ranksOf(*sides.baseline).size() == ranksOf(*sides.candidate).size();
  addSaidRanks(rules.baselineRanks, *sides.baseline, isSaid);
  addSaidRanks(rules.candidateRanks, *sides.candidate, isSaid);
  return rules;
}

}  // namespace

report::DumpSide parseSide(std::string_view text) {
  std::error_code ignored;
  const std::size_t hash = text.rfind('#');
  if (hash == std::string_view::npos || fs::exists(text, ignored)) {
    return {.path = text};
  }
  return {.path = text.substr(0, hash), .units = {.run = std::string(text.substr(hash + 1))}};
}

Result<DumpSides> openSides(report::DumpOrigin origin, const std::stop_token& stop) {
  DumpSides sides{.origin = std::move(origin)};
  if (report::isOneDump(sides.origin)) {
    auto whole = ULP_TRY(openWhole(sides.origin.baseline, stop));
    sides.baseline = ULP_TRY(dumps::chooseUnits(std::move(whole), sides.origin.baseline.units));
    sides.candidate = sides.baseline;
    return sides;
  }
  if (!sides.origin.mapping.empty()) {
    sides.mapping = ULP_TRY(SiteMapping::parse(sides.origin.mapping, "mapping"));
  }
  const auto baseline = ULP_TRY(openSide(sides.origin.baseline, true, stop));
  const auto candidate = ULP_TRY(openSide(sides.origin.candidate, false, stop));
  sides.baseline = ULP_TRY(chosen(baseline, *candidate, sides.origin.baseline));
  sides.candidate = ULP_TRY(chosen(candidate, *baseline, sides.origin.candidate));
  const DumpRules rules = withKnownRanks(sides);
  sides.baseline = ULP_TRY(mergeShards(std::move(sides.baseline), rules, true));
  sides.candidate = ULP_TRY(mergeShards(std::move(sides.candidate), rules, false));
  return sides;
}

UnitPairing pairUnits(const Dump& baseline, const Dump& candidate) {
  // One run against another is what is meant, whatever they are called.
  const bool hasRuns = !isOfOneRun(baseline) || !isOfOneRun(candidate);
  return UnitPairer(baseline, candidate, hasRuns).pair();
}

std::string labelOf(const UnitAxes& baseline, const UnitAxes& candidate) {
  std::string left = describe(baseline);
  std::string right = describe(candidate);
  if (left == right || right.empty()) {
    return left;
  }
  return left.empty() ? right : fmt::format("{} / {}", left, right);
}

UnitAxes placeOf(const UnitAxes& baseline, const UnitAxes& candidate) {
  return {.step = baseline.step ? baseline.step : candidate.step,
          .rank = baseline.rank ? baseline.rank : candidate.rank,
          .token = baseline.token ? baseline.token : candidate.token};
}

Result<UnitSides> openUnitPair(const Dump& baseline,
                               const Dump& candidate,
                               UnitPair pair,
                               const SiteMapping& mapping,
                               bool readsElements,
                               const std::stop_token& stop) {
  // Both at once: what a unit says of its tensors is mostly text, read by one thread.
  std::array<Result<dumps::DumpUnitPtr>, 2> opened;
  ULP_TRY(runOnThreads(opened.size(), [&](std::size_t side) {
    opened.at(side) = side == 0 ? baseline.openUnit(pair.baseline, stop)
                                : candidate.openUnit(pair.candidate, stop);
  }));
  auto baselineUnit = ULP_TRY(std::move(opened[0]));
  auto candidateUnit = ULP_TRY(std::move(opened[1]));
  UnitSides units{std::move(baselineUnit), std::move(candidateUnit)};
  const AlignmentRules rules{mapping, readsElements};
  for (const AlignmentPass& pass : alignmentPasses()) {
    if (readsElements || !pass.needsElements) {
      ULP_TRY(whileDoing(pass.name, pass.apply(units, rules)));
    }
  }
  return units;
}

Result<UnitSides> openUnitPair(const DumpSides& sides, UnitPair pair, const std::stop_token& stop) {
  return openUnitPair(
      *sides.baseline, *sides.candidate, pair, sides.mapping, sides.origin.readsElements, stop);
}

Result<RecognisedDump> recogniseDump(const std::filesystem::path& path,
                                     const std::stop_token& stop) {
  const auto dump = ULP_TRY(dumps::openDump(path, stop));
  return RecognisedDump{.format = dump->format,
                        .units = listOf(dump->units, &dumps::UnitInfo::axes),
                        .notes = dump->notes};
}

Result<> checkUnits(const RecognisedDump& dump, const report::DumpSide& side) {
  return dumps::checkChoice(side.path, dump.units, side.units);
}

std::vector<std::string> recordingTools() {
  return dumps::recordingTools();
}

bool looksLikeDump(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && !dumps::parseRawAddress(path)) {
    return false;
  }
  const dumps::ImporterRegistry importers = dumps::builtinImporters();
  return dumps::isHostDump(path) ||
         std::ranges::any_of(importers.all(), [&](const dumps::Importer& importer) {
           return importer.recognise(path) != dumps::Claim::No;
         });
}

bool isDump(const std::filesystem::path& path) {
  std::error_code ignored;
  return !std::filesystem::exists(path / "precision_report.json", ignored) && looksLikeDump(path);
}

Result<std::optional<NamedSides>> sidesNamedBy(const std::filesystem::path& path) {
  if (!dumps::msprobe::isCompareJson(path)) {
    return std::nullopt;
  }
  auto named = ULP_TRY(dumps::msprobe::readCompareJson(path));
  return NamedSides{.baseline = std::move(named.golden), .candidate = std::move(named.target)};
}

Result<NamedSides> givenOrNamed(NamedSides given) {
  if (!given.candidate.empty()) {
    return given;
  }
  auto named = ULP_TRY(sidesNamedBy(given.baseline));
  if (named) {
    return std::move(*named);
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("B is missing: name what is compared with {}; alone stands only a "
                          "compare.json of msprobe 8.x, which names both sides",
                          given.baseline.string()));
}

}  // namespace ulp::analysis
