#include "core/comparing/origin/culprit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/analysis/findings/rule_input.h"
#include "core/base/text/format_number.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/collective_call.h"
#include "core/comparing/origin/execution_order.h"
#include "core/dumps/model/enclosing_calls.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;

/// Arguments are written by Python with all their digits; some tools keep fewer.
constexpr double kExactRoundOff = 5e-7;

/// Functions that may hand back what they were given. Dumps of their backward pass are then those
/// of another node of the graph, and compare with nothing.
constexpr std::array<std::string_view, 12> kMayReturnInput{"Tensor.to",
                                                           "Tensor.type",
                                                           "Tensor.float",
                                                           "Tensor.double",
                                                           "Tensor.half",
                                                           "Tensor.bfloat16",
                                                           "Tensor.type_as",
                                                           "Tensor.contiguous",
                                                           "Functional.dropout",
                                                           "Tensor.expand",
                                                           "Tensor.reshape",
                                                           "Tensor.view"};

bool mayReturnInput(const DumpEntry& entry) {
  return std::find(kMayReturnInput.begin(), kMayReturnInput.end(), entry.operation) !=
         kMayReturnInput.end();
}

/// The same for a call and its backward pass.
std::string callOf(const DumpEntry& entry) {
  return fmt::format("{}|{}|{}", entry.module, entry.operation, entry.call);
}
/// The same for all calls of a function in a module.
std::string functionOf(const DumpEntry& entry) {
  return fmt::format("{}|{}", entry.module, entry.operation);
}

/// Numbers of two sides that are not the same, if need be rounded to some format. Whole numbers
/// count something and are rounded by nobody.
bool isOtherNumber(const DumpRow& left, const DumpRow& right, double allowed) {
  const auto a = argumentNumber(left);
  const auto b = argumentNumber(right);
  if (!a || !b || *a == *b || (std::isnan(*a) && std::isnan(*b)) || (isLimit(*a) && isLimit(*b))) {
    return false;
  }
  const auto isWhole = [](const DumpRow& row) {
    return row.value.find_first_not_of("-0123456789") == std::string::npos;
  };
  const bool isExact =
      !std::isfinite(*a) || !std::isfinite(*b) || (isWhole(left) && isWhole(right));
  return isExact || std::abs(*a - *b) > allowed * std::abs(*a);
}

/// "output.0" of "model.mlp.forward.0.output.0": what says the reason stands beside the call.
std::string nameInCall(const std::string& call, const std::string& row) {
  const bool isInside =
      row.size() > call.size() + 1 && row.starts_with(call) && row[call.size()] == '.';
  return isInside ? row.substr(call.size() + 1) : row;
}

/// What is known of a tensor when something reads it.
struct Carried {
  double error = 0;  ///< infinite: different, nobody knows how much
  bool isBroken = false;
};

std::string percent(double error) {
  return std::isfinite(error) ? formatPercent(error) + " %" : "an unknown amount";
}

void merge(Carried& into, const Carried& more) {
  into.error = std::max(into.error, more.error);
  into.isBroken = into.isBroken || more.isBroken;
}

class CulpritWalk {
 public:
  CulpritWalk(const UnitComparison& units, const CulpritLimits& limits)
      : m_units(units),
        m_limits(limits),
        m_rowsOf(rowsOfPairs(units)),
        m_inside(units.baseline->entries.size()) {}

  [[nodiscard]] Verdict run() && {
    for (const std::size_t pair : pairsInOrder(m_units)) {
      visit(pair);
      m_places.emplace(entryOf(pair).parent, entryOf(pair).pass);
    }
    std::stable_sort(m_verdict.culprits.begin(),
                     m_verdict.culprits.end(),
                     [](const Culprit& a, const Culprit& b) { return a.isBroken > b.isBroken; });
    return std::move(m_verdict);
  }

 private:
  [[nodiscard]] const DumpEntry& entryOf(std::size_t pair) const {
    return m_units.baseline->entries[m_units.matching.entries[pair].baseline];
  }
  [[nodiscard]] const DumpRow& rowOf(std::size_t row) const {
    return m_units.baseline->rows[m_units.matching.rows[row].baseline];
  }
  [[nodiscard]] const RowDifference& differenceOfRow(std::size_t row) const {
    return m_units.rows[row];
  }

