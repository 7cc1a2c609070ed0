#include "core/comparing/ranks/merged_shards.h"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/comparing/ranks/merged_ranks.h"
#include "core/comparing/ranks/renumbered_units.h"

namespace ulp::analysis {
namespace {

using dumps::Dump;
using dumps::DumpPtr;
using dumps::DumpUnitPtr;

/// Of a rank: which stage, which of the replicas, which shard.
struct RankPlace {
  std::size_t stage = 0;
  std::size_t copy = 0;
  std::size_t shard = 0;

  friend auto operator<=>(const RankPlace&,
                          const RankPlace&) = default;  // NOLINT(modernize-use-nullptr)
};

struct GroupPlace {
  std::size_t group;
  std::size_t position;
};
std::optional<GroupPlace> findIn(const RankGroups& groups, std::int64_t rank) {
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto found = std::ranges::find(groups[group], rank);
    if (found != groups[group].end()) {
      return GroupPlace{group, static_cast<std::size_t>(found - groups[group].begin())};
    }
  }
  return std::nullopt;
}

/// Places of all ranks that the layout or, where it names none, the dump has.
Result<std::map<RankPlace, std::int64_t>> placesOf(const RankLayout& layout,
                                                   const std::set<std::int64_t>& ranks,
                                                   const std::string& path) {
  std::set<std::int64_t> all = ranks;
  for (const RankGroups* groups :
       {&layout.tensor, &layout.pipeline, &layout.data, &layout.expert}) {
    for (const auto& group : *groups) {
      all.insert(group.begin(), group.end());
    }
  }
  std::map<RankPlace, std::int64_t> places;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shards;
  for (const std::int64_t rank : all) {
    const auto stage = findIn(layout.pipeline, rank);
    const auto copy = findIn(layout.data, rank);
    const auto shard = findIn(layout.tensor, rank);
    const bool isPlaced = (stage || layout.pipeline.empty()) && (copy || layout.data.empty()) &&
                          (shard || layout.tensor.empty());
    RankPlace place{.stage = stage ? stage->group : 0, .copy = copy ? copy->position : 0};
    place.shard = shard ? shard->position : shards[{place.stage, place.copy}]++;
    if (!isPlaced || !places.emplace(place, rank).second) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("{}: rank {} {}; correct 'ranks' of the mapping",
                      path,
                      rank,
                      isPlaced ? fmt::format("has the same place as rank {}", places.at(place))
                               : "is in no group of an axis that 'ranks' names"));
    }
  }
  return places;
}

/// A step before its ranks are merged.
struct Step {
  UnitAxes axes;
  std::map<std::int64_t, std::size_t> units;  ///< by rank
};

/// Puts the ranks of a step together.
class RankMerger {
 public:
  RankMerger(DumpPtr of, ShardMatcher matcher, RankLayout layout)
      : m_of(std::move(of)), m_matcher(std::move(matcher)), m_layout(std::move(layout)) {}

  [[nodiscard]] Result<> place(const std::vector<Step>& steps) {
    std::set<std::int64_t> ranks;
    for (const Step& step : steps) {
      for (const auto& [rank, unit] : step.units) {
        ranks.insert(rank);
      }
    }
    m_places = ULP_TRY(placesOf(m_layout, ranks, m_of->path.string()));
    return {};
  }
  [[nodiscard]] std::size_t rankCount() const { return m_places.size(); }
  /// The first of the ranks that a step lacks.
  [[nodiscard]] std::optional<std::int64_t> lackingIn(const Step& step) const {
    const auto lacking = std::ranges::find_if(
        m_places, [&](const auto& each) { return !step.units.contains(each.second); });
    return lacking == m_places.end() ? std::nullopt : std::optional(lacking->second);
  }

  [[nodiscard]] Result<DumpUnitPtr> open(const Step& step,
                                         const std::stop_token& stop,
                                         const dumps::Progress& progress) const {
    std::map<RankPlace, Held> opened;
    for (const auto& [place, rank] : m_places) {
      auto its = m_of->openUnit(step.units.at(rank), stop);
      if (!its) {
        return failWhile(fmt::format("rank {}", rank), std::move(its));
      }
      opened.emplace(place, held(std::move(*its), rank));
      if (progress) {
        progress(opened.size(), m_places.size());
      }
    }
    return merged(opened, step.axes);
  }

 private:
  struct Held {
    DumpUnitPtr unit;
    std::size_t owner = 0;  ///< the rank's place in its expert-parallel group
  };
  struct Shards {
    std::vector<DumpUnitPtr> units;
    std::vector<std::size_t> owners;  ///< of each; empty: there are no expert-parallel groups
  };

  [[nodiscard]] Held held(DumpUnitPtr unit, std::int64_t rank) const {
    const auto place = findIn(m_layout.expert, rank);
    if (!place) {
      return {std::move(unit)};
    }
    if (m_layout.experts > 0) {
      const auto ranks = static_cast<std::int64_t>(m_layout.expert[place->group].size());
      const std::int64_t count = m_layout.experts / ranks;
      const std::int64_t first = static_cast<std::int64_t>(place->position) * count;
      unit = withExpertNumbers(unit, {.first = first, .count = count});
    }
    return {std::move(unit), place->position};
  }

  void add(Shards& shards, DumpUnitPtr unit, std::size_t owner) const {
    shards.units.push_back(std::move(unit));
    if (!m_layout.expert.empty()) {
      shards.owners.push_back(owner);
    }
  }

