#include "views/comparing/comparison_work.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/barrier.h"
#include "core/base/stop_scope.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/comparing/verdict/dump_findings.h"
#include "core/comparing/verdict/dump_report.h"
#include "core/report/model/one_dump.h"
#include "views/framework/widgets/message.h"
#include "views/framework/words/term_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

using Clock = std::chrono::steady_clock;

/// How often something new is shown at most; making and showing a report costs.
constexpr std::chrono::milliseconds kShowEvery{1000};
constexpr std::chrono::milliseconds kTellEvery{100};

ComparisonOutcome outcomeOf(const analysis::DumpComparison& comparison) {
  ComparisonOutcome outcome{.isIdentical = comparison.isIdentical()};
  outcome.problems << sentenceTexts(comparison.unpairedUnits) << sentenceTexts(comparison.notes);
  if (comparison.earliest) {
    const analysis::UnitOutcome& unit = comparison.units[*comparison.earliest];
    outcome.culprit =
        analysis::findingsOf(
            unit.verdict,
            analysis::runNameOf(unit.label, comparison.baselineName, comparison.candidateName))
            .front();
  }
  for (const analysis::UnitOutcome& unit : comparison.units) {
    outcome.paired += unit.pairedRows;
    outcome.equal += unit.equalRows;
    outcome.onlyBaseline += unit.onlyBaseline.size();
    outcome.onlyCandidate += unit.onlyCandidate.size();
    outcome.shapes += unit.shapesDiffer.size();
    outcome.isProven = outcome.isProven && unit.rowsByStatistics == 0;
    outcome.problems << textsOf(unit.problems) << sentenceTexts(unit.notes);
  }
  return outcome;
}

/// What was being compared when it was stopped.
report::ReportPtr asCancelled(analysis::DumpComparison comparison,
                              const report::DumpOrigin& origin) {
  for (analysis::UnitOutcome& unit : comparison.units) {
    if (unit.run.status == report::RunStatus::Running) {
      unit.run.status = report::RunStatus::Cancelled;
    }
  }
  return std::make_shared<const report::Report>(analysis::toReport(std::move(comparison), origin));
}

ComparisonOutcome outcomeOf(const analysis::DumpContents& contents) {
  ComparisonOutcome outcome{.isOneDump = true, .units = contents.units.size()};
  outcome.problems << sentenceTexts(contents.notes);
  for (const Error& failure : contents.failures) {
    outcome.problems << errorText(failure);
  }
  if (const analysis::UnitContents* broken = contents.firstBroken()) {
    outcome.culprit = analysis::overflowFinding(*broken);
  }
  for (const analysis::UnitContents& unit : contents.units) {
    outcome.tensors += unit.run.comparisons.size();
    outcome.notFinite += unit.overflow.brokenTensors;
    outcome.problems << textsOf(unit.problems) << sentenceTexts(unit.notes);
  }
  return outcome;
}

/// One comparison, in the background.
class Work {
 public:
  using Publish = std::function<void(ComparisonNews)>;

  Work(report::DumpOrigin origin, int threads, const std::stop_source& stop, const Publish& publish)
      : m_origin(std::move(origin)), m_threads(threads), m_stop(stop), m_publish(publish) {}

  [[nodiscard]] ComparisonAnswer answer() {
    auto whole = behindBarrier("the comparison", [this] { return run(); });
    return whole ? ComparisonAnswer{.report = std::move(*whole), .outcome = std::move(m_outcome)}
                 : ComparisonAnswer{.report = std::move(m_finished),
                                    .error = std::move(whole.error()),
                                    .outcome = std::move(m_outcome)};
  }

 private:
  /// Errors: those of the comparison, with what was finished in m_finished.
  [[nodiscard]] Result<report::ReportPtr> run() {
    auto sides = ULP_TRY(analysis::openSides(m_origin, m_stop.get_token()));
    m_origin = sides.origin;
    if (report::isOneDump(m_origin)) {
      return readOne(*sides.baseline);
    }
    analysis::DumpCompareOptions options{.mapping = std::move(sides.mapping),
                                         .threads = m_threads,
                                         .readsElements = m_origin.readsElements};
    options.soFar = [this](const analysis::DumpComparison& soFar) { publishIfDue(soFar); };
    options.stopped = [this](const analysis::DumpComparison& soFar) { keepFinished(soFar); };
    auto comparison = ULP_TRY(analysis::compareDumps(
        *sides.baseline,
        *sides.candidate,
        std::move(options),
        {},
        m_stop.get_token(),
        [this](std::uint64_t done, std::uint64_t total) { tell(done, total); }));
    m_outcome = outcomeOf(comparison);
    return reportOf(std::move(comparison));
  }

  [[nodiscard]] Result<report::ReportPtr> readOne(const dumps::Dump& dump) {
    analysis::DumpReadOptions options{.readsElements = m_origin.readsElements,
                                      .threads = m_threads};
    options.soFar = [this](const analysis::DumpContents& soFar) { publishIfDue(soFar); };
    options.stopped = [this](const analysis::DumpContents& soFar) {
      m_outcome = outcomeOf(soFar);
      m_finished = reportOf(soFar);
    };
    auto contents = ULP_TRY(analysis::readContents(
        dump, options, m_stop.get_token(), [this](std::uint64_t done, std::uint64_t total) {
          tell(done, total);
        }));
    m_outcome = outcomeOf(contents);
    return reportOf(std::move(contents));
  }

  template <class Found>
  [[nodiscard]] report::ReportPtr reportOf(Found&& found) const {
    return std::make_shared<const report::Report>(
        analysis::toReport(std::forward<Found>(found), m_origin));
  }

  template <class Found>
  void publishIfDue(const Found& soFar) {
    const Clock::time_point begin = Clock::now();
    if (begin < m_nextShow) {
      return;
    }
    m_isPublished = true;
    m_publish({m_fraction, reportOf(soFar)});
    constexpr int kShare = 10;
    const auto cost = (Clock::now() - begin) * kShare;
    m_nextShow = Clock::now() + std::max<Clock::duration>(kShowEvery, cost);
  }

  void keepFinished(const analysis::DumpComparison& soFar) {
    const bool hasRows = std::ranges::any_of(soFar.units, [](const analysis::UnitOutcome& unit) {
      return !unit.run.comparisons.empty();
    });
    // What is shown already must not say for ever that it is being compared.
    if (hasRows || m_isPublished) {
      m_outcome = outcomeOf(soFar);
      m_finished = asCancelled(soFar, m_origin);
    }
  }

  void tell(std::uint64_t done, std::uint64_t total) {
    m_fraction = static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
    const Clock::time_point now = Clock::now();
    if (now >= m_nextTell) {
      m_nextTell = now + kTellEvery;
      m_publish({m_fraction, nullptr});
    }
  }

  report::DumpOrigin m_origin;
  int m_threads;
  const std::stop_source& m_stop;
  const Publish& m_publish;
  double m_fraction = 0;
  Clock::time_point m_nextShow;
  Clock::time_point m_nextTell;
  bool m_isPublished = false;
  report::ReportPtr m_finished;
  ComparisonOutcome m_outcome;
};

}  // namespace

ComparisonAnswer compareInBackground(const report::DumpOrigin& origin,
                                     int threads,
                                     const std::stop_source& stop,
                                     const std::function<void(ComparisonNews)>& publish) {
  const StopScope scope(stop.get_token());
  return Work(origin, threads, stop, publish).answer();
}

}  // namespace ulp::views
