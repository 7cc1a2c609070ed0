#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <QtCore/QString>

#include "core/report/report.h"
#include "views/framework/metric_text.h"

namespace ulp::views {

/// A report with the indices that views need, built once off the GUI thread and then only read.
/// Variants are all runs but the reference, in report order; sites are the union over all variants,
/// in execution order.
class ReportDocument {
 public:
  [[nodiscard]] static std::shared_ptr<const ReportDocument> build(report::LoadedReport loaded);

  [[nodiscard]] const report::Report& report() const { return *m_loaded.report; }
  [[nodiscard]] const report::LoadedReport& loaded() const { return m_loaded; }
  /// Null when the report has no run of the reference's name.
  [[nodiscard]] const report::Run* referenceRun() const { return m_reference; }

  [[nodiscard]] int variantCount() const { return static_cast<int>(m_variants.size()); }
  [[nodiscard]] const report::Run& variant(int index) const;
  [[nodiscard]] QString variantName(int index) const;
  [[nodiscard]] int findVariant(const QString& name) const;  ///< -1: none

  [[nodiscard]] const std::vector<Site>& sites() const { return m_sites; }
  [[nodiscard]] int findSite(std::string_view name, Pass pass) const;  ///< -1: none

  [[nodiscard]] const std::vector<MetricInfo>& metrics() const { return m_metrics; }
  /// How all values of a metric are written in one column.
  [[nodiscard]] const ColumnFormat& columnFormat(int metric) const;
  [[nodiscard]] int findMetric(const QString& id) const;  ///< -1: none
  /// "rms_rel" where the report has it, else the first metric; empty when it has none.
  [[nodiscard]] QString defaultMetric() const;

  /// Null where the variant has no such tensor.
  [[nodiscard]] const report::Comparison* comparison(int variant, int site) const;
  /// NaN where it is missing or undefined.
  [[nodiscard]] double value(int variant, int site, int metric) const;

 private:
  explicit ReportDocument(report::LoadedReport loaded);
  void collectRuns();
  void collectMetrics();
  void collectSites();
  void collectFormats();

  report::LoadedReport m_loaded;
  const report::Run* m_reference = nullptr;
  std::vector<const report::Run*> m_variants;
  std::vector<Site> m_sites;
  std::vector<std::unordered_map<std::string_view, int>> m_siteByName;  ///< one map a pass
  std::vector<std::vector<std::int32_t>> m_comparisonOf;  ///< [variant][site], -1: missing
  std::vector<MetricInfo> m_metrics;
  std::vector<ColumnFormat> m_formats;  ///< parallel to m_metrics
};

using DocumentPtr = std::shared_ptr<const ReportDocument>;

}  // namespace ulp::views
