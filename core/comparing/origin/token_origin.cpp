#include "core/comparing/origin/token_origin.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <utility>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/measure/row_threads.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;

/// Calls before one whose inputs were not recorded that may have made them.
constexpr std::size_t kNearbyCalls = 16;

constexpr const char* kStopped = "stopped while following a token";

/// Every hop reads again what differs before it.
constexpr std::size_t kMostHops = 64;

/// Calls that make each position of what it held before. Of any other, such as attention and the
/// layers around it, earlier positions may be part.
bool isPositionWise(const DumpEntry& entry) {
  const std::string plain = plainOperation(entry.operation);
  return isCollective(entry) ||
         (!hasWordOf(plain, "attention attn") &&
          (isWordOf(plain, "add mul sub to") ||
           hasWordOf(plain, "linear norm embedding mlp silu gelu relu swiglu dropout")));
}

bool isMask(double left, double right) {
  return isLimit(left) && isLimit(right) && std::signbit(left) == std::signbit(right);
}

/// What differenceOf() reads of a comparison of elements.
numerics::Moments momentsOf(std::span<const double> reference, std::span<const double> candidate) {
  numerics::Moments moments;
  moments.differenceHistogram.resize(1);
  const auto countNonFinite = [](double value, numerics::NonFiniteCounts& counts) {
    counts.nan += std::isnan(value) ? 1 : 0;
    counts.positiveInfinity += std::isinf(value) && value > 0 ? 1 : 0;
    counts.negativeInfinity += std::isinf(value) && value < 0 ? 1 : 0;
  };
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double r = reference[i];
    const double v = candidate[i];
    if (isMask(r, v)) {
      continue;
    }
    moments.count += 1;
    moments.equal += r == v || (std::isnan(r) && std::isnan(v)) ? 1 : 0;
    countNonFinite(r, moments.reference);
    countNonFinite(v, moments.candidate);
    if (std::isfinite(r) && std::isfinite(v)) {
      moments.compared += 1;
      moments.differenceHistogram[0] += r == v ? 1 : 0;
      moments.sumSquaredReference += r * r;
      moments.sumSquaredCandidate += v * v;
      moments.sumSquaredDifference += (v - r) * (v - r);
    }
  }
  return moments;
}

/// Both tensors of a row, in the baseline's shape.
struct RowTensors {
  tensors::Tensor baseline;
  tensors::Tensor candidate;

  [[nodiscard]] numerics::Moments at(const TensorCut& cut) const {
    return momentsOf(elementsAt(baseline, cut), elementsAt(candidate, cut));
  }
  [[nodiscard]] Result<> checkIntact() const {
    auto intact = tensors::checkIntact(baseline);
    return intact ? tensors::checkIntact(candidate) : intact;
  }
};

Result<RowTensors> openPair(const UnitComparison& units, std::size_t row) {
  const RowPair& pair = units.matching.rows[row];
  auto left = ULP_TRY(units.baseline->look(pair.baseline));
  auto right = ULP_TRY(units.candidate->look(pair.candidate));
  if (left.view.count() != right.view.count()) {
    return fail(ErrorCode::CorruptData, "its two sides no longer have as many elements");
  }
  right.view.shape = left.view.shape;
  return RowTensors{std::move(left), std::move(right)};
}

/// How far the rows of earlier positions are off, of one tensor.
struct EarlierRow {
  std::int64_t position = 0;
  double error = 0;
  bool isBroken = false;

  [[nodiscard]] bool isFartherThan(const EarlierRow& other) const {
    return std::pair(isBroken, error) > std::pair(other.isBroken, other.error);
  }
};

