#include "core/comparing/origin/culprit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/analysis/findings/finding_rule.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/collective_call.h"
#include "core/comparing/origin/culprit_words.h"
#include "core/comparing/origin/missing_rows.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;

/// Arguments are written by Python with all their digits; some tools keep fewer.
constexpr double kExactRoundOff = 5e-7;

/// Functions that may hand back what they were given. Dumps of their backward pass are then those
/// of another node of the graph, and compare with nothing.
constexpr std::string_view kMayReturnInput =
    "Tensor.to Tensor.type Tensor.float Tensor.double Tensor.half Tensor.bfloat16 Tensor.type_as "
    "Tensor.contiguous Functional.dropout Tensor.expand Tensor.reshape Tensor.view";

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

/// What is known of a tensor when something reads it.
struct Carried {
  double error = 0;  ///< infinite: different, nobody knows how much
  bool isBroken = false;
  double moved = 0;  ///< share of the tokens that another expert got
};

void merge(Carried& into, const Carried& more) {
  into.error = std::max(into.error, more.error);
  into.isBroken = into.isBroken || more.isBroken;
  into.moved = std::max(into.moved, more.moved);
}

/// Token ids and the like.
bool isOfWholeNumbers(const DumpRow& row) {
  const auto type = elementTypeOf(row);
  return type && !isFloatingPoint(*type);
}

class CulpritWalk {
 public:
  CulpritWalk(const PairedCalls& pairs,
              const CulpritLimits& limits,
              const GradientError& before,
              const std::vector<MissingRow>& missing)
      : m_pairs(pairs),
        m_units(pairs.units()),
        m_limits(limits),
        m_before(before),
        m_missing(missing),
        m_inside(m_units.baseline->entries.size()) {}

  [[nodiscard]] Verdict run() && {
    for (std::size_t place = 0; place < m_pairs.order().size(); ++place) {
      const std::size_t pair = m_pairs.order()[place];
      addMissing(place);
      visit(pair);
      m_places.emplace(m_pairs.entry(pair).parent, m_pairs.entry(pair).pass);
    }
    addMissing(m_pairs.order().size());
    std::ranges::stable_sort(m_verdict.culprits, [](const Culprit& a, const Culprit& b) {
      return a.isBroken > b.isBroken;
    });
    return std::move(m_verdict);
  }

 private:
  /// What all rows of a call are measured by.
  struct Scale {
    double rms = 0;  ///< the largest
    double roundOff = kExactRoundOff;
  };
  [[nodiscard]] Scale scaleOf(std::size_t pair) const {
    Scale scale;
    for (const std::size_t row : m_pairs.rows(pair)) {
      const RowDifference& difference = m_pairs.difference(row);
      if (std::isfinite(difference.baselineRms)) {
        scale.rms = std::max(scale.rms, difference.baselineRms);
      }
      scale.roundOff = std::max(scale.roundOff, difference.roundOff);
    }
    return scale;
  }

  /// Beside zeros every number is infinitely far off, and among what is nothing but rounding, such
  /// as the gradient of an attention's key bias, any is far off: there the rest of the call gives
  /// the scale, so that noise stays noise.
  [[nodiscard]] double errorIn(std::size_t row) const {
    const RowDifference& difference = m_pairs.difference(row);
    const double error = errorOf(difference);
    if (std::isinf(error)) {
      const double own = difference.candidateRms;
      return std::isfinite(own) && m_scale.rms > 0 ? own / m_scale.rms : error;
    }
    const dumps::Role role = m_pairs.row(row).role;
    const bool isSum = role == dumps::Role::InputGradient || role == dumps::Role::ParameterGradient;
    constexpr double kRoundOffs = 16;
    const double noise = kRoundOffs * roundOffOf(elementTypeOf(m_pairs.row(row))) * m_scale.rms;
    return isSum && difference.baselineRms < noise ? error * difference.baselineRms / m_scale.rms
                                                   : error;
  }

