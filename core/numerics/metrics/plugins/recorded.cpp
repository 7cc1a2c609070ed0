#include <array>

#include "core/numerics/metrics/metric.h"

/// What a tensor of a dump is like, compared with none: numbers of one side alone, which reports of
/// one dump have.
namespace ulp::numerics {
namespace {

struct RecordedRow {
  const char* id;
  const char* label;
  const char* formula;
  MetricScale scale = MetricScale::Logarithmic;
};

constexpr int kFirstRecordedPlace = 400;
constexpr std::array<RecordedRow, 7> kRecorded{
    {{"recorded.largest", "Largest |x|", "max(|max x|, |min x|)"},
     {"recorded.norm", "Norm", "||x||, the L2 norm of all elements"},
     {"recorded.max", "Max", "max x", MetricScale::Linear},
     {"recorded.min", "Min", "min x", MetricScale::Linear},
     {"recorded.mean", "Mean", "mean x", MetricScale::Linear},
     {"recorded.nan",
      "NaN",
      "elements that are NaN; not known where statistics alone tell of some"},
     {"recorded.inf", "Inf", "infinite elements; not known where statistics alone tell of some"}}};

}  // namespace

void registerRecorded(MetricRegistry& registry) {
  int place = kFirstRecordedPlace;
  for (const auto& [id, label, formula, scale] : kRecorded) {
    registry.add({.id = id,
                  .label = label,
                  .formula = formula,
                  .scale = scale,
                  .order = place++,
                  .isOfDumps = true});
  }
}

}  // namespace ulp::numerics