/// The forward calls that came to the logits of `head`.
std::vector<bool> networkOf(const DumpUnit& unit, std::size_t head) {
  const std::vector<std::size_t> order = executionOrder(unit);
  const auto end = std::ranges::find(order, head);
  auto begin = order.begin();
  const auto isSameModule = [&](std::size_t entry) {
    const DumpEntry& its = unit.entries[entry];
    return its.kind == unit.entries[head].kind && its.module == unit.entries[head].module &&
           its.operation == unit.entries[head].operation && its.pass == Pass::Forward;
  };
  for (auto entry = order.begin(); entry != end; ++entry) {
    begin = isSameModule(*entry) ? entry + 1 : begin;
  }
  // Layers that run again between two calls of the head are another pass through the network. Heads
  // that predict further tokens share what came before.
  const bool isAnotherPass = std::any_of(begin, end, [&](std::size_t entry) {
    const DumpEntry& its = unit.entries[entry];
    return its.kind == dumps::EntryKind::Module && its.call > 0 && layerOf(its.module) >= 0;
  });
  std::vector<bool> isInside(unit.entries.size());
  for (auto entry = isAnotherPass ? begin : order.begin(); entry != end; ++entry) {
    isInside[*entry] = unit.entries[*entry].pass == Pass::Forward;
  }
  isInside[head] = true;
  for (std::size_t entry = 0; entry < isInside.size(); ++entry) {
    const bool isOfHead =
        dumps::anyEnclosing(unit, entry, [head](std::size_t call) { return call == head; });
    isInside[entry] = isInside[entry] || (isOfHead && unit.entries[entry].pass == Pass::Forward);
  }
  return isInside;
}

