#include "core/comparing/measure/unit_comparison.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/analysis/tensors/measured_pair.h"
#include "core/analysis/tokens/token_distance.h"
#include "core/base/shape.h"
#include "core/base/threads.h"
#include "core/base/undefined.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/measure/row_statistics.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {
namespace {

using dumps::DumpRow;
using dumps::DumpUnit;

/// Elements that are compared before their pages are given back; a multiple of the comparison's own
/// pieces, so that the metrics are those of the whole to the last bit.
constexpr std::size_t kComparedAtOnce = numerics::Comparer::kChunkElements * 16;
/// Elements of a tensor whose reading starts before the first of them is needed.
constexpr std::size_t kAheadElements = kComparedAtOnce * 8;

const numerics::MetricRegistry& metrics() {
  static const numerics::MetricRegistry kMetrics = numerics::builtinMetrics();
  return kMetrics;
}

/// A row whose files are open and on their way into memory.
struct BegunRow {
  std::size_t row = 0;  ///< in UnitMatching::rows
  RowDifference difference;
  std::optional<Result<tensors::Tensor>> baseline;  ///< nothing: no elements are compared
  std::optional<Result<tensors::Tensor>> candidate;

  /// What it holds of memory that is not a file's.
  [[nodiscard]] std::size_t bytesInMemory() const {
    std::size_t bytes = 0;
    for (const auto* tensor : {&baseline, &candidate}) {
      const bool isInMemory = *tensor && **tensor && (**tensor)->file == nullptr;
      bytes += isInMemory ? (**tensor)->view.sizeBytes() : 0;
    }
    return bytes;
  }
};

/// What one row came to.
struct RowOutcome {
  RowDifference difference;
  std::optional<report::Comparison> comparison;
  bool isLogits = false;  ///< compared by elements
  std::string problem;
};

class RowComparer {
 public:
  RowComparer(const UnitComparison& units,
              const DumpCompareOptions& options,
              const std::stop_token& stop)
      : m_units(units),
        m_options(options),
        m_stop(stop),
        m_comparer({.worstCount = options.worstCount, .threads = 1}) {}

  /// Opens what `row` needs. Its elements are read ahead by the system until finish() needs them.
  [[nodiscard]] BegunRow begin(std::size_t row) const {
    const RowPair& pair = m_units.matching.rows[row];
    const DumpRow& left = m_units.baseline->rows[pair.baseline];
    const DumpRow& right = m_units.candidate->rows[pair.candidate];
    BegunRow begun{.row = row,
                   .difference = differenceOf(left, right, m_options.checksums.areEqual())};
    if (isTensorPair(*m_units.baseline, *m_units.candidate, pair) &&
        !areComparable(left.shape, right.shape) && !begun.difference.isShapeDifferent) {
      // What stands beside the elements tells nothing either.
      begun.difference = {.isShapeDifferent = true,
                          .isDTypeDifferent = begun.difference.isDTypeDifferent};
      return begun;
    }
    // Equal checksums prove equality, and no file needs to be read.
    const bool isProven = begun.difference.basis == Basis::Checksums && begun.difference.isEqual;
    if (m_options.readsElements && left.hasElements && right.hasElements && !isProven) {
      begun.baseline = m_units.baseline->look(pair.baseline);
      begun.candidate = m_units.candidate->look(pair.candidate);
    }
    if (begun.baseline && *begun.baseline && *begun.candidate) {
      tensors::readAhead(**begun.baseline, 0, kAheadElements);
      tensors::readAhead(**begun.candidate, 0, kAheadElements);
    }
    return begun;
  }

  [[nodiscard]] RowOutcome finish(BegunRow begun) {
    const RowPair& pair = m_units.matching.rows[begun.row];
    RowOutcome outcome{.difference = begun.difference};
    m_measured.reset();
    m_scaled.reset();
    m_isSumEqual.reset();
    m_left = &m_units.baseline->rows[pair.baseline];
    m_right = &m_units.candidate->rows[pair.candidate];
    m_site =
        siteOf(*m_units.baseline, m_units.matching.entries[pair.entry].baseline, pair.baseline);
    if (m_options.readsElements && !begun.difference.isShapeDifferent) {
      makeChecksum(pair, begun, outcome);
      makeStatistics(pair, outcome);
    }
    if (begun.baseline && m_isSumEqual != true) {
      auto done =
          compareElements(pair, *std::move(begun.baseline), *std::move(begun.candidate), outcome);
      if (!done) {
        outcome.problem = done.error().message();
      }
    }
    describe(pair, outcome);
    return outcome;
  }