  /// Beside zeros every number is infinitely far off: there the rest of the call gives the scale,
  /// so that noise among gradients of 0 stays noise.
  [[nodiscard]] double errorIn(std::size_t pair, std::size_t row) const {
    const double error = errorOf(differenceOfRow(row));
    const double own = differenceOfRow(row).candidateRms;
    double scale = 0;
    for (const std::size_t other : m_rowsOf[pair]) {
      if (std::isfinite(differenceOfRow(other).baselineRms)) {
        scale = std::max(scale, differenceOfRow(other).baselineRms);
      }
    }
    return std::isinf(error) && std::isfinite(own) && scale > 0 ? own / scale : error;
  }

  [[nodiscard]] double allowedAfter(Pass pass, double carried, double roundOff) const {
    const double growth = pass == Pass::Forward ? m_limits.growth : m_limits.growthBackward;
    return growth * carried + roundingOf(roundOff, m_limits);
  }

  void visit(std::size_t pair) {
    // A module call makes no error that the calls inside it have made.
    Carried carried = m_inside[m_units.matching.entries[pair].baseline];
    const bool hasReads = readInputs(pair, carried);
    if (!hasReads) {
      merge(carried, m_ambient);
    }
    if (handsOutMemory(entryOf(pair))) {
      return;
    }
    if (entryOf(pair).pass == Pass::Backward) {
      if (mayReturnInput(entryOf(pair))) {
        return;
      }
      merge(carried, ofForwardCall(entryOf(pair)));
    }
    for (const std::size_t row : m_rowsOf[pair]) {
      if (!dumps::isRead(rowOf(row).role)) {
        judgeMade(pair, row, carried, hasReads);
      }
    }
    for (const std::size_t row : m_rowsOf[pair]) {
      if (!dumps::isRead(rowOf(row).role)) {
        remember(pair, row, carried);
        take(carried, pair, row);
      }
    }
    if (entryOf(pair).pass == Pass::Forward) {
      m_calls[callOf(entryOf(pair))] = carried;
      merge(m_calls[functionOf(entryOf(pair))], carried);
    }
    if (const std::size_t parent = entryOf(pair).parent; parent != dumps::kNone) {
      merge(m_inside[parent], carried);
    }
  }

  /// Adds what comes in to `carried`; whether anything that could be judged did.
  bool readInputs(std::size_t pair, Carried& carried) {
    bool hasReads = false;
    for (const std::size_t row : m_rowsOf[pair]) {
      // What was in memory before the call fills it, nobody made.
      const bool isLeft = isFilled(*m_units.baseline,
                                   m_units.matching.entries[pair].baseline,
                                   m_units.matching.rows[row].baseline);
      if (dumps::isRead(rowOf(row).role) && !isLeft) {
        judgeRead(pair, row);
        hasReads = hasReads || isJudged(row);
        take(carried, pair, row);
      }
    }
    return hasReads;
  }

  /// Gradients are products with what the forward call read and made. A call that ran again, and of
  /// which these are the gradients, has no partner in a run that did not: any call of the same
  /// then.
  [[nodiscard]] Carried ofForwardCall(const DumpEntry& entry) const {
    for (const std::string& key : {callOf(entry), functionOf(entry)}) {
      if (const auto forward = m_calls.find(key); forward != m_calls.end()) {
        return forward->second;
      }
    }
    return {};
  }

  [[nodiscard]] bool isJudged(std::size_t row) const {
    const DumpRow& left = rowOf(row);
    const DumpRow& right = m_units.candidate->rows[m_units.matching.rows[row].candidate];
    // Formats of different width have different limits, and infinity is one of every format.
    const bool isMaskOfAnother =
        isMasked(left) && isMasked(right) &&
        (differenceOfRow(row).isDTypeDifferent || left.statistics.min != right.statistics.min);
    return differenceOfRow(row).basis >= Basis::Checksums && !isMaskOfAnother;
  }