class TokenTracer {
 public:
  TokenTracer(const PairedCalls& pairs,
              const PlacedToken& token,
              const CulpritLimits& limits,
              const GradientError& before,
              int threads,
              const std::stop_token& stop)
      : m_pairs(pairs),
        m_units(pairs.units()),
        m_order(pairs.order()),
        m_layout(token.layout),
        m_index(token.index),
        m_limits(limits),
        m_before(before),
        m_threads(threads),
        m_stop(stop),
        m_place(m_units.baseline->entries.size(), dumps::kNone) {
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      m_place[pairs.entryIndex(m_order[i])] = i;
    }
  }

  [[nodiscard]] Result<TokenOrigin> run(std::size_t head) && {
    m_head = head;
    m_isInNetwork = networkOf(*m_units.baseline, head);
    m_result.layout = m_layout;
    m_result.index = m_index;
    ULP_TRY(follow());
    m_result.position = m_result.isOwn() ? m_index.position : m_result.index.position;
    if (!m_result.isOwn()) {
      m_result.verdict = {};
      m_result.collectives.clear();
      m_result.hops.clear();
    }
    for (Culprit& culprit : m_result.verdict.culprits) {
      culprit.site = siteOfPair(m_units, culprit.row);
    }
    return std::move(m_result);
  }

 private:
  /// Back through the positions, as long as an earlier one accounts for what is found.
  [[nodiscard]] Result<> follow() {
    auto found = ULP_TRY(judgeAt(m_index, m_order.size()));
    take(std::move(found));
    while (m_result.isOwn() && m_layout.isOrdered && !m_result.verdict.culprits.empty()) {
      const Culprit& here = m_result.verdict.culprits.front();
      const auto earlier = ULP_TRY(earlierOrigin(here));
      if (!earlier || !m_result.isOwn()) {
        return {};
      }
      const TokenIndex next{.sample = m_index.sample, .position = *earlier};
      auto there = ULP_TRY(judgeAt(next, placeOf(here)));
      const auto& culprits = there.verdict.culprits;
      if (culprits.empty() || !isBefore(culprits.front(), here)) {
        return {};
      }
      if (m_result.hops.size() == kMostHops) {
        m_result.notOwn = fmt::format(
            "its error came through more than {} calls from earlier positions", kMostHops);
        return {};
      }
      m_result.hops.push_back({.position = m_index.position,
                               .name = here.name,
                               .rowName = here.rowName,
                               .error = here.error});
      m_index = next;
      take(std::move(there));
    }
    return {};
  }

  struct Judged {
    Verdict verdict;
    std::vector<CollectiveOutcome> collectives;
    std::size_t wholeTensors = 0;
  };

  void take(Judged judged) {
    m_result.verdict = std::move(judged.verdict);
    m_result.collectives = std::move(judged.collectives);
    m_result.wholeTensors = judged.wholeTensors;
  }

  [[nodiscard]] std::size_t placeOf(const Culprit& culprit) const { return m_place[culprit.entry]; }
  /// What a call read comes before what it made.
  [[nodiscard]] bool isBefore(const Culprit& there, const Culprit& here) const {
    return placeOf(there) < placeOf(here) ||
           (placeOf(there) == placeOf(here) && there.kind != CulpritKind::Operation);
  }
  [[nodiscard]] std::size_t entryOf(std::size_t row) const {
    return m_pairs.entryIndex(m_units.matching.rows[row].entry);
  }
  [[nodiscard]] bool isParameterRow(std::size_t row) const {
    return isParameter(m_units.baseline->entries[entryOf(row)], m_pairs.row(row));
  }
  [[nodiscard]] bool isBehind(std::size_t row, std::size_t place) const {
    return m_place[entryOf(row)] > place;
  }

  /// What a row is at a position.
  struct CutRow {
    RowDifference difference{};
    bool isWhole = false;    ///< it differs and could not be cut
    std::string obstacle{};  ///< why nothing is known of it there
  };

  /// Of the calls up to the place `last` in m_order. Behind it only what ranks gave each other is
  /// looked at: another rank may have had its error from there.
  [[nodiscard]] Result<Judged> judgeAt(const TokenIndex& index, std::size_t last) {
    std::vector<CutRow> cuts(m_units.rows.size());
    constexpr std::size_t kRowsWorthAThread = 64;
    ULP_TRY(forEachRow(
        {.rows = cuts.size(), .threads = m_threads, .rowsWorthAThread = kRowsWorthAThread},
        m_stop,
        kStopped,
        [&](std::size_t row, bool /*isCaller*/) { cuts[row] = cutRow(row, index, last); }));
    return judge(std::move(cuts), last);
  }

  [[nodiscard]] Judged judge(std::vector<CutRow> cuts, std::size_t last) {
    UnitComparison at{
        .baseline = m_units.baseline, .candidate = m_units.candidate, .matching = m_units.matching};
    Judged judged;
    for (std::size_t row = 0; row < cuts.size(); ++row) {
      CutRow& cut = cuts[row];
      at.rows.push_back(cut.difference);
      judged.wholeTensors += cut.isWhole && !isBehind(row, last) ? 1 : 0;
      if (!cut.obstacle.empty() && m_result.isOwn()) {
        m_result.notOwn = std::move(cut.obstacle);
      }
    }
    const PairedCalls pairs(at);
    judged.collectives = collectivesOf(pairs, m_limits);
    for (std::size_t row = 0; row < cuts.size(); ++row) {
      at.rows[row] = isBehind(row, last) ? RowDifference{} : at.rows[row];
    }
    judged.verdict = findCulprits(pairs, m_limits, m_before);
    return judged;
  }

  [[nodiscard]] CutRow cutRow(std::size_t row, const TokenIndex& index, std::size_t last) const {
    const RowDifference& whole = m_units.rows[row];
    const bool isLater =
        isBehind(row, last) && !isCollective(m_units.baseline->entries[entryOf(row)]);
    if (!m_isInNetwork[entryOf(row)] || isLater) {
      return {};
    }
    const bool isActivation = whole.basis >= Basis::Checksums && !isParameterRow(row);
    // What is equal as a whole is equal there.
    if (!isActivation || whole.isEqual) {
      return {.difference = whole};
    }
    if (whole.basis != Basis::Elements) {
      return cutTo(m_layout, index, m_pairs.row(row).shape).empty()
                 ? CutRow{.difference = whole, .isWhole = true}
                 : CutRow{.obstacle = fmt::format("of {} there are no elements that could be "
                                                  "compared, and {} are of all tokens together",
                                                  m_pairs.row(row).name,
                                                  toString(whole.basis))};
    }
    const auto pair = openPair(m_units, row);
    if (!pair) {
      return {.obstacle = fmt::format("{}: {}", m_pairs.row(row).name, pair.error().message())};
    }
    const TensorCut cut = cutTo(m_layout, index, pair->baseline.view.shape);
    if (cut.empty()) {
      // Where the head takes the last position alone, that is all there is to it.
      return {.difference = whole, .isWhole = entryOf(row) != m_head};
    }
    CutRow result{.difference = differenceOf(m_pairs.row(row),
                                             m_pairs.candidateRow(row),
                                             pair->at(cut),
                                             pair->baseline.view.dtype,
                                             pair->candidate.view.dtype)};
    if (const auto intact = pair->checkIntact(); !intact) {
      result.obstacle = fmt::format("{}: {}", m_pairs.row(row).name, intact.error().message());
    }
    return result;
  }

  /// The earlier position that is farthest off among what the call of a culprit read, where that
  /// accounts for what the culprit shows.
  [[nodiscard]] Result<std::optional<std::int64_t>> earlierOrigin(const Culprit& culprit) {
    const bool isMade = culprit.kind == CulpritKind::Gap ||
                        (culprit.kind == CulpritKind::Operation &&
                         !isPositionWise(m_units.baseline->entries[culprit.entry]));
    EarlierRow farthest;
    for (const std::size_t row : isMade ? sourcesOf(culprit) : std::vector<std::size_t>()) {
      const auto own = ULP_TRY(farthestEarlier(row));
      farthest = own.isFartherThan(farthest) ? own : farthest;
    }
    return accountsFor(farthest, culprit) ? std::optional(farthest.position) : std::nullopt;
  }

  [[nodiscard]] bool accountsFor(const EarlierRow& earlier, const Culprit& culprit) const {
    if (culprit.isBroken || earlier.isBroken) {
      return culprit.isBroken && earlier.isBroken;
    }
    const double own =
        std::isnan(culprit.error) ? std::numeric_limits<double>::infinity() : culprit.error;
    const double rounding = std::max(culprit.allowed - m_limits.growth * culprit.carried, 0.0);
    return earlier.error > 0 && own <= m_limits.growth * earlier.error + rounding;
  }

  /// Activations that differ and that the call read; where none was recorded, those around it that
  /// it may have been made of.
  [[nodiscard]] std::vector<std::size_t> sourcesOf(const Culprit& culprit) const {
    const std::size_t own = m_order[placeOf(culprit)];
    std::vector<std::size_t> sources;
    if (culprit.kind == CulpritKind::Operation) {
      addRows(own, true, sources);
    }
    if (!sources.empty() || (culprit.kind == CulpritKind::Operation && hasReads(own))) {
      return sources;
    }
    const DumpUnit& unit = *m_units.baseline;
    if (const std::size_t parent = unit.entries[culprit.entry].parent; parent != dumps::kNone) {
      const std::size_t place = m_place[parent];
      if (place != dumps::kNone) {
        addRows(m_order[place], true, sources);
      }
    }
    std::size_t calls = 0;
    for (std::size_t i = placeOf(culprit); i-- > 0 && calls < kNearbyCalls;) {
      const std::size_t entry = m_pairs.entryIndex(m_order[i]);
      if (m_isInNetwork[entry] &&
          unit.entries[entry].parent == unit.entries[culprit.entry].parent) {
        addRows(m_order[i], false, sources);
        ++calls;
      }
    }
    return sources;
  }

  [[nodiscard]] bool hasReads(std::size_t pair) const {
    return std::ranges::any_of(m_pairs.rows(pair), [&](std::size_t row) {
      return m_pairs.isRead(row) && m_units.rows[row].basis == Basis::Elements &&
             !isParameterRow(row);
    });
  }

  /// Of a call, what it read or made and differs.
  void addRows(std::size_t pair, bool isRead, std::vector<std::size_t>& rows) const {
    for (const std::size_t row : m_pairs.rows(pair)) {
      const RowDifference& difference = m_units.rows[row];
      if (m_pairs.isRead(row) == isRead && difference.basis == Basis::Elements &&
          !difference.isEqual && !isParameterRow(row)) {
        rows.push_back(row);
      }
    }
  }

  /// Of the positions before the one at hand. Beside zeros every number is infinitely far off:
  /// there the largest of the other positions gives the scale.
  [[nodiscard]] Result<EarlierRow> farthestEarlier(std::size_t row) {
    const auto pair = openPair(m_units, row);
    if (!pair) {
      m_result.notOwn = fmt::format("{}: {}", m_pairs.row(row).name, pair.error().message());
      return EarlierRow();
    }
    std::vector<numerics::Moments> positions;
    double scale = 0;
    for (std::int64_t position = 0; position < m_index.position; ++position) {
      if (m_stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, kStopped);
      }
      const TensorCut cut = cutTo(
          m_layout, {.sample = m_index.sample, .position = position}, pair->baseline.view.shape);
      if (cut.empty()) {
        return EarlierRow();
      }
      positions.push_back(pair->at(cut));
      scale = std::max(scale, positions.back().sumSquaredReference);
    }
    EarlierRow farthest;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const numerics::Moments& own = positions[i];
      const double squares = own.sumSquaredReference > 0 ? own.sumSquaredReference : scale;
      const EarlierRow earlier{
          .position = static_cast<std::int64_t>(i),
          .error = own.sumSquaredDifference > 0 ? std::sqrt(own.sumSquaredDifference / squares) : 0,
          .isBroken = nonFiniteChangeOf(own) != NonFiniteChange::None};
      farthest = earlier.isFartherThan(farthest) ? earlier : farthest;
    }
    if (const auto intact = pair->checkIntact(); !intact) {
      m_result.notOwn = fmt::format("{}: {}", m_pairs.row(row).name, intact.error().message());
    }
    return farthest;
  }

  const PairedCalls& m_pairs;
  const UnitComparison& m_units;
  const std::vector<std::size_t>& m_order;  ///< pairs of entries as they ran
  const TokenLayout m_layout;
  TokenIndex m_index;
  const CulpritLimits& m_limits;
  const GradientError& m_before;  ///< of steps before
  int m_threads;
  const std::stop_token& m_stop;
  std::vector<std::size_t> m_place;  ///< of each of the baseline's entries: in m_order
  std::size_t m_head = 0;            ///< entry of the logits
  std::vector<bool> m_isInNetwork;   ///< of each of the baseline's entries
  TokenOrigin m_result;
};