 private:
  [[nodiscard]] bool areComparable(const std::vector<std::int64_t>& left,
                                   const std::vector<std::int64_t>& right) const {
    return m_options.mapping.dumps().areShapesExact ? left == right : isSqueezedSame(left, right);
  }

  void makeChecksum(const RowPair& pair, const BegunRow& begun, RowOutcome& outcome) {
    const auto atHand = [](const std::optional<Result<tensors::Tensor>>& tensor) {
      return tensor && *tensor ? &**tensor : nullptr;
    };
    auto made = differenceByMadeChecksum(*m_units.baseline,
                                         pair.baseline,
                                         *m_units.candidate,
                                         pair.candidate,
                                         m_options.checksums,
                                         {atHand(begun.baseline), atHand(begun.candidate)});
    if (!made) {
      outcome.problem = made.error().message();
    } else if (*made) {
      outcome.difference = **made;
      m_isSumEqual = outcome.difference.isEqual;
    }
  }

  void makeStatistics(const RowPair& pair, RowOutcome& outcome) {
    if (outcome.difference.basis == Basis::Checksums && outcome.difference.isEqual) {
      return;
    }
    const bool isOfBaseline = m_left->statistics.isEmpty();
    auto made = isOfBaseline ? withMadeStatistics(*m_right, *m_units.baseline, pair.baseline)
                             : withMadeStatistics(*m_left, *m_units.candidate, pair.candidate);
    if (!made) {
      outcome.problem =
          fmt::format("{}: {}", isOfBaseline ? "baseline" : "candidate", made.error().message());
    } else if (*made) {
      m_made = **made;
      (isOfBaseline ? m_left : m_right) = &m_made;
      outcome.difference = differenceOf(*m_left, *m_right, m_options.checksums.areEqual());
    }
  }

  [[nodiscard]] Result<> compareElements(const RowPair& pair,
                                         Result<tensors::Tensor> left,
                                         Result<tensors::Tensor> right,
                                         RowOutcome& outcome) {
    if (!left) {
      return failWhile("baseline", std::move(left));
    }
    if (!right) {
      return failWhile("candidate", std::move(right));
    }
    if (!areComparable(left->view.shape, right->view.shape)) {
      outcome.difference.isShapeDifferent = true;
      return {};
    }
    right->view.shape = left->view.shape;
    auto measured = ULP_TRY(measure(
        *left,
        *right,
        m_comparer,
        {.worstCount = m_options.worstCount, .hasShares = true, .pieceElements = kComparedAtOnce},
        m_stop));
    if (auto intact = tensors::checkIntact(*left); !intact) {
      return failWhile("baseline", std::move(intact));
    }
    if (auto intact = tensors::checkIntact(*right); !intact) {
      return failWhile("candidate", std::move(intact));
    }
    m_scaled = ULP_TRY(measureScaled(*left, *right, m_comparer, measured.moments, m_stop));
    const auto differenceBy = [&](const numerics::Moments& moments) {
      return differenceOf(m_units.baseline->rows[pair.baseline],
                          m_units.candidate->rows[pair.candidate],
                          moments,
                          left->view.dtype,
                          right->view.dtype);
    };
    outcome.difference = differenceBy(measured.moments);
    if (m_scaled) {
      outcome.difference.error = differenceBy(*m_scaled).error;
    }
    if (measured.moments.count > 0) {
      outcome.comparison =
          report::makeComparison(m_site, left->view, right->view, measured.moments);
      m_measured = std::move(measured);
      outcome.isLogits = isLogits(m_site) && m_site.pass == Pass::Forward;
    }
    return {};
  }

