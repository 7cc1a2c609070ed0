#pragma once

#include <vector>

#include <QtCore/QString>

#include "views/framework/report_document.h"
#include "views/framework/selection.h"

namespace ulp::views {

/// Variants whose errors mean nothing: what other variants show below them is noise.
struct NoiseRuns {
  QString name;               ///< what stands for the noise, in words
  std::vector<int> variants;  ///< empty: nothing is known of noise

  [[nodiscard]] bool isEmpty() const { return variants.empty(); }
  friend bool operator==(const NoiseRuns&, const NoiseRuns&) = default;
};

/// Those that the user has named. Of ratios and differences nothing is known.
[[nodiscard]] NoiseRuns noiseRuns(const ReportDocument& document, const Selection& selection);

/// Noise says something about errors, not about the size of the baseline's values.
[[nodiscard]] bool measuresError(const MetricInfo& metric);

/// The worst that noise does to a metric of a tensor; NaN: unknown.
[[nodiscard]] double noiseFloorAt(const ReportDocument& document,
                                  const NoiseRuns& noise,
                                  int site,
                                  int metric);
/// A value of the document.
struct ValuePlace {
  int variant = 0;
  int site = 0;
  int metric = 0;
};
/// Whether the value of another variant is no worse than that.
[[nodiscard]] bool isWithinNoise(const ReportDocument& document,
                                 const NoiseRuns& noise,
                                 const ValuePlace& at);

/// "within the noise of NAME".
[[nodiscard]] QString withinNoiseText(const NoiseRuns& noise);

}  // namespace ulp::views