  [[nodiscard]] double allowedAfter(Pass pass, const Carried& carried, double roundOff) const {
    const double growth = pass == Pass::Forward ? m_limits.growth : m_limits.growthBackward;
    // What another expert makes of a token has nothing in common with what its own does.
    constexpr double kOfOtherExpert = 2;
    return growth * carried.error + kOfOtherExpert * std::sqrt(carried.moved) +
           roundingOf(roundOff, m_limits);
  }

  [[nodiscard]] double allowedOfParameter(double roundOff) const {
    const bool wasTrained = m_units.baseline->axes.step.value_or(0) > 0;
    return wasTrained && !isCoarse(roundOff) ? roundingOf(roundOff, m_limits)
                                             : m_limits.sourceRoundOffs * roundOff;
  }

  /// Stops being finite where what came in was, or is farther off than `allowed`.
  [[nodiscard]] bool isBeyond(std::size_t row, const Carried& before, double allowed) const {
    return m_pairs.difference(row).isBroken() ? !before.isBroken : errorIn(row) > allowed;
  }

  /// The same of a parameter, or of what depends on parameters, which steps before may have moved.
  [[nodiscard]] bool isBeyondMoved(std::size_t pair,
                                   std::size_t row,
                                   Carried before,
                                   double allowed) {
    if (!isBeyond(row, before, allowed)) {
      return false;
    }
    merge(before, {m_before.error, m_before.isBroken});
    double moved = allowedAfter(m_pairs.entry(pair).pass, before, m_pairs.difference(row).roundOff);
    if (isParameter(m_pairs.entry(pair), m_pairs.row(row))) {
      const double own = m_before.of(m_pairs.entry(pair), m_pairs.row(row)).value_or(0);
      moved = std::max(moved, m_limits.growthOptimizer * std::sqrt(own));
    }
    const bool isMoved = m_before.isBroken || (m_before.isAny() && !isBeyond(row, before, moved));
    m_verdict.hasMoved = m_verdict.hasMoved || isMoved;
    return !isMoved;
  }

  /// What is missing before the pair at `place` ran.
  void addMissing(std::size_t place) {
    for (; m_missed < m_missing.size() && m_missing[m_missed].place <= place; ++m_missed) {
      if (m_missed == 0) {
        m_verdict.culprits.push_back(missingCulprit(m_pairs, m_missing));
      }
      // An optimizer alone reads what parameters got.
      if (!isOfParameters(m_missing[m_missed].pass)) {
        m_ambient.error = std::numeric_limits<double>::infinity();
      }
    }
  }

  void visit(std::size_t pair) {
    m_scale = scaleOf(pair);
    m_hidesParameters = m_pairs.hidesParameters(pair);
    // A module call makes no error that the calls inside it have made.
    Carried carried = m_inside[m_pairs.entryIndex(pair)];
    const bool hasReads = readInputs(pair, carried);
    if (!hasReads) {
      merge(carried, m_ambient);
    }
    if (handsOutMemory(m_pairs.entry(pair))) {
      return;
    }
    if (m_pairs.entry(pair).pass == Pass::Backward) {
      if (isWordOf(m_pairs.entry(pair).operation, kMayReturnInput)) {
        return;
      }
      merge(carried, ofForwardCall(m_pairs.entry(pair)));
    }
    for (const std::size_t row : m_pairs.rows(pair)) {
      if (!m_pairs.isRead(row)) {
        judgeMade(pair, row, carried, hasReads);
      }
    }
    bool isMeasured = false;
    for (const std::size_t row : m_pairs.rows(pair)) {
      if (!m_pairs.isRead(row)) {
        remember(row, carried);
        take(carried, row);
        isMeasured = isMeasured || isJudged(row);
      }
    }
    // How far off it is, what it put out says.
    carried.moved = isMeasured ? 0 : carried.moved;
    if (m_pairs.entry(pair).pass == Pass::Forward) {
      m_calls[callKey(m_pairs.entry(pair))] = carried;
      merge(m_calls[functionOf(m_pairs.entry(pair))], carried);
    }
    if (const std::size_t parent = m_pairs.entry(pair).parent; parent != dumps::kNone) {
      merge(m_inside[parent], carried);
    }
  }

