#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/base/text/sentence.h"
#include "core/comparing/verdict/dump_comparison.h"

namespace ulp::analysis {
namespace {

constexpr const char* kOfCommunication = ULP_TR_NOOP(
    "%1; what the other ranks put in accounts for none of it, so that the "
    "communication itself, or the order in which it adds, made the error");

UnitAxes axesOf(const UnitOutcome& unit) {
  return unit.run.axes.value_or(UnitAxes{});
}

/// Another rank of the same step and token.
bool isBeside(const UnitOutcome& one, const UnitOutcome& other) {
  const UnitAxes left = axesOf(one);
  const UnitAxes right = axesOf(other);
  return left.step == right.step && left.token == right.token && left.run == right.run &&
         left.rank != right.rank;
}

/// What came from the rank `label`.
Sentence receivedText(const std::string& label, const CollectiveOutcome& theirs) {
  if (theirs.isInputBroken) {
    return {ULP_TR_NOOP("received from %1, whose %2 holds NaN or infinity"),
            {label, theirs.inputRow}};
  }
  if (!std::isfinite(theirs.inputError)) {
    return {ULP_TR_NOOP("received from %1, whose %2 differs"), {label, theirs.inputRow}};
  }
  return {ULP_TR_NOOP("received from %1, whose %2 differs by %3"),
          {label, theirs.inputRow, formatPercent(theirs.inputError) + " %"}};
}

/// What is known of a rank: of all its tokens together, or of one of them.
struct RankTrace {
  const UnitOutcome* unit = nullptr;
  std::vector<Culprit>* culprits = nullptr;
  const std::vector<CollectiveOutcome>* collectives = nullptr;
};

RankTrace wholeOf(UnitOutcome& unit) {
  return {&unit, &unit.verdict.culprits, &unit.collectives};
}

bool hasOwnOrigin(const UnitOutcome& unit) {
  return unit.tokenOrigin && unit.tokenOrigin->isOwn();
}

/// Of the ranks that were followed to the same place of the network that place, of others all.
std::vector<RankTrace> sameToken(std::vector<UnitOutcome>& units, const TokenOrigin& token) {
  return listOf(units, [&](UnitOutcome& unit) {
    const bool isSame = hasOwnOrigin(unit) && unit.tokenOrigin->position == token.position &&
                        unit.tokenOrigin->index.sample == token.index.sample;
    return isSame ? RankTrace{&unit,
                              &unit.tokenOrigin->verdict.culprits,
                              &unit.tokenOrigin->collectives}
                  : wholeOf(unit);
  });
}

class RankFollower {
 public:
  explicit RankFollower(std::vector<RankTrace> units) : m_units(std::move(units)) {}

  void run(std::size_t unit) {
    for (std::size_t i = 0; i < m_units[unit].culprits->size(); ++i) {
      resolve(unit, i);
    }
  }

 private:
  /// The first communication of a rank for which `fits` is true; null: none.
  template <class Fits>
  [[nodiscard]] const CollectiveOutcome* collectiveOn(std::size_t unit, const Fits& fits) const {
    const auto& all = *m_units[unit].collectives;
    const auto found = std::ranges::find_if(all, fits);
    return found == all.end() ? nullptr : &*found;
  }

  /// Once each, so that ranks that wait for each other come to an end.
  void resolve(std::size_t unit, std::size_t index) {
    Culprit& culprit = (*m_units[unit].culprits)[index];
    const CollectiveOutcome* own = collectiveOn(
        unit, [&](const CollectiveOutcome& one) { return one.entry == culprit.entry; });
    const bool isOfOutput = culprit.kind == CulpritKind::Operation;
    if (own == nullptr || !isOfOutput || !m_seen.emplace(unit, index).second) {
      return;
    }
    std::size_t partners = 0;
    std::optional<std::pair<std::size_t, const CollectiveOutcome*>> source;
    for (std::size_t other = 0; other < m_units.size(); ++other) {
      if (!isBeside(*m_units[unit].unit, *m_units[other].unit)) {
        continue;
      }
      const CollectiveOutcome* theirs = collectiveOn(other, [&](const CollectiveOutcome& one) {
        return one.key == own->key && one.isSending;
      });
      partners += theirs == nullptr ? 0 : 1;
      if (theirs != nullptr && isFartherOff(*own, *theirs) &&
          (!source || isFartherOff(*source->second, *theirs))) {
        source = {other, theirs};
      }
    }
    if (source) {
      cameFrom(culprit, source->first, *source->second);
    } else if (partners > 0 && culprit.reason.pattern != kOfCommunication) {
      // Followers of several ranks may come by here.
      culprit.reason = {kOfCommunication, {culprit.reason}};
    }
  }

