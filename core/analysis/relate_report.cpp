#include "core/analysis/relate_report.h"

#include <fmt/format.h>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/derived_report.h"

namespace ulp::analysis {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double related(double value, double baseline, Relation relation) {
  if (relation == Relation::Difference) {
    return value - baseline;
  }
  return value == baseline ? 1 : value / baseline;
}

/// The baseline's rows, found at once where another run has them at the same place.
class BaselineRows {
 public:
  explicit BaselineRows(const report::Run& run) : m_rows(run.comparisons) {}

  const report::Comparison* find(const Site& site, std::size_t place) {
    if (place < m_rows.size() && isSame(m_rows[place].site, site)) {
      return &m_rows[place];
    }
    if (m_places.empty()) {
      for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_places[m_rows[i].site.name].emplace_back(m_rows[i].site.pass, i);
      }
    }
    if (const auto found = m_places.find(site.name); found != m_places.end()) {
      for (const auto& [pass, row] : found->second) {
        if (pass == site.pass) {
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
};

report::Comparison relatedRow(const report::Comparison& row,
                              const report::Comparison* baseline,
                              Relation relation,
                              std::size_t referenceScale) {
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
      result.metrics[i] = related(row.metrics[i], baseline->metrics[i], relation);
    }
  }
  if (referenceScale < row.metrics.size()) {
    result.metrics[referenceScale] = row.metrics[referenceScale];
  }
  return result;
}

}  // namespace

Result<report::Report> relateReport(const report::Report& report,
                                    std::string_view baseline,
                                    Relation relation) {
  const report::Run* found = report.findRun(baseline);
  if (found == nullptr || found->comparisons.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' has no errors that others could be related to", baseline));
  }
  BaselineRows rows(*found);
  // -1 becomes a place behind all metrics.
  const auto referenceScale = static_cast<std::size_t>(report.metricIndex("ref_scale"));
  report::Report result = derivedReport(report, *found);
  for (const report::Run& run : report.runs) {
    if (run.name == report.reference || &run == found) {
      continue;
    }
    report::Run& related = result.runs.emplace_back(withoutComparisons(run));
    related.comparisons.reserve(run.comparisons.size());
    for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
      const report::Comparison& row = run.comparisons[i];
      related.comparisons.push_back(
          relatedRow(row, rows.find(row.site, i), relation, referenceScale));
    }
  }
  return result;
}

}  // namespace ulp::analysis