  /// Adds what comes in to `carried`; whether anything that could be judged did.
  bool readInputs(std::size_t pair, Carried& carried) {
    bool hasReads = false;
    for (const std::size_t row : m_pairs.rows(pair)) {
      if (m_pairs.isRead(row) && !m_pairs.isLeft(row)) {
        judgeRead(pair, row);
        hasReads = hasReads || isJudged(row);
        take(carried, row);
      }
    }
    return hasReads;
  }

  /// Gradients are products with what the forward call read and made. A call that ran again, and of
  /// which these are the gradients, has no partner in a run that did not: any call of the same
  /// then.
  [[nodiscard]] Carried ofForwardCall(const DumpEntry& entry) const {
    for (const std::string& key : {callKey(entry), functionOf(entry)}) {
      if (const auto forward = m_calls.find(key); forward != m_calls.end()) {
        return forward->second;
      }
    }
    return {};
  }

  [[nodiscard]] bool isJudged(std::size_t row) const {
    const DumpRow& left = m_pairs.row(row);
    const DumpRow& right = m_pairs.candidateRow(row);
    // Formats of different width have different limits, and infinity is one of every format.
    const bool isMaskOfAnother =
        isMasked(left) && isMasked(right) &&
        (m_pairs.difference(row).isDTypeDifferent || left.statistics.min != right.statistics.min);
    return m_pairs.difference(row).basis >= Basis::Checksums && !isMaskOfAnother;
  }

  /// Numbers that stand for infinity are known by what was recorded, or by how large they make the
  /// elements as a whole.
  [[nodiscard]] bool hidesErrors(std::size_t row) const {
    return isMasked(m_pairs.row(row)) || m_pairs.difference(row).isMasked;
  }

  [[nodiscard]] bool isUncompared(std::size_t row) const {
    return m_pairs.difference(row).isShapeDifferent &&
           m_pairs.difference(row).basis == Basis::Nothing;
  }

  /// What comes with a tensor that cannot be compared: it is of other data, or an expert gets a few
  /// tokens more or less, where rounding turns around what a router prefers.
  [[nodiscard]] Carried ofOtherShape(std::size_t row, const Carried& carried) const {
    const double error = std::max(carried.error, m_ambient.error);
    const auto apart = placesApart(m_pairs.row(row), m_pairs.candidateRow(row));
    const bool isOfRounding =
        apart && apart->apart <= std::ceil(m_limits.growth * error * apart->all);
    return {.error = std::isinf(error) ? error : 0,
            .moved = isOfRounding ? apart->apart / apart->all : 0};
  }

  /// Among what hides most of a tensor, an error is nothing relative to the whole.
  void take(Carried& carried, std::size_t row) const {
    merge(carried, {errorIn(row), m_pairs.difference(row).isBroken() && isJudged(row)});
    if (isUncompared(row)) {
      merge(carried, ofOtherShape(row, carried));
    }
    if (hidesErrors(row)) {
      merge(carried, m_ambient);
    }
  }

  void count(std::size_t row) {
    const RowDifference& difference = m_pairs.difference(row);
    m_verdict.comparedRows += 1;
    m_verdict.equalRows += difference.isEqual ? 1 : 0;
    if (std::isfinite(difference.error)) {
      m_verdict.largestError = std::max(m_verdict.largestError, difference.error);
    }
  }