  /// NaN before all. Of several ranks the farthest off counts.
  [[nodiscard]] static bool isFartherOff(const CollectiveOutcome& known,
                                         const CollectiveOutcome& next) {
    return next.isInputDifferent && std::pair(next.isInputBroken, next.inputError) >
                                        std::pair(known.isInputBroken, known.inputError);
  }

  void cameFrom(Culprit& culprit, std::size_t unit, const CollectiveOutcome& theirs) {
    RemoteOrigin remote{.unit = unit,
                        .unitLabel = m_units[unit].unit->label,
                        .rowName = theirs.inputRow,
                        .error = theirs.inputError};
    if (const auto origin = originBefore(unit, theirs.entry)) {
      resolve(unit, *origin);
      const Culprit& there = (*m_units[unit].culprits)[*origin];
      if (there.remote) {
        // The rank that sent it had it from yet another one.
        remote.unit = there.remote->unit;
        remote.unitLabel = there.remote->unitLabel;
        remote.origin = there.remote->origin;
        remote.rowOfOrigin = there.remote->rowOfOrigin;
        remote.reason = there.remote->reason;
      } else {
        remote.origin = there.name;
        remote.rowOfOrigin = there.rowName;
        remote.reason = there.reason;
      }
    }
    culprit.kind = CulpritKind::Received;
    culprit.sureness = remote.origin.empty() ? Sureness::Medium : Sureness::High;
    culprit.sureBecause = {
        ULP_TR_NOOP("its own inputs do not account for it, and those of the other rank do"), {}};
    const Sentence received = receivedText(m_units[unit].unit->label, theirs);
    culprit.reason =
        remote.origin.empty()
            ? Sentence{ULP_TR_NOOP("%1; no single call there makes that error"), {received}}
            : Sentence{ULP_TR_NOOP("%1; it starts on %2 at %3: %4"),
                       {received, remote.unitLabel, remote.origin, remote.reason}};
    culprit.remote = std::move(remote);
  }

  /// The first culprit of a rank that ran before it communicated.
  [[nodiscard]] std::optional<std::size_t> originBefore(std::size_t unit, std::size_t entry) const {
    const auto& culprits = *m_units[unit].culprits;
    for (std::size_t i = 0; i < culprits.size(); ++i) {
      if (culprits[i].entry <= entry) {
        return i;
      }
    }
    return std::nullopt;
  }

  std::vector<RankTrace> m_units;
  std::set<std::pair<std::size_t, std::size_t>> m_seen;  ///< unit and culprit
};

}  // namespace

void followRanks(std::vector<UnitOutcome>& units) {
  RankFollower whole(listOf(units, wholeOf));
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    whole.run(unit);
  }
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    if (hasOwnOrigin(units[unit])) {
      RankFollower(sameToken(units, *units[unit].tokenOrigin)).run(unit);
    }
  }
}

std::optional<std::size_t> earliestCulprit(const std::vector<UnitOutcome>& units) {
  const auto keyOf = [&](std::size_t unit) {
    const Culprit& first = units[unit].verdict.culprits.front();
    const UnitAxes axes = axesOf(units[unit]);
    return std::tuple(axes.step.value_or(0),
                      axes.token.value_or(0),
                      first.kind == CulpritKind::Received,
                      !first.isBroken,
                      isOfParameters(first.site.pass),
                      first.entry);
  };
  std::optional<std::size_t> earliest;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    if (!units[unit].verdict.culprits.empty() && (!earliest || keyOf(unit) < keyOf(*earliest))) {
      earliest = unit;
    }
  }
  return earliest;
}

}  // namespace ulp::analysis