  /// The row of the report, for whatever is a tensor.
  void describe(const RowPair& pair, RowOutcome& outcome) const {
    const Basis basis = outcome.difference.basis;
    if (basis == Basis::Nothing || !isTensorPair(*m_units.baseline, *m_units.candidate, pair)) {
      return;
    }
    const DumpRow& left = *m_left;
    const DumpRow& right = *m_right;
    static const std::size_t kElementMetrics = numerics::elementMetrics().all().size();
    if (!outcome.comparison) {
      outcome.comparison.emplace();
      outcome.comparison->site = m_site;
      outcome.comparison->shape = left.shape;
      outcome.comparison->count = statisticsOf(left).count;
      outcome.comparison->referenceDType = elementTypeName(left);
      outcome.comparison->variantDType = elementTypeName(right);
      outcome.comparison->metrics.assign(kElementMetrics, kUndefined);
      outcome.comparison->referenceNonFinite = recordedStatisticsOf(left).nonFinite;
      outcome.comparison->variantNonFinite = recordedStatisticsOf(right).nonFinite;
    }
    const numerics::TensorStatistics baseline = statisticsOf(left);
    const numerics::TensorStatistics candidate = statisticsOf(right);
    const bool isSameShape = isSqueezedSame(left.shape, right.shape);
    const auto& all = metrics().all();
    outcome.comparison->metrics.reserve(all.size());
    for (std::size_t i = kElementMetrics; i < all.size(); ++i) {
      const bool isRecorded = all[i].ofStatistics != nullptr && isSameShape;
      outcome.comparison->metrics.push_back(isRecorded ? all[i].ofStatistics(baseline, candidate)
                                                       : ofDumps(all[i], left, right));
    }
    for (std::size_t i = 0; m_scaled && i < all.size(); ++i) {
      double& metric = outcome.comparison->metrics[i];
      if (std::isnan(metric) && all[i].value != nullptr) {
        metric = all[i].value(*m_scaled);
      }
    }
  }

  /// Metrics that a study does not report stand behind those that it does.
  [[nodiscard]] double ofDumps(const numerics::Metric& metric,
                               const DumpRow& left,
                               const DumpRow& right) const {
    if (metric.ofStatistics != nullptr) {
      return kUndefined;
    }
    if (metric.value != nullptr) {
      return m_measured ? metric.value(m_measured->moments) : kUndefined;
    }
    if (metric.id == "checksum_equal") {
      const bool hasBoth =
          m_options.checksums.areEqual() && !left.checksum.empty() && !right.checksum.empty();
      const auto isEqual = hasBoth ? std::optional(left.checksum == right.checksum) : m_isSumEqual;
      return isEqual ? static_cast<double>(*isEqual) : kUndefined;
    }
    return m_measured ? ofMeasured(metric.id) : kUndefined;
  }

  [[nodiscard]] double ofMeasured(std::string_view id) const {
    const numerics::RelativeShares& shares = m_measured->shares;
    const auto share = [&](std::uint64_t count) {
      return shares.compared == 0
                 ? kUndefined
                 : static_cast<double>(count) / static_cast<double>(shares.compared);
    };
    if (id == "within.thousandth") {
      return share(shares.withinThousandth);
    }
    if (id == "within.five_thousandths") {
      return share(shares.withinFiveThousandths);
    }
    // Of logits they are told when all rows are done, with all threads: see judgeLogits().
    return kUndefined;
  }

  const UnitComparison& m_units;
  const DumpCompareOptions& m_options;
  const std::stop_token& m_stop;
  numerics::Comparer m_comparer;
  // Of the row at hand.
  const DumpRow* m_left = nullptr;  ///< with what is known of its numbers
  const DumpRow* m_right = nullptr;
  DumpRow m_made;  ///< one of the two, with numbers that were made for the comparison
  Site m_site;
  std::optional<MeasuredPair> m_measured;
  std::optional<numerics::Moments> m_scaled;  ///< see measureScaled()
  std::optional<bool> m_isSumEqual;           ///< of a checksum that was made for the comparison
};

/// Makes the names of all rows unique; `comparisonOf` gives that of a row, null where it has none.
template <class ComparisonOf>
void nameRows(const UnitComparison& units, const ComparisonOf& comparisonOf) {
  SiteNames names;
  for (std::size_t row = 0; row < units.matching.rows.size(); ++row) {
    const RowPair& pair = units.matching.rows[row];
    report::Comparison* comparison = comparisonOf(row);
    if (comparison != nullptr) {
      names.makeUnique(comparison->site);
    } else if (isTensorPair(*units.baseline, *units.candidate, pair)) {
      Site site =
          siteOf(*units.baseline, units.matching.entries[pair.entry].baseline, pair.baseline);
      names.makeUnique(site);
    }
  }
}

/// Shares the rows out among threads; each row's outcome depends on nothing but the row.
class RowTeam {
 public:
  RowTeam(const UnitComparison& units,
          const DumpCompareOptions& options,
          const std::stop_token& stop,
          const dumps::Progress& progress)
      : m_units(units),
        m_options(options),
        m_stop(stop),
        m_progress(progress),
        m_outcomes(units.matching.rows.size()),
        m_isDone(m_outcomes.size()),
        m_nextNews(Clock::now() + options.soFarEvery) {}