  /// A tensor that a call reads should hold what something before it made.
  void judgeRead(std::size_t pair, std::size_t row) {
    const RowDifference& difference = m_pairs.difference(row);
    if (difference.basis == Basis::Values) {
      judgeValue(pair, row);
      return;
    }
    m_hasOtherShapes = m_hasOtherShapes || isUncompared(row);
    if (!isJudged(row)) {
      judgeShape(pair, row);
      return;
    }
    count(row);
    if (difference.isEqual) {
      return;
    }
    const bool isOwn = isParameter(m_pairs.entry(pair), m_pairs.row(row));
    const std::string fingerprint = fingerprintOf(m_pairs.row(row));
    const auto producer = m_producers.find(fingerprint);
    const bool isMade = !isOwn && !fingerprint.empty() && producer != m_producers.end();
    // The same parameter is often read again. Others may hold the same in the baseline: all norms
    // of a new model are ones.
    const DumpRow& candidate = m_pairs.candidateRow(row);
    if (!isMade && !fingerprint.empty() &&
        !m_sources.insert(fingerprint + "|" + fingerprintOf(candidate)).second) {
      return;
    }
    const Carried before = isMade ? producer->second : isOwn ? Carried{} : m_ambient;
    const double allowed =
        isOwn ? allowedOfParameter(difference.roundOff)
              : allowedAfter(m_pairs.entry(pair).pass, before, difference.roundOff);
    if (isOwn ? isBeyondMoved(pair, row, before, allowed) : isBeyond(row, before, allowed)) {
      const bool isGap = !isOwn && (isMade || hasSiblings(pair));
      add(pair, row, isGap ? CulpritKind::Gap : CulpritKind::Source, before.error, allowed, true);
    }
  }

  /// Ids of other tokens than the baseline's, before anything else differs: what follows is of
  /// other data.
  void judgeShape(std::size_t pair, std::size_t row) {
    const std::string fingerprint = fingerprintOf(m_pairs.row(row));
    const bool isGiven =
        m_pairs.entry(pair).pass == Pass::Forward && m_pairs.row(row).role == dumps::Role::Input &&
        isOfWholeNumbers(m_pairs.row(row)) &&
        (fingerprint.empty() ? !m_makesWholeNumbers : !m_producers.contains(fingerprint));
    if (isUncompared(row) && isGiven && m_ambient.error == 0) {
      add(pair, row, CulpritKind::Source, 0, 0, true);
      m_ambient.error = std::numeric_limits<double>::infinity();
    }
  }

  /// Numbers among the arguments; names of types and devices may well differ.
  void judgeValue(std::size_t pair, std::size_t row) {
    if (isOtherNumber(m_pairs.row(row),
                      m_pairs.candidateRow(row),
                      m_limits.sourceRoundOffs * m_scale.roundOff)) {
      add(pair, row, CulpritKind::Source, 0, 0, true);
    }
  }

  void judgeMade(std::size_t pair, std::size_t row, const Carried& carried, bool hasReads) {
    if (!isJudged(row)) {
      return;
    }
    count(row);
    const double allowed =
        allowedAfter(m_pairs.entry(pair).pass, carried, m_pairs.difference(row).roundOff);
    if (m_hidesParameters ? isBeyondMoved(pair, row, carried, allowed)
                          : isBeyond(row, carried, allowed)) {
      add(pair, row, CulpritKind::Operation, carried.error, allowed, hasReads);
    }
  }

  /// `carried` is what a mask may hide of the tensor's error.
  void remember(std::size_t row, const Carried& carried) {
    const std::string fingerprint = fingerprintOf(m_pairs.row(row));
    m_makesWholeNumbers = m_makesWholeNumbers || isOfWholeNumbers(m_pairs.row(row));
    if (!isJudged(row)) {
      m_hasOtherShapes = m_hasOtherShapes || isUncompared(row);
      if (isUncompared(row) && !fingerprint.empty()) {
        m_producers.try_emplace(fingerprint, carried);
      }
      return;
    }
    Carried state{errorIn(row), m_pairs.difference(row).isBroken()};
    if (hidesErrors(row)) {
      merge(state, carried);
    }
    if (!fingerprint.empty()) {
      // Who reads it alone is as far off as it is by itself.
      const double alone = errorOf(m_pairs.difference(row));
      m_producers[fingerprint] = {std::isinf(alone) ? state.error : std::max(state.error, alone),
                                  state.isBroken};
    }
    merge(m_ambient, state);
  }