/// Where the token stands among those of the baseline's logits.
std::size_t flatIn(const DumpRow& logits, const TokenOutcome& token) {
  const auto all = static_cast<std::size_t>(dumps::elementCount(logits.shape));
  const auto vocabulary = static_cast<std::size_t>(logits.shape.empty() ? 1 : logits.shape.back());
  const std::size_t last = vocabulary == 0 || all < vocabulary ? 0 : all / vocabulary - 1;
  return token.position.value_or(last);
}

}  // namespace

Result<std::optional<TokenOrigin>> traceToken(const PairedCalls& pairs,
                                              const std::vector<TokenOutcome>& tokens,
                                              const CulpritLimits& limits,
                                              const GradientError& before,
                                              int threads,
                                              const std::stop_token& stop) {
  const UnitComparison& units = pairs.units();
  const auto off =
      std::ranges::find_if(tokens, [](const TokenOutcome& token) { return token.isOff(); });
  if (off == tokens.end() || !off->sequence.empty()) {
    return std::nullopt;
  }
  const LogitsPair head = findLogits(units)[off->logits];
  const auto placed =
      placeToken(*units.baseline, head, flatIn(units.baseline->rows[head.baseline], *off));
  if (!placed) {
    return std::nullopt;
  }
  auto origin = ULP_TRY(TokenTracer(pairs, *placed, limits, before, threads, stop).run(head.entry));
  origin.token = static_cast<std::size_t>(off - tokens.begin());
  return std::optional(std::move(origin));
}

}  // namespace ulp::analysis
