#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/numerics/metrics/metric.h"
#include "core/report/model/report.h"

namespace ulp::report {

/// Says in words what a run of the noise floor measures: "rounding of the reference itself" of
/// "floor.float64". Empty where the run is no such run, or one that this version does not know.
[[nodiscard]] std::string_view floorMeaning(std::string_view run);

/// What is no effect of precision, at each row: how far the runs of the noise floor
/// (RunRole::Floor) are from the reference that they repeat. Of several the worst counts.
class NoiseFloor {
 public:
  /// Makes a floor of which nothing is known.
  NoiseFloor() = default;
  /// Takes what it needs out of the report.
  explicit NoiseFloor(const Report& report);
  /// Takes the floor from `runs`, all of a noise floor; `metrics` are those of their report.
  NoiseFloor(const std::vector<MetricColumn>& metrics, std::span<const Run* const> runs);

  /// False where the report has no run of a noise floor.
  [[nodiscard]] bool isKnown() const { return !m_rows.empty(); }
  /// Gives the floor of a metric, by its place among Report::metrics; NaN where nothing is known,
  /// and of metrics that measure no error (ref_scale).
  [[nodiscard]] double at(const Site& site, std::size_t metric) const;
  /// Whether a variant's value there is no worse, so that it need not mean anything. False where
  /// nothing is known.
  [[nodiscard]] bool covers(const Site& site, std::size_t metric, double value) const;

 private:
  void add(const Comparison& row);

  std::vector<numerics::Better> m_better;
  std::vector<bool> m_measuresError;
  std::vector<bool> m_countsUlp;
  std::unordered_map<std::string, std::vector<double>> m_rows;
};

/// Whether the report has a run of a noise floor that says anything: NoiseFloor(report).isKnown()
/// without building it.
[[nodiscard]] bool hasNoiseFloor(const Report& report);

/// Tells which values of a metric are better: lower ones of a metric that this version lacks.
[[nodiscard]] numerics::Better betterOf(std::string_view metric);

/// False for metrics that describe the reference alone (ref_scale).
[[nodiscard]] bool measuresError(std::string_view metric);

/// The worse of two values of an error; NaN says nothing.
[[nodiscard]] double worseOf(double a, double b, numerics::Better better);

/// The name of a run with what it measures where it is one of the noise floor (floorMeaning()):
/// "floor.float64 (rounding of the reference itself)".
[[nodiscard]] std::string floorLabel(std::string_view run);

}  // namespace ulp::report