  /// Something was recorded before inside the same module call; where none is known, anywhere.
  [[nodiscard]] bool hasSiblings(std::size_t pair) const {
    return m_places.contains({m_pairs.entry(pair).parent, m_pairs.entry(pair).pass});
  }

  void add(std::size_t pair,
           std::size_t row,
           CulpritKind kind,
           double carried,
           double allowed,
           bool hasReads) {
    // One call has one cause; what it read comes first.
    if (!m_verdict.culprits.empty() &&
        m_verdict.culprits.back().entry == m_pairs.entryIndex(pair)) {
      return;
    }
    const RowDifference& difference = m_pairs.difference(row);
    Culprit culprit{.kind = kind,
                    .entry = m_pairs.entryIndex(pair),
                    .name = m_pairs.entry(pair).name,
                    .row = row,
                    .site = siteOfPair(m_units, row),
                    .rowName = m_pairs.row(row).name,
                    .error = std::isinf(difference.error) ? std::numeric_limits<double>::quiet_NaN()
                                                          : difference.error,
                    .carried = carried,
                    .allowed = allowed,
                    .isBroken = difference.isBroken()};
    describePlace(culprit, pair);
    culprit.reason = reasonOf(culprit, pair, row, hasReads);
    judgeSureness(culprit, pair, row, hasReads);
    m_verdict.culprits.push_back(std::move(culprit));
  }