  [[nodiscard]] Result<std::vector<RowOutcome>> run() {
    // Below this, starting a thread costs more than it saves.
    constexpr std::size_t kRowsWorthAThread = 64;
    const std::size_t threads =
        threadsFor(m_outcomes.size() / kRowsWorthAThread,
                   static_cast<std::size_t>(std::max(m_options.threads, 0)));
    ULP_TRY(runOnThreads(
        threads, [this](std::size_t thread) { work(thread == 0); }, &m_isFailed));
    if (m_stop.stop_requested()) {
      handOut();
      return fail(ErrorCode::Cancelled, "stopped while comparing");
    }
    return std::move(m_outcomes);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void work(bool isCaller) {
    RowComparer comparer(m_units, m_options, m_stop);
    std::deque<BegunRow> ahead;
    while (!m_stop.stop_requested() && !m_isFailed) {
      while (isRoomFor(ahead)) {
        const std::size_t row = m_next++;
        if (row >= m_outcomes.size()) {
          break;
        }
        ahead.push_back(comparer.begin(row));
      }
      if (ahead.empty()) {
        break;
      }
      const std::size_t row = ahead.front().row;
      m_outcomes[row] = comparer.finish(std::move(ahead.front()));
      ahead.pop_front();
      m_isDone[row].store(true, std::memory_order_release);
      ++m_done;
      if (isCaller && m_progress) {
        m_progress(m_done, m_outcomes.size());
      }
      if (isCaller && Clock::now() >= m_nextNews) {
        handOut();
      }
    }
  }

  /// Rows behind the one at hand are opened while there are few of them, and little of them had to
  /// be unpacked into memory.
  [[nodiscard]] static bool isRoomFor(const std::deque<BegunRow>& ahead) {
    constexpr std::size_t kMostRows = 4;
    constexpr std::size_t kMostBytes = std::size_t{16} << 20;
    std::size_t bytes = 0;
    for (const BegunRow& row : ahead) {
      bytes += row.bytesInMemory();
    }
    return ahead.empty() || (ahead.size() < kMostRows && bytes < kMostBytes);
  }

  /// Hands out copies of the rows that are done. Where that takes long, it is done less often.
  void handOut() {
    if (!m_options.rowsSoFar) {
      return;
    }
    const Clock::time_point begin = Clock::now();
    std::vector<std::optional<report::Comparison>> done(m_outcomes.size());
    for (std::size_t row = 0; row < done.size(); ++row) {
      if (m_isDone[row].load(std::memory_order_acquire)) {
        done[row] = m_outcomes[row].comparison;
      }
    }
    nameRows(m_units, [&](std::size_t row) { return done[row] ? &*done[row] : nullptr; });
    std::vector<report::Comparison> rows;
    for (std::optional<report::Comparison>& row : done) {
      if (row) {
        rows.push_back(std::move(*row));
      }
    }
    m_options.rowsSoFar(std::move(rows));
    constexpr int kShare = 10;
    const auto cost = (Clock::now() - begin) * kShare;
    m_nextNews = Clock::now() + std::max<Clock::duration>(m_options.soFarEvery, cost);
  }

  const UnitComparison& m_units;
  const DumpCompareOptions& m_options;
  const std::stop_token& m_stop;
  const dumps::Progress& m_progress;
  std::vector<RowOutcome> m_outcomes;
  std::vector<std::atomic<bool>> m_isDone;  ///< parallel to m_outcomes
  Clock::time_point m_nextNews;             ///< of the thread that called alone
  std::atomic<std::size_t> m_next = 0;
  std::atomic<std::size_t> m_done = 0;
  std::atomic<bool> m_isFailed = false;  ///< of one thread: nothing will come of the rest
};

/// The distributions of one pair of logits; nothing where they make none.
Result<std::optional<LogitsDistance>> distancesOf(const UnitComparison& units,
                                                  std::size_t row,
                                                  int threads,
                                                  const std::stop_token& stop) {
  const RowPair& pair = units.matching.rows[row];
  const auto left = units.baseline->look(pair.baseline);
  const auto right = units.candidate->look(pair.candidate);
  if (!left || !right || left->view.count() != right->view.count()) {
    return std::nullopt;  // whoever needs them says so
  }
  const auto& shape = left->view.shape;
  if (shape.size() < 2 || shape.back() < 1) {
    return std::nullopt;
  }
  const auto vocabulary = static_cast<std::size_t>(shape.back());
  auto tokens =
      ULP_TRY(tokenDistances(*left,
                             *right,
                             {.tokens = left->view.count() / vocabulary, .vocabulary = vocabulary},
                             threads,
                             stop));
  if (!tensors::checkIntact(*left) || !tensors::checkIntact(*right)) {
    return std::nullopt;
  }
  return LogitsDistance{
      .baseline = left->view.dtype, .candidate = right->view.dtype, .tokens = std::move(tokens)};
}

void setMetric(report::Comparison& comparison, std::string_view id, double value) {
  comparison.metrics[*metrics().indexOf(id)] = value;
}

/// What the distributions of all logits come to, which are few tensors of many elements: one after
/// another, each with all threads.
Result<> judgeLogits(UnitComparison& units,
                     const std::vector<RowOutcome>& outcomes,
                     int threads,
                     const std::stop_token& stop) {
  for (std::size_t i = 0; i < units.comparedRows.size(); ++i) {
    const std::size_t row = units.comparedRows[i];
    if (!outcomes[row].isLogits) {
      continue;
    }
    auto distances = ULP_TRY(distancesOf(units, row, threads, stop));
    if (!distances) {
      continue;
    }
    const analysis::DistributionGap gap = distributionGap(distances->tokens);
    setMetric(units.comparisons[i], "kl.mean", gap.meanKl);
    setMetric(units.comparisons[i], "kl.max", gap.largestKl);
    setMetric(units.comparisons[i], "top1_agreement", gap.topAgreement);
    units.logits.emplace(row, std::move(*distances));
  }
  return {};
}

}  // namespace

bool isTensorPair(const DumpUnit& baseline, const DumpUnit& candidate, const RowPair& pair) {
  return baseline.rows[pair.baseline].value.empty() && candidate.rows[pair.candidate].value.empty();
}

Site siteOfPair(const UnitComparison& units, std::size_t row) {
  const auto& rows = units.comparedRows;
  const auto compared = std::ranges::lower_bound(rows, row);
  if (compared != rows.end() && *compared == row) {
    return units.comparisons[static_cast<std::size_t>(compared - rows.begin())].site;
  }
  const RowPair& pair = units.matching.rows[row];
  return siteOf(*units.baseline, units.matching.entries[pair.entry].baseline, pair.baseline);
}

std::size_t UnitComparison::equalRows() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const RowDifference& row) { return row.isEqual; }));
}

