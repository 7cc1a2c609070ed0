#include "core/analysis/reports/relate_report.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/reports/join_reports.h"
#include "core/base/threads.h"
#include "core/base/undefined.h"
#include "core/report/summary/ulp_count.h"

namespace ulp::analysis {
namespace {

/// The work is bound by memory: more threads than these would wait for it.
constexpr std::size_t kMostRelatingThreads = 4;

double related(double value, double baseline, Relation relation) {
  if (relation == Relation::Difference) {
    return value - baseline;
  }
  return value == baseline ? 1 : value / baseline;
}

/// The baseline's rows, found at once where they stand in the order in which they are asked for.
class BaselineRows {
 public:
  explicit BaselineRows(const report::Run& run) : m_rows(run.comparisons) {}

  /// From the first row again.
  void restart() { m_next = 0; }

  const report::Comparison* find(const Site& site) {
    if (m_next < m_rows.size() && isSame(m_rows[m_next].site, site)) {
      return &m_rows[m_next++];
    }
    if (m_places.empty()) {
      for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_places[m_rows[i].site.name].emplace_back(m_rows[i].site.pass, i);
      }
    }
    if (const auto found = m_places.find(site.name); found != m_places.end()) {
      for (const auto& [pass, row] : found->second) {
        if (pass == site.pass) {
          m_next = row + 1;
          return &m_rows[row];
        }
      }
    }
    return nullptr;
  }

 private:
  static bool isSame(const Site& a, const Site& b) { return a.pass == b.pass && a.name == b.name; }

  const std::vector<report::Comparison>& m_rows;
  std::unordered_map<std::string_view, std::vector<std::pair<Pass, std::size_t>>> m_places;
  std::size_t m_next = 0;
};

/// What is made of every row.
struct RowRelation {
  Relation relation = Relation::Difference;
  std::size_t referenceScale = 0;  ///< behind all metrics: there is none
  std::vector<bool> countsUlp;     ///< parallel to the metrics
};

/// Tells whether two numbers of ULP have to do with each other: they are of one format, and say
/// anything.
bool areOfOneFormat(const report::Comparison& row,
                    const report::Comparison& baseline,
                    std::size_t metric) {
  return report::ulpFormatOf(row) == report::ulpFormatOf(baseline) &&
         report::isSensibleUlp(row, row.metrics[metric]) &&
         report::isSensibleUlp(baseline, baseline.metrics[metric]);
}

report::Comparison relatedRow(const report::Comparison& row,
                              const report::Comparison* baseline,
                              const RowRelation& how) {
  report::Comparison result;
  result.site = row.site;
  result.shape = row.shape;
  result.referenceDType = baseline == nullptr ? std::string() : baseline->variantDType;
  result.variantDType = row.variantDType;
  result.count = row.count;
  result.compared = row.compared;
  result.variantNonFinite = row.variantNonFinite;
  result.metrics.assign(row.metrics.size(), kUndefined);
  if (baseline != nullptr) {
    result.referenceNonFinite = baseline->variantNonFinite;
    for (std::size_t i = 0; i < row.metrics.size() && i < baseline->metrics.size(); ++i) {
      if (!how.countsUlp[i] || areOfOneFormat(row, *baseline, i)) {
        result.metrics[i] = related(row.metrics[i], baseline->metrics[i], how.relation);
      }
    }
  }
  if (how.referenceScale < row.metrics.size()) {
    result.metrics[how.referenceScale] = row.metrics[how.referenceScale];
  }
  return result;
}

/// What `rows` give for every row of `source`; as far as it comes until it is stopped.
void relateRows(const report::Run& source,
                BaselineRows& rows,
                const RowRelation& how,
                const std::stop_token& stop,
                std::vector<report::Comparison>& related) {
  rows.restart();
  related.reserve(source.comparisons.size());
  for (const report::Comparison& row : source.comparisons) {
    if (stop.stop_requested()) {
      return;
    }
    related.push_back(relatedRow(row, rows.find(row.site), how));
  }
}

}  // namespace

Result<report::Report> relateReport(const report::Report& report,
                                    std::string_view baseline,
                                    Relation relation,
                                    const std::stop_token& stop) {
  const report::Run* found = report.findRun(baseline);
  if (found == nullptr || found->comparisons.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' has no errors that others could be related to", baseline));
  }
  RowRelation how{.relation = relation,
                  // -1 becomes a place behind all metrics.
                  .referenceScale = static_cast<std::size_t>(report.metricIndex("ref_scale")),
                  .countsUlp = {}};
  for (const report::MetricColumn& metric : report.metrics) {
    how.countsUlp.push_back(report::countsUlp(metric.id));
  }
  report::Report result = derivedReport(report, *found);
  std::vector<const report::Run*> sources;
  for (const report::Run& run : report.runs) {
    // What is no precision says nothing about errors that are related to another run's.
    if (run.name != report.reference && &run != found && run.role == report::RunRole::Variant) {
      sources.push_back(&run);
      result.runs.push_back(withoutComparisons(run));
    }
  }
  const std::size_t first = result.runs.size() - sources.size();
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    BaselineRows rows(*found);
    for (std::size_t i = next++; i < sources.size(); i = next++) {
      relateRows(*sources[i], rows, how, stop, result.runs[first + i].comparisons);
    }
  };
  ULP_TRY(runOnThreads(threadsFor(std::min(sources.size(), kMostRelatingThreads)), work));
  if (stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, "stopped");
  }
  return result;
}

}  // namespace ulp::analysis