  void describePlace(Culprit& culprit, std::size_t pair) const {
    culprit.enclosing = dumps::enclosingCalls(*m_units.baseline, culprit.entry);
    const auto& candidate = *m_units.candidate;
    const std::size_t own = candidate.entries[m_units.matching.entries[pair].candidate].stack;
    if (own != dumps::kNone) {
      culprit.stack = candidate.stacks[own];
    } else if (m_pairs.entry(pair).stack != dumps::kNone) {
      culprit.stack = m_units.baseline->stacks[m_pairs.entry(pair).stack];
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
    return lacksText(lacking, extra);
  }

  [[nodiscard]] Sentence reasonOf(const Culprit& culprit,
                                  std::size_t pair,
                                  std::size_t row,
                                  bool hasReads) const {
    const std::string name = nameInCall(culprit.name, m_pairs.row(row).name);
    const RowDifference& difference = m_pairs.difference(row);
    if (isUncompared(row)) {
      return {
          ULP_TR_NOOP("its input %1 is of shape %2 instead of %3, and nothing recorded has made "
                      "it"),
          {name, shapeOf(m_pairs.candidateRow(row)), shapeOf(m_pairs.row(row))}};
    }
    if (difference.basis == Basis::Values) {
      return {ULP_TR_NOOP("its argument %1 is %2 instead of %3"),
              {name, m_pairs.candidateRow(row).value, m_pairs.row(row).value}};
    }
    const bool isRead = culprit.kind == CulpritKind::Source || culprit.kind == CulpritKind::Gap;
    const bool isOwn =
        culprit.kind == CulpritKind::Source && isParameter(m_pairs.entry(pair), m_pairs.row(row));
    const Sentence different =
        differenceText(isOwn    ? Sentence{ULP_TR_NOOP("its parameter %1"), {name}}
                       : isRead ? Sentence{ULP_TR_NOOP("its input %1"), {name}}
                                : Sentence(name),
                       difference);
    if (culprit.kind == CulpritKind::Source) {
      return {ULP_TR_NOOP("%1, and nothing recorded has made it"), {different}};
    }
    if (culprit.kind == CulpritKind::Gap) {
      return gapText(different, culprit.carried);
    }
    if (difference.isBroken()) {
      return {difference.nonFinite == NonFiniteChange::Lost
                  ? ULP_TR_NOOP("%1, and what it read is finite")
                  : ULP_TR_NOOP("%1, and what it read is finite where the baseline's is"),
              {different}};
    }
    if (!hasReads && m_hasOtherShapes) {
      return {ULP_TR_NOOP("%1; tensors before it are of other shapes, so that what came in was not "
                          "compared"),
              {different}};
    }
    return {ULP_TR_NOOP("%1 where at most %2 came in"), {different, amountOf(culprit.carried)}};
  }

  void judgeSureness(Culprit& culprit, std::size_t pair, std::size_t row, bool hasReads) const {
    const RowDifference& difference = m_pairs.difference(row);
    const bool hidesInputs = std::ranges::any_of(m_pairs.rows(pair), [&](std::size_t other) {
      return m_pairs.isRead(other) && m_pairs.difference(other).mayHide();
    });
    const bool isClear = difference.isBroken() || difference.basis <= Basis::Checksums ||
                         difference.error > 4 * culprit.allowed;
    if (isUncompared(row)) {
      culprit.sureness = Sureness::High;
      culprit.sureBecause = {ULP_TR_NOOP("rounding changes no shape"), {}};
    } else if (!hasReads) {
      culprit.sureness = Sureness::Low;
      culprit.sureBecause = {ULP_TR_NOOP("its inputs were not recorded"), {}};
    } else if (culprit.kind == CulpritKind::Operation && hidesInputs) {
      culprit.sureness = Sureness::Medium;
      culprit.sureBecause = {
          ULP_TR_NOOP("its inputs agree in their statistics, which cannot tell elements that "
                      "changed places"),
          {}};
    } else if (culprit.kind == CulpritKind::Gap) {
      culprit.sureness = isClear ? Sureness::Medium : Sureness::Low;
      culprit.sureBecause = {ULP_TR_NOOP("what made the tensor was not recorded"), {}};
    } else {
      culprit.sureness = isClear ? Sureness::High : Sureness::Medium;
      culprit.sureBecause =
          isClear
              ? Sentence{ULP_TR_NOOP("far beyond what rounding and carried errors account for"), {}}
              : Sentence{ULP_TR_NOOP("not far beyond the %1 that rounding and carried errors "
                                     "account for"),
                         {amountOf(culprit.allowed)}};
    }
  }

  const PairedCalls& m_pairs;
  const UnitComparison& m_units;
  const CulpritLimits& m_limits;
  const GradientError& m_before;  ///< of steps before
  const std::vector<MissingRow>& m_missing;
  std::size_t m_missed = 0;       ///< of these, that ran before the call at hand
  std::vector<Carried> m_inside;  ///< of each of the baseline's entries: what calls inside it made
  std::unordered_map<std::string, Carried> m_producers;
  std::unordered_set<std::string> m_sources;         ///< contents that were judged, of both sides
  std::unordered_map<std::string, Carried> m_calls;  ///< what forward calls read and made
  std::set<std::pair<std::size_t, Pass>> m_places;   ///< parents of calls that were seen
  Carried m_ambient;
  // So far.
  bool m_hasOtherShapes = false;     ///< tensors that could not be compared
  bool m_makesWholeNumbers = false;  ///< a call put some out
  // Of the call at hand.
  Scale m_scale;
  bool m_hidesParameters = false;
  Verdict m_verdict;
};

}  // namespace

double roundingOf(double roundOff, const CulpritLimits& limits) {
  return roundOff * (isCoarse(roundOff) ? limits.madeRoundOffsCoarse : limits.madeRoundOffs);
}

Verdict findCulprits(const PairedCalls& pairs,
                     const CulpritLimits& limits,
                     const GradientError& before,
                     const std::vector<MissingRow>& missing) {
  return CulpritWalk(pairs, limits, before, missing).run();
}

}  // namespace ulp::analysis
