#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/analysis/reports/join_reports.h"
#include "core/analysis/reports/other_inputs.h"
#include "core/base/result.h"
#include "core/report/model/report.h"
#include "core/report/summary/noise_floor.h"
#include "views/framework/document/selection.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {

/// The reports that are open, as one.
struct OpenReports {
  std::vector<analysis::ReportSource> sources;  ///< never empty
  analysis::JoinedReports joined;
};

/// Makes the way to the dumps of comparisons of dumps, unless a source brings its own.
[[nodiscard]] std::shared_ptr<const OpenReports> joinSources(
    std::vector<analysis::ReportSource> sources);
/// Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const OpenReports>> joinSources(
    std::vector<analysis::ReportSource> sources, const std::stop_token& stop);

/// How the runs of a document stand to each other.
struct DocumentBasis {
  std::shared_ptr<const OpenReports> open;
  QString baseline;  ///< a run; empty: the reference of the report
  Relation relation = Relation::Error;
};

/// Where the tensors of a site are: kept beside the report, or in the dumps that it compares.
struct CaptureOrigin {
  std::filesystem::path folder;                    ///< of the report
  std::shared_ptr<analysis::ComparedDumps> dumps;  ///< null: the report is none of dumps
  std::string run;                                 ///< name in that report
  std::string site;                                ///< name in that report
};

/// A report with the indices that views need, built once off the GUI thread and then only read.
/// Variants are all runs but the reference and those of the noise floor, in report order; sites are
/// the union over all variants, in execution order.
class ReportDocument {
 public:
  /// One report as it is.
  [[nodiscard]] static std::shared_ptr<const ReportDocument> build(report::LoadedReport loaded);
  /// `shown`: the joined report, or what analysis derived from it for the baseline.
  [[nodiscard]] static std::shared_ptr<const ReportDocument> build(DocumentBasis basis,
                                                                   report::ReportPtr shown);

  [[nodiscard]] const report::Report& report() const { return *m_loaded.report; }
  [[nodiscard]] const report::LoadedReport& loaded() const { return m_loaded; }
  [[nodiscard]] const DocumentBasis& basis() const { return m_basis; }
  /// Where to read what `run` kept of a tensor; nothing for a run that is not open. `beside`: the
  /// run that it is compared with; a reference that several reports share is that of its own one.
  [[nodiscard]] std::optional<CaptureOrigin> captureOrigin(const QString& run,
                                                           const std::string& site,
                                                           const QString& beside = {}) const;
  /// The run that the others are put in relation to: the baseline, else the reference of the first
  /// report.
  [[nodiscard]] QString baselineName() const { return QString::fromStdString(report().reference); }
  /// The run that the numbers of a run are against: the baseline, else the reference of its own
  /// report; baselineName() of a run that is not shown.
  [[nodiscard]] QString baselineOf(const QString& run) const;
  /// Those of all variants.
  [[nodiscard]] QStringList baselineNames() const;
  /// What is not the same for a variant and its baseline besides their formats.
  [[nodiscard]] const analysis::OtherInputs& otherInputs(int variant) const {
    return m_otherInputs[static_cast<std::size_t>(variant)];
  }
  /// Null when the report has no run of the reference's name.
  [[nodiscard]] const report::Run* referenceRun() const { return m_reference; }

  [[nodiscard]] int variantCount() const { return static_cast<int>(m_variants.size()); }
  [[nodiscard]] const report::Run& variant(int index) const;
  [[nodiscard]] QString variantName(int index) const;
  /// What it is drawn with (Theme::variantStyle()), the same whatever the baseline;
  /// kReferenceStyle for the references of the open reports.
  [[nodiscard]] int styleOf(int variant) const {
    return m_styles[static_cast<std::size_t>(variant)];
  }
  [[nodiscard]] int findVariant(const QString& name) const;  ///< -1: none