  [[nodiscard]] Result<DumpUnitPtr> together(const Shards& shards, ShardAxis axis) const {
    const double divisor = axis == ShardAxis::Data ? m_layout.gradientDivisor : 0;
    return mergeRanks(shards.units, m_matcher, axis, shards.owners, divisor);
  }

  [[nodiscard]] Result<DumpUnitPtr> merged(const std::map<RankPlace, Held>& opened,
                                           const UnitAxes& axes) const {
    // What is cut along both, as FSDP 2 cuts tensor-parallel parameters, is cut among copies last.
    const bool areCopiesFirst = m_layout.gradientDivisor > 0 && m_layout.expert.empty();
    std::map<std::size_t, std::map<std::size_t, Shards>> groups;
    for (const auto& [place, rank] : opened) {
      add(groups[place.stage][areCopiesFirst ? place.shard : place.copy], rank.unit, rank.owner);
    }
    std::vector<DumpUnitPtr> stages;
    for (const auto& [stage, parts] : groups) {
      Shards wholes;
      for (const auto& [part, its] : parts) {
        auto whole = ULP_TRY(together(its, areCopiesFirst ? ShardAxis::Data : ShardAxis::Tensor));
        add(wholes, std::move(whole), its.owners.empty() ? 0 : its.owners.front());
      }
      auto unit = ULP_TRY(together(wholes, areCopiesFirst ? ShardAxis::Tensor : ShardAxis::Data));
      stages.push_back(std::move(unit));
    }
    return joinStages(chunksInOrder(stages), axes);
  }

  /// What follows one another in the model: a stage's chunk behind the same chunk of the stage
  /// before it, the second chunks behind the first ones. Where the numbers of layers say otherwise
  /// (stages that are passed there and back), by those.
  [[nodiscard]] std::vector<StageUnit> chunksInOrder(const std::vector<DumpUnitPtr>& stages) const {
    const auto chunks = static_cast<std::size_t>(m_layout.chunks);
    std::vector<StageUnit> all(stages.size() * chunks);
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const std::vector<DumpUnitPtr> its = chunksOf(stages[stage], chunks);
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t place = stage * chunks + chunk;
        all[chunk * stages.size() + stage] = {its[chunk],
                                              m_layout.layers.empty() ? 0 : m_layout.layers[place]};
      }
    }
    if (chunks > 1) {
      std::ranges::stable_sort(all, {}, &StageUnit::firstLayer);
    }
    return all;
  }

  DumpPtr m_of;
  ShardMatcher m_matcher;
  RankLayout m_layout;
  std::map<RankPlace, std::int64_t> m_places;
};

}  // namespace

Result<DumpPtr> mergeShards(DumpPtr dump, const DumpRules& rules, bool isBaseline) {
  const auto& layout = isBaseline ? rules.baselineRanks : rules.candidateRanks;
  if (rules.shards.empty() && !layout) {
    return dump;
  }
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, Step> steps;
  std::vector<Sentence> repeated;
  bool isDivided = false;
  constexpr std::int64_t kNoNumber = -1;
  for (std::size_t i = 0; i < dump->units.size(); ++i) {
    UnitAxes axes = dump->units[i].axes;
    if (!axes.rank) {
      return dump;
    }
    const std::int64_t rank = *std::exchange(axes.rank, std::nullopt);
    Step& step = steps[{axes.run, axes.step.value_or(kNoNumber), axes.token.value_or(kNoNumber)}];
    step.axes = axes;
    if (!step.units.emplace(rank, i).second) {
      repeated.push_back({ULP_TR_NOOP("%1: %2 is there twice; the first one is taken"),
                          {dump->path.string(), describe(dump->units[i].axes)}});
    }
    isDivided = isDivided || step.units.size() > 1;
  }
  if (!isDivided) {
    return dump;
  }
  std::vector<Step> all =
      listOf(steps | std::views::values, [](Step& step) { return std::move(step); });
  auto merged = std::make_shared<Dump>(Dump{.importer = dump->importer,
                                            .format = dump->format,
                                            .path = dump->path,
                                            .checksumKind = dump->checksumKind,
                                            .notes = dump->notes});
  merged->notes.insert(merged->notes.end(), repeated.begin(), repeated.end());
  auto matcher = ULP_TRY(ShardMatcher::make(rules.shards));
  const auto merger = std::make_shared<RankMerger>(
      std::move(dump), std::move(matcher), layout ? *layout : RankLayout());
  ULP_TRY(merger->place(all));
  Sentence missing;
  for (Step& step : all) {
    if (const auto lacking = merger->lackingIn(step)) {
      missing = {ULP_TR_NOOP("%1: %2: rank %3 is missing, so that its tensors cannot be put "
                             "together; copy its folder"),
                 {merged->path.string(),
                  step.axes.isEmpty() ? Sentence{ULP_TR_NOOP("the dump"), {}}
                                      : Sentence(describe(step.axes)),
                  std::to_string(*lacking)}};
      merged->notes.push_back(missing);
      continue;
    }
    const UnitAxes axes = step.axes;
    merged->units.push_back(
        {.axes = axes,
         .path = merged->path,
         .open = [merger, step = std::move(step)](const dumps::UnitInfo& /*unit*/,
                                                  const std::stop_token& stop,
                                                  const dumps::Progress& progress) {
           return merger->open(step, stop, progress);
         }});
  }
  merged->format += fmt::format(", {} ranks as one", merger->rankCount());
  if (merged->units.empty()) {
    return fail(ErrorCode::InvalidArgument, missing.text());
  }
  return merged;
}

}  // namespace ulp::analysis
