#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QPointF>
#include <QtCore/QString>

#include "views/charts/plot/depth_axis.h"
#include "views/charts/plot/viewport.h"

namespace ulp::views::charts {

/// One variant over the depth axis; all vectors have the axis's size.
struct DepthCurve {
  QString name;
  int style = 0;
  std::vector<double> values{};            ///< NaN: missing or undefined
  std::vector<std::uint64_t> nonFinite{};  ///< elements of the variant that are not numbers
  std::vector<bool> leastNonFinite{};      ///< there are at least so many; may be empty
  std::vector<double> jumps{};             ///< growth over the row before; 0: no jump; may be empty
  bool isNoise = false;                    ///< what others are measured by
  bool isBeyondNoise = false;              ///< the noise says nothing of it
  std::uint64_t samples = 1;               ///< whose means the values are
  std::vector<report::Spread> spreads;     ///< of the values; empty: one sample
  std::vector<double> halves;  ///< of their 95 % intervals, NaN: none; empty: one sample
  std::vector<double> logs;    ///< of values, base 10: keepLogs(); empty: not computed
  int sameAs = -1;             ///< the first curve with the same values everywhere; -1: none
};

/// What one sample of a study gave along the axis.
struct SampleCurve {
  std::uint64_t sample = 0;    ///< from 0
  std::vector<double> values;  ///< NaN: missing or undefined
};

/// What a depth chart shows.
struct DepthData {
  DepthAxis axis;
  MetricInfo metric;       ///< as it is drawn: asDrawn()
  bool isFromOne = false;  ///< values are what asDrawn() makes of those of the report
  bool logarithmic = true;
  std::vector<DepthCurve> curves;
  std::vector<double> referenceScale;  ///< RMS of the reference; empty: not in the report
  QString scaleOf;                     ///< the baseline whose RMS that is; empty: the reference
  std::vector<double> guide;           ///< error that a model expects; empty: there is none
  QString guideName;
  std::vector<double> noise;  ///< the worst that means nothing; empty: unknown
  QString noiseName;          ///< "noise floor: repeat, float64"
  int sampledCurve = -1;      ///< the curve whose samples these are
  std::vector<SampleCurve> samples{};

  /// None where the curve is hidden whose samples there are.
  [[nodiscard]] std::span<const SampleCurve> shownSamples(const std::vector<bool>& visible) const;

  /// What the scale of the reference is called: "RMS of the reference", "RMS of bf16".
  [[nodiscard]] QString scaleTitle() const;
  /// The name of a curve, and which one it cannot be told from: "fp16 = bf16".
  [[nodiscard]] QString nameOf(int index) const;

  [[nodiscard]] const DepthCurve& curve(int index) const {
    return curves[static_cast<std::size_t>(index)];
  }
};

/// Computes the logarithms that every frame on a logarithmic axis needs.
void keepLogs(DepthData& data);

/// Tells whether a metric can be drawn on a logarithmic axis.
[[nodiscard]] bool hasDecades(const MetricInfo& metric);

/// Reads the curves of one metric. The reference scale comes from the first variant that has it.
/// `inDecades`: on a logarithmic axis where that can be, as asDrawn().
[[nodiscard]] DepthData makeDepthData(const ReportDocument& document,
                                      DepthAxis axis,
                                      const QString& metric,
                                      bool inDecades = true);

/// Value to axis unit: log10, or the value itself. A zero on a logarithmic axis lies on a shelf
/// below everything else.
struct DepthScale {
  bool logarithmic = true;
  double shelf = 0;  ///< axis position of zero when logarithmic
  bool hasZero = false;
  bool hasDecades = true;  ///< false: nothing but zero has a place

  /// NaN for what has no place: NaN, infinities, negative values on a logarithmic axis.
  [[nodiscard]] double position(double value) const;
  [[nodiscard]] double value(double position) const;
};

/// Returns the indices of the curves that are shown.
[[nodiscard]] std::vector<int> visibleCurves(const std::vector<bool>& visible);

/// Slots from `first` to `last`, both included; none where `last` is smaller.
struct SlotRange {
  int first = 0;
  int last = -1;
};
/// Returns the slots in view of `count`, and one more on each side, so that lines leave the plot.
[[nodiscard]] SlotRange visibleSlots(const Range& x, std::size_t count);

struct DepthExtent {
  DepthScale scale;
  Range y;
};

/// Range of all finite values of the visible curves with a margin; a constant gets a decade around
/// it, nothing at all 1e-3 … 1.
[[nodiscard]] DepthExtent extentOf(const DepthData& data, const std::vector<bool>& visible);
[[nodiscard]] DepthExtent extentOf(const std::vector<double>& values, bool logarithmic);

struct SceneMarker {
  int slot = 0;
  QPointF place;  ///< axis units
  bool zero = false;
};

/// A curve as it is drawn: unbroken pieces in axis units, and where its markers stand. A point
/// between two gaps is a marker alone.
struct SceneCurve {
  int curve = 0;
  std::vector<QList<QPointF>> segments;
  std::vector<SceneMarker> markers{};
};

/// Non-finite elements of the visible curve that has most of them at one slot. Never thinned out.
struct NonFiniteMark {
  int slot = 0;
  std::uint64_t count = 0;
  bool isLeast = false;  ///< there are at least so many
};

struct DepthScene {
  std::vector<SceneCurve> curves;
  std::vector<NonFiniteMark> nonFinite;
};

/// `plotWidth` in pixels: more points than that are reduced to the extremes of each pixel column,
/// and markers keep their distance.
[[nodiscard]] DepthScene buildScene(const DepthData& data,
                                    const std::vector<bool>& visible,
                                    const DepthScale& scale,
                                    const Range& x,
                                    double plotWidth);
/// One plain curve without markers, such as the reference scale. Curves end at the fold of the
/// axis: what lies behind it are other tensors.
[[nodiscard]] std::vector<QList<QPointF>> buildSegments(const std::vector<double>& values,
                                                        int fold,
                                                        const DepthScale& scale,
                                                        const Range& x,
                                                        double plotWidth);

/// A line of the read-out at one slot.
struct ReadoutRow {
  int curve = 0;
  double value = 0;
  std::uint64_t nonFinite = 0;
};
/// Visible curves at a slot, worst first, missing ones last.
[[nodiscard]] std::vector<ReadoutRow> readoutAt(const DepthData& data,
                                                const std::vector<bool>& visible,
                                                int slot);

/// The visible curve whose point at `slot` is nearest to `position` (axis units), -1: none.
[[nodiscard]] int nearestCurve(const DepthData& data,
                               const std::vector<bool>& visible,
                               const DepthScale& scale,
                               int slot,
                               double position);

}  // namespace ulp::views::charts
