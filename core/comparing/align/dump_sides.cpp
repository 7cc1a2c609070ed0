#include "core/comparing/align/dump_sides.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "core/comparing/ranks/merged_shards.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msprobe/compare_json.h"

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
  return std::all_of(dump.units.begin(), dump.units.end(), [&](const dumps::UnitInfo& unit) {
    return unit.axes.run == dump.units.front().axes.run;
  });
}

std::vector<UnitAxes> axesOf(const Dump& dump, bool hasRuns) {
  std::vector<UnitAxes> all;
  for (const dumps::UnitInfo& unit : dump.units) {
    all.push_back(unit.axes);
    if (!hasRuns) {
      all.back().run.clear();
    }
  }
  return all;
}

class UnitPairer {
 public:
  UnitPairer(const Dump& baseline, const Dump& candidate)
      // One run against another is what is meant, whatever they are called.
      : m_hasRuns(!isOfOneRun(baseline) || !isOfOneRun(candidate)),
        m_baseline(axesOf(baseline, m_hasRuns)),
        m_candidate(axesOf(candidate, m_hasRuns)),
        m_isBaselinePaired(baseline.units.size()),
        m_isCandidatePaired(candidate.units.size()) {}

  [[nodiscard]] UnitPairing pair() && {
    if (m_baseline.size() == 1 && m_candidate.size() == 1) {
      return {.pairs = {{0, 0}}};
    }
    pairWhere([](const UnitAxes& left, const UnitAxes& right) { return left == right; });
    pairOnlyChoices();
    std::sort(m_result.pairs.begin(), m_result.pairs.end(), [](UnitPair a, UnitPair b) {
      return a.baseline < b.baseline;
    });
    m_result.onlyBaseline = left(m_isBaselinePaired);
    m_result.onlyCandidate = left(m_isCandidatePaired);
    return std::move(m_result);
  }

 private:
  void add(std::size_t baseline, std::size_t candidate) {
    m_result.pairs.push_back({baseline, candidate});
    m_isBaselinePaired[baseline] = true;
    m_isCandidatePaired[candidate] = true;
  }

  template <class Fits>
  void pairWhere(const Fits& fits) {
    for (std::size_t i = 0; i < m_baseline.size(); ++i) {
      for (std::size_t j = 0; j < m_candidate.size() && !m_isBaselinePaired[i]; ++j) {
        if (!m_isCandidatePaired[j] && fits(m_baseline[i], m_candidate[j])) {
          add(i, j);
        }
      }
    }
  }

  /// Units with exactly one that may be theirs, and that has no other.
  void pairOnlyChoices() {
    for (std::size_t i = 0; i < m_baseline.size(); ++i) {
      const auto choices = choicesOf(m_baseline[i], m_candidate, m_isCandidatePaired);
      if (m_isBaselinePaired[i] || choices.size() != 1) {
        continue;
      }
      const UnitAxes& axes = m_candidate[choices.front()];
      if (choicesOf(axes, m_baseline, m_isBaselinePaired).size() == 1) {
        add(i, choices.front());
      }
    }
  }

  [[nodiscard]] static std::vector<std::size_t> choicesOf(const UnitAxes& axes,
                                                          const std::vector<UnitAxes>& among,
                                                          const std::vector<bool>& isPaired) {
    std::vector<std::size_t> choices;
    for (std::size_t j = 0; j < among.size(); ++j) {
      if (!isPaired[j] && isCompatible(axes, among[j])) {
        choices.push_back(j);
      }
    }
    return choices;
  }

  [[nodiscard]] static std::vector<std::size_t> left(const std::vector<bool>& isPaired) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < isPaired.size(); ++i) {
      if (!isPaired[i]) {
        rest.push_back(i);
      }
    }
    return rest;
  }

  bool m_hasRuns;  ///< they tell units of one side apart
  std::vector<UnitAxes> m_baseline;
  std::vector<UnitAxes> m_candidate;
  std::vector<bool> m_isBaselinePaired;
  std::vector<bool> m_isCandidatePaired;
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
    if (run != kReference && std::find(others.begin(), others.end(), run) == others.end()) {
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

/// Completes `side` with what was implied.
Result<dumps::DumpPtr> openSide(report::DumpSide& side,
                                bool isBaseline,
                                const std::stop_token& stop) {
  // Before it is opened: it is called after its path, and "." is no name to find it by again.
  std::error_code ignored;
  if (fs::path whole = fs::absolute(side.path, ignored); !ignored) {
    side.path = whole.lexically_normal();
  }
  auto dump = dumps::openDump(side.path, stop);
  if (!dump) {
    return dump;
  }
  if (side.units.run.empty()) {
    auto implied = ULP_TRY(impliedRun(**dump, isBaseline));
    side.units.run = std::move(implied);
  }
  return dumps::chooseUnits(std::move(*dump), side.units);
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
  if (!sides.origin.mapping.empty()) {
    auto mapping = ULP_TRY(SiteMapping::parse(sides.origin.mapping, "mapping"));
    sides.mapping = std::move(mapping);
  }
  for (const bool isBaseline : {true, false}) {
    auto dump =
        openSide(isBaseline ? sides.origin.baseline : sides.origin.candidate, isBaseline, stop);
    if (!dump) {
      return tl::unexpected<Error>(std::move(dump.error()));
    }
    dump = mergeShards(std::move(*dump), sides.mapping.dumps(), isBaseline);
    if (!dump) {
      return tl::unexpected<Error>(std::move(dump.error()));
    }
    (isBaseline ? sides.baseline : sides.candidate) = std::move(*dump);
  }
  return sides;
}

UnitPairing pairUnits(const Dump& baseline, const Dump& candidate) {
  return UnitPairer(baseline, candidate).pair();
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
  auto other =
      std::async(std::launch::async, [&] { return candidate.openUnit(pair.candidate, stop); });
  auto left = baseline.openUnit(pair.baseline, stop);
  auto right = other.get();
  auto baselineUnit = ULP_TRY(std::move(left));
  auto candidateUnit = ULP_TRY(std::move(right));
  UnitSides units{std::move(baselineUnit), std::move(candidateUnit)};
  const AlignmentRules rules{mapping, readsElements};
  for (const AlignmentPass& pass : alignmentPasses()) {
    if (readsElements || !pass.needsElements) {
      pass.apply(units, rules);
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
  RecognisedDump found{.format = dump->format, .units = {}, .notes = dump->notes};
  for (const dumps::UnitInfo& unit : dump->units) {
    found.units.push_back(unit.axes);
  }
  return found;
}

Result<> checkUnits(const RecognisedDump& dump, const report::DumpSide& side) {
  return dumps::checkChoice(side.path, dump.units, side.units);
}

std::vector<std::string> recordingTools() {
  return dumps::recordingTools();
}

bool looksLikeDump(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return false;
  }
  const dumps::ImporterRegistry importers = dumps::builtinImporters();
  return std::any_of(
      importers.all().begin(), importers.all().end(), [&](const dumps::Importer& importer) {
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

}  // namespace ulp::analysis