Result<UnitComparison> compareUnits(dumps::DumpUnitPtr baseline,
                                    dumps::DumpUnitPtr candidate,
                                    const DumpCompareOptions& options,
                                    const std::stop_token& stop,
                                    const dumps::Progress& progress) {
  UnitComparison result{.baseline = std::move(baseline), .candidate = std::move(candidate)};
  result.matching = ULP_TRY(matchUnits(*result.baseline, *result.candidate, options.mapping));
  auto outcomes = ULP_TRY(RowTeam(result, options, stop, progress).run());
  nameRows(result, [&](std::size_t row) {
    auto& comparison = outcomes[row].comparison;
    return comparison ? &*comparison : nullptr;
  });
  result.rows.reserve(outcomes.size());
  result.comparisons.reserve(outcomes.size());
  result.comparedRows.reserve(outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    RowOutcome& outcome = outcomes[i];
    const RowPair& pair = result.matching.rows[i];
    result.rows.push_back(outcome.difference);
    if (!outcome.problem.empty()) {
      result.problems.push_back(
          fmt::format("{}: {}", result.baseline->rows[pair.baseline].name, outcome.problem));
      result.unreadRows.push_back(i);
    }
    if (outcome.comparison) {
      result.comparisons.push_back(std::move(*outcome.comparison));
      result.comparedRows.push_back(i);
    }
  }
  if (auto judged = judgeLogits(result, outcomes, options.threads, stop); !judged) {
    // Stopped when all rows were done.
    if (options.rowsSoFar) {
      options.rowsSoFar(std::move(result.comparisons));
    }
    return tl::unexpected<Error>(std::move(judged.error()));
  }
  return result;
}

}  // namespace ulp::analysis
