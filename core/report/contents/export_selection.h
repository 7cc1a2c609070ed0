#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/site.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/report.h"

namespace ulp::report {

enum class ConfigurationPart : std::uint8_t {
  None,
  Chosen,  ///< without what every run has by default, which a note counts
  Whole
};

/// What of a report to write. Empty lists mean all; formats for reading (text, md, html, latex)
/// then show the main metrics (readableMetrics()). A metric or run that the report does not hold is
/// an InvalidArgument that names those that it does.
struct ExportOptions {
  std::vector<Pass> passes{};
  std::vector<std::string> metrics{};
  std::vector<std::string> runs{};
  /// Without the tables of all tensors. Formats for reading only; the others are refused.
  bool isSummaryOnly = false;
  /// Of the effective configuration of all runs and what set it. Formats for reading only.
  ConfigurationPart configuration = ConfigurationPart::None;
  /// Rows of each table of tensors: with more, the worst by its first metric, and a note that names
  /// `completeData`. 0: all. Formats for reading only.
  std::size_t maxRows = 0;
  std::string completeData = "precision_report.json";
  /// tokensByPosition(), for tables of positions.
  std::vector<std::string> tokens{};
  /// The variant whose errors are the noise that charts shade; empty: none. Charts only.
  std::string noise{};
};

/// A metric of a report with what the registry knows of it; one that it does not know is shown by
/// its id.
struct SelectedMetric {
  std::string id;
  std::string label;  ///< "RMS rel"
  std::string title;  ///< with its unit: "RMS rel %"
  numerics::MetricUnit unit = numerics::MetricUnit::None;
  std::size_t column = 0;    ///< in Comparison::metrics
  bool isPartOfOne = false;  ///< 1 means equal: a cosine, a share of elements
  bool isHigherBetter = false;
};

/// The part of a report that the options name. Points into the report.
struct ExportSelection {
  std::vector<const Run*> runs;      ///< the reference, too, when no runs were named
  std::vector<const Run*> variants;  ///< those of `runs` that have comparisons
  std::unordered_set<std::string_view> variantNames;
  std::vector<SelectedMetric> metrics;
  std::vector<Pass> passes;  ///< never empty
  bool hasNamedMetrics = false;

  [[nodiscard]] bool hasPass(Pass pass) const;
  [[nodiscard]] bool hasVariant(std::string_view name) const;
  /// Rows of a run in the selected passes.
  [[nodiscard]] std::vector<const Comparison*> rows(const Run& run) const;
};

/// Errors: InvalidArgument for a run or metric that the report does not hold, naming those that it
/// does.
[[nodiscard]] Result<ExportSelection> selectForExport(const Report& report,
                                                      const ExportOptions& options);

/// The same for a format that always holds all tensors. Errors: also InvalidArgument when only the
/// summary is asked for.
[[nodiscard]] Result<ExportSelection> selectAllTensors(const Report& report,
                                                       const ExportOptions& options);

/// The metrics of a table for reading: those that were named, else the main ones (rms_rel,
/// rms_diff, max_diff, cosine, ulp.mean, ulp.max; of recorded statistics rms, norm, mean, max and
/// min) as far as the report has them, else all.
[[nodiscard]] std::vector<SelectedMetric> readableMetrics(const ExportSelection& selection);

/// The metrics of which a summary is shown: those that were named, else rms_rel and rms_diff; of
/// recorded statistics bound of the RMS and max; of one dump norm and largest value; else all.
[[nodiscard]] std::vector<SelectedMetric> summaryMetrics(const ExportSelection& selection);

}  // namespace ulp::report