  /// Numbers that stand for infinity are known by what was recorded, or by how large they make the
  /// elements as a whole.
  [[nodiscard]] bool hidesErrors(std::size_t row) const {
    return isMasked(rowOf(row)) || differenceOfRow(row).isMasked;
  }

  /// Among what hides most of a tensor, an error is nothing relative to the whole.
  void take(Carried& carried, std::size_t pair, std::size_t row) const {
    merge(carried, {errorIn(pair, row), differenceOfRow(row).isBroken && isJudged(row)});
    if (hidesErrors(row)) {
      merge(carried, m_ambient);
    }
  }

  void count(std::size_t row) {
    const RowDifference& difference = differenceOfRow(row);
    m_verdict.comparedRows += 1;
    m_verdict.equalRows += difference.isEqual ? 1 : 0;
    if (std::isfinite(difference.error)) {
      m_verdict.largestError = std::max(m_verdict.largestError, difference.error);
    }
  }

  /// A tensor that a call reads should hold what something before it made.
  void judgeRead(std::size_t pair, std::size_t row) {
    const RowDifference& difference = differenceOfRow(row);
    if (difference.basis == Basis::Values) {
      judgeValue(pair, row);
      return;
    }
    if (!isJudged(row)) {
      return;
    }
    count(row);
    if (difference.isEqual) {
      return;
    }
    const bool isOwn = isParameter(entryOf(pair), rowOf(row));
    const std::string fingerprint = fingerprintOf(rowOf(row));
    const auto producer = m_producers.find(fingerprint);
    const bool isMade = !isOwn && !fingerprint.empty() && producer != m_producers.end();
    // The same parameter is often read again. Others may hold the same in the baseline: all norms
    // of a new model are ones.
    const DumpRow& candidate = m_units.candidate->rows[m_units.matching.rows[row].candidate];
    if (!isMade && !fingerprint.empty() &&
        !m_sources.insert(fingerprint + "|" + fingerprintOf(candidate)).second) {
      return;
    }
    const Carried before = isMade ? producer->second : isOwn ? Carried{} : m_ambient;
    const double allowed =
        isOwn ? m_limits.sourceRoundOffs * difference.roundOff
              : allowedAfter(entryOf(pair).pass, before.error, difference.roundOff);
    const bool isBreaking = difference.isBroken && !before.isBroken;
    if (isBreaking || (!difference.isBroken && errorIn(pair, row) > allowed)) {
      const bool isGap = !isOwn && (isMade || hasSiblings(pair));
      add(pair, row, isGap ? CulpritKind::Gap : CulpritKind::Source, before.error, allowed, true);
    }
  }

  /// Numbers among the arguments; names of types and devices may well differ.
  void judgeValue(std::size_t pair, std::size_t row) {
    const RowPair& rows = m_units.matching.rows[row];
    double roundOff = kExactRoundOff;
    for (const std::size_t other : m_rowsOf[pair]) {
      roundOff = std::max(roundOff, differenceOfRow(other).roundOff);
    }
    if (isOtherNumber(m_units.baseline->rows[rows.baseline],
                      m_units.candidate->rows[rows.candidate],
                      m_limits.sourceRoundOffs * roundOff)) {
      add(pair, row, CulpritKind::Source, 0, 0, true);
    }
  }

  void judgeMade(std::size_t pair, std::size_t row, const Carried& carried, bool hasReads) {
    if (!isJudged(row)) {
      return;
    }
    count(row);
    const RowDifference& difference = differenceOfRow(row);
    const double allowed = allowedAfter(entryOf(pair).pass, carried.error, difference.roundOff);
    const bool isBreaking = difference.isBroken && !carried.isBroken;
    if (isBreaking || (!difference.isBroken && errorIn(pair, row) > allowed)) {
      add(pair, row, CulpritKind::Operation, carried.error, allowed, hasReads);
    }
  }

  /// `carried` is what a mask may hide of the tensor's error.
  void remember(std::size_t pair, std::size_t row, const Carried& carried) {
    if (!isJudged(row)) {
      return;
    }
    Carried state{errorIn(pair, row), differenceOfRow(row).isBroken};
    if (hidesErrors(row)) {
      merge(state, carried);
    }
    if (const std::string fingerprint = fingerprintOf(rowOf(row)); !fingerprint.empty()) {
      m_producers[fingerprint] = state;
    }
    m_ambient.error = std::max(m_ambient.error, state.error);
    m_ambient.isBroken = m_ambient.isBroken || state.isBroken;
  }

