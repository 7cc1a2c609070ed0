#pragma once

#include <vector>

#include <QtCore/QString>

#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"

namespace ulp::views {

/// What errors are measured by that mean nothing: what variants show below it is noise.
struct NoiseRuns {
  QString name;               ///< of the variant, or what the floor was measured by
  std::vector<int> variants;  ///< variants whose errors are the noise
  bool isFloor = false;       ///< the noise floor of the report is

  [[nodiscard]] bool isEmpty() const { return variants.empty() && !isFloor; }
  friend bool operator==(const NoiseRuns&, const NoiseRuns&) = default;
};

/// The variant that the user has named, else the noise floor of the report. Of ratios and
/// differences nothing is known.
[[nodiscard]] NoiseRuns noiseRuns(const ReportDocument& document, const Selection& selection);

/// report::measuresError(): noise says something about errors, not about the size of the baseline's
/// values.
[[nodiscard]] bool measuresError(const MetricInfo& metric);

/// A value of the document.
struct ValuePlace {
  int variant = 0;
  int site = 0;
  int metric = 0;
};
/// The worst that noise does there; NaN: unknown.
[[nodiscard]] double noiseFloorAt(const ReportDocument& document,
                                  const NoiseRuns& noise,
                                  const ValuePlace& at);
/// Whether the value is that of another variant than the noise's and no worse than it.
[[nodiscard]] bool isWithinNoise(const ReportDocument& document,
                                 const NoiseRuns& noise,
                                 const ValuePlace& at);

/// "noise: NAME", "noise floor: repeat, float64".
[[nodiscard]] QString noiseText(const NoiseRuns& noise);
/// "within the noise of NAME", "within the noise floor: repeat, float64".
[[nodiscard]] QString withinNoiseText(const NoiseRuns& noise);
/// Why the noise floor of the open reports says nothing of what is shown, or of a part of it; empty
/// where it does, and where there is none.
[[nodiscard]] QString unknownFloorText(const ReportDocument& document);

}  // namespace ulp::views