  /// How far the reference is from itself, by the noise floors that were measured with it. Nothing
  /// is known where errors are those against another run, or put in relation to it.
  [[nodiscard]] const report::NoiseFloor& noiseFloor() const { return m_noiseFloor; }
  /// Whether the noise floor says something of a variant: false where nothing is known and for
  /// variants that were compared with another reference.
  [[nodiscard]] bool hasNoiseFloor(int variant) const;
  /// What was measured to know it: "repeat, float64". Also where it says nothing here.
  [[nodiscard]] const QStringList& noiseFloorNames() const { return m_noiseFloorNames; }

  /// Whether values are means over several samples, so that they have a spread.
  [[nodiscard]] bool hasSpread() const { return m_hasSpread; }
  /// How a value varies over the samples; one that knows nothing where there are no several.
  [[nodiscard]] report::Spread spread(int variant, int site, int metric) const;

  [[nodiscard]] const std::vector<Site>& sites() const { return m_sites; }
  [[nodiscard]] int findSite(std::string_view name, Pass pass) const;  ///< -1: none

  [[nodiscard]] const std::vector<MetricInfo>& metrics() const { return m_metrics; }
  /// How all values of a metric are written in one column.
  [[nodiscard]] const ColumnFormat& columnFormat(int metric) const;
  /// The same of their intervals.
  [[nodiscard]] const ColumnFormat& intervalFormat(int metric) const;
  [[nodiscard]] int findMetric(const QString& id) const;  ///< -1: none
  /// Tells whether a metric is a number of ULP, or put in relation to one.
  [[nodiscard]] bool countsUlp(int metric) const {
    return m_countsUlp[static_cast<std::size_t>(metric)];
  }
  /// "rms_rel" where the report has it, else the first metric; empty when it has none.
  [[nodiscard]] QString defaultMetric() const;

  /// Null where the variant has no such tensor.
  [[nodiscard]] const report::Comparison* comparison(int variant, int site) const;
  /// NaN where it is missing or undefined, and where a number of ULP says nothing: ulpHelp().
  [[nodiscard]] double value(int variant, int site, int metric) const;
  /// Whether that NaN came out of elements that are not finite, and is no missing value.
  [[nodiscard]] bool isNonFinite(int variant, int site, int metric) const;

 private:
  /// Where a variant has a tensor. A table of all variants by all tensors would be gigabytes where
  /// each variant of a megabyte of report has another tensor.
  struct RowPlace {
    std::int32_t site;
    std::int32_t row;  ///< of Run::comparisons
  };

  ReportDocument(DocumentBasis basis, report::ReportPtr shown);
  void collectRuns();
  void collectStyles();
  void collectOtherInputs();
  /// The place of a run in the joined report, -1: none.
  [[nodiscard]] int joinedPlace(std::string_view run) const;
  void collectNoiseFloor();
  void collectMetrics();
  void collectSites();
  void collectFormats();
  [[nodiscard]] bool isHidden(const report::Comparison& row, std::size_t metric) const;

  DocumentBasis m_basis;
  report::LoadedReport m_loaded;
  const report::Run* m_reference = nullptr;
  std::vector<const report::Run*> m_variants;
  std::unordered_map<std::string_view, int> m_variantByName;
  std::vector<int> m_styles;                         ///< parallel to m_variants
  std::vector<analysis::OtherInputs> m_otherInputs;  ///< parallel to m_variants
  report::NoiseFloor m_noiseFloor;
  std::vector<bool> m_hasNoiseFloor;  ///< parallel to m_variants
  QStringList m_noiseFloorNames;
  bool m_hasSpread = false;
  std::vector<Site> m_sites;
  std::vector<std::unordered_map<std::string_view, int>> m_siteByName;  ///< one map a pass
  std::vector<std::vector<RowPlace>> m_rowsOf;  ///< of each variant, by site
  std::vector<MetricInfo> m_metrics;
  std::vector<bool> m_countsUlp;        ///< parallel to m_metrics
  std::vector<ColumnFormat> m_formats;  ///< parallel to m_metrics
  std::vector<ColumnFormat> m_intervalFormats;
};

using DocumentPtr = std::shared_ptr<const ReportDocument>;

}  // namespace ulp::views