  /// Something was recorded before inside the same module call; where none is known, anywhere.
  [[nodiscard]] bool hasSiblings(std::size_t pair) const {
    return m_places.contains({entryOf(pair).parent, entryOf(pair).pass});
  }

  void add(std::size_t pair,
           std::size_t row,
           CulpritKind kind,
           double carried,
           double allowed,
           bool hasReads) {
    // One call has one cause; what it read comes first.
    if (!m_verdict.culprits.empty() &&
        m_verdict.culprits.back().entry == m_units.matching.entries[pair].baseline) {
      return;
    }
    const RowDifference& difference = differenceOfRow(row);
    Culprit culprit{.kind = kind,
                    .entry = m_units.matching.entries[pair].baseline,
                    .name = entryOf(pair).name,
                    .row = row,
                    .site = siteOfPair(m_units, row),
                    .rowName = rowOf(row).name,
                    .error = std::isinf(difference.error) ? std::numeric_limits<double>::quiet_NaN()
                                                          : difference.error,
                    .carried = carried,
                    .allowed = allowed,
                    .isBroken = difference.isBroken};
    describePlace(culprit, pair);
    culprit.reason = reasonOf(culprit, pair, row);
    judgeSureness(culprit, pair, row, hasReads);
    m_verdict.culprits.push_back(std::move(culprit));
  }

  void describePlace(Culprit& culprit, std::size_t pair) const {
    culprit.enclosing = dumps::enclosingCalls(*m_units.baseline, culprit.entry);
    const auto& candidate = *m_units.candidate;
    const std::size_t own = candidate.entries[m_units.matching.entries[pair].candidate].stack;
    if (own != dumps::kNone) {
      culprit.stack = candidate.stacks[own];
    } else if (entryOf(pair).stack != dumps::kNone) {
      culprit.stack = m_units.baseline->stacks[entryOf(pair).stack];
    }
    culprit.structure = structureAround(pair);
  }

  /// Calls that one side alone has inside the culprit, or beside it in the same module call.
  [[nodiscard]] std::string structureAround(std::size_t pair) const {
    const EntryPair& own = m_units.matching.entries[pair];
    const auto namesIn = [&](const dumps::DumpUnit& unit,
                             const std::vector<std::size_t>& entries,
                             std::size_t culprit) {
      std::vector<std::string> names;
      for (const std::size_t index : entries) {
        const std::size_t parent = unit.entries[index].parent;
        const bool isOfPass = unit.entries[index].pass == unit.entries[culprit].pass;
        if (isOfPass && (parent == culprit || parent == unit.entries[culprit].parent)) {
          names.push_back(unit.entries[index].name);
        }
      }
      return names;
    };
    const auto lacking =
        namesIn(*m_units.baseline, m_units.matching.onlyBaselineEntries, own.baseline);
    const auto extra =
        namesIn(*m_units.candidate, m_units.matching.onlyCandidateEntries, own.candidate);
    std::string text;
    if (!lacking.empty()) {
      text = "the candidate lacks " + namesText(lacking);
    }
    if (!extra.empty()) {
      text += (text.empty() ? "the candidate has " : ", and has ") + namesText(extra);
    }
    return text;
  }

