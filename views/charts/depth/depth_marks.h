#pragma once

#include <QtCore/QString>

#include "views/charts/depth/depth_scene.h"
#include "views/framework/document/noise_runs.h"

namespace ulp::views::charts {

/// What counts as a jump, as for the finding of this name, unless the user set other thresholds.
struct JumpThresholds {
  double factor = 2;  ///< over the row before
  double floor = 2;   ///< of the relative error, in unit round-offs of the variant's format
};

/// Marks in every curve where the error is a multiple of that of the row before: layer rows where
/// the axis has any, else all rows. An error behind none is no jump. Metrics that grow as they get
/// better have none.
void markJumps(DepthData& data, const ReportDocument& document, const JumpThresholds& thresholds);

/// The floor of the noise along the axis. Leaves data without one that are no errors, or where
/// nothing is known. The curves must be those of all variants of the document.
void addNoise(DepthData& data, const ReportDocument& document, const NoiseRuns& noise);
/// Whether a curve's value at a slot is no worse than the noise.
[[nodiscard]] bool isWithinNoise(const DepthData& data, int curve, int slot);

/// A curve's value with its unit, and its interval where it is a mean: "5.12 ±0.21 %".
[[nodiscard]] QString meanText(const DepthData& data, int curve, int slot);

/// A guide for relative errors: unit round-off of the coarsest format of the variants times the
/// square root of the number of layers passed. A model of independent roundings, not a measurement.
/// Leaves the data without one for other metrics and where the report names no format.
void addGuide(DepthData& data, const ReportDocument& document);

}  // namespace ulp::views::charts