  [[nodiscard]] std::string reasonOf(const Culprit& culprit,
                                     std::size_t pair,
                                     std::size_t row) const {
    const std::string name = nameInCall(culprit.name, rowOf(row).name);
    const RowDifference& difference = differenceOfRow(row);
    if (difference.basis == Basis::Values) {
      const RowPair& rows = m_units.matching.rows[row];
      return fmt::format("its argument {} is {} instead of {}",
                         name,
                         m_units.candidate->rows[rows.candidate].value,
                         m_units.baseline->rows[rows.baseline].value);
    }
    const std::string what =
        difference.isBroken            ? "holds NaN or infinity where the baseline has numbers"
        : std::isinf(difference.error) ? "holds numbers where the baseline has zeros alone"
                                       : fmt::format("differs by {}", percent(difference.error));
    switch (culprit.kind) {
      case CulpritKind::Source:
        return fmt::format("{} {} {}, and nothing recorded has made it",
                           isParameter(entryOf(pair), rowOf(row)) ? "its parameter" : "its input",
                           name,
                           what);
      case CulpritKind::Gap:
        return fmt::format(
            "its input {} {}, while what was recorded before {}: made between the calls that were "
            "recorded",
            name,
            what,
            culprit.carried == 0 ? std::string("agrees")
                                 : fmt::format("differs by at most {}", percent(culprit.carried)));
      case CulpritKind::Operation:
      case CulpritKind::Received:
        break;
    }
    if (difference.isBroken) {
      return fmt::format("{} {}, and what it read is finite", name, what);
    }
    return fmt::format("{} {} where at most {} came in", name, what, percent(culprit.carried));
  }

  void judgeSureness(Culprit& culprit, std::size_t pair, std::size_t row, bool hasReads) const {
    const RowDifference& difference = differenceOfRow(row);
    const bool hidesInputs =
        std::any_of(m_rowsOf[pair].begin(), m_rowsOf[pair].end(), [&](std::size_t other) {
          return dumps::isRead(rowOf(other).role) && differenceOfRow(other).mayHide();
        });
    const bool isClear = difference.isBroken || difference.basis <= Basis::Checksums ||
                         difference.error > 4 * culprit.allowed;
    if (!hasReads) {
      culprit.sureness = Sureness::Low;
      culprit.sureBecause = "its inputs were not recorded";
    } else if (culprit.kind == CulpritKind::Operation && hidesInputs) {
      culprit.sureness = Sureness::Medium;
      culprit.sureBecause =
          "its inputs agree in their statistics, which cannot tell elements that "
          "changed places";
    } else if (culprit.kind == CulpritKind::Gap) {
      culprit.sureness = isClear ? Sureness::Medium : Sureness::Low;
      culprit.sureBecause = "what made the tensor was not recorded";
    } else {
      culprit.sureness = isClear ? Sureness::High : Sureness::Medium;
      culprit.sureBecause =
          isClear
              ? "far beyond what rounding and carried errors account for"
              : fmt::format("not far beyond the {} that rounding and carried errors account for",
                            percent(culprit.allowed));
    }
  }

  const UnitComparison& m_units;
  const CulpritLimits& m_limits;
  std::vector<std::vector<std::size_t>> m_rowsOf;  ///< of each pair of entries: in units.rows
  std::vector<Carried> m_inside;  ///< of each of the baseline's entries: what calls inside it made
  std::unordered_map<std::string, Carried> m_producers;
  std::unordered_set<std::string> m_sources;         ///< contents that were judged, of both sides
  std::unordered_map<std::string, Carried> m_calls;  ///< what forward calls read and made
  std::set<std::pair<std::size_t, Pass>> m_places;   ///< parents of calls that were seen
  Carried m_ambient;
  Verdict m_verdict;
};

}  // namespace

double roundingOf(double roundOff, const CulpritLimits& limits) {
  return roundOff * (isCoarse(roundOff) ? limits.madeRoundOffsCoarse : limits.madeRoundOffs);
}

double errorOf(const RowDifference& row) {
  if (row.isEqual) {
    return 0;
  }
  if (row.basis == Basis::Checksums) {
    return std::numeric_limits<double>::infinity();
  }
  return std::isnan(row.error) ? 0 : row.error;
}

std::string_view toString(CulpritKind kind) {
  switch (kind) {
    case CulpritKind::Received:
      return "received";
    case CulpritKind::Source:
      return "source";
    case CulpritKind::Gap:
      return "gap";
    case CulpritKind::Operation:
      break;
  }
  return "operation";
}

std::string_view toString(Sureness sureness) {
  constexpr std::array<std::string_view, 3> kNames{"low", "medium", "high"};
  return kNames.at(static_cast<std::size_t>(sureness));
}

Verdict findCulprits(const UnitComparison& comparison, const CulpritLimits& limits) {
  return CulpritWalk(comparison, limits).run();
}

}  // namespace ulp::analysis
