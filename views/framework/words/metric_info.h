#pragma once

#include <QtCore/QString>

#include "core/numerics/metrics/metric.h"

namespace ulp::views {

/// A metric of a report with what the registry of this build knows about it. A metric that it does
/// not know (a report of another version) shows its id.
struct MetricInfo {
  QString id;
  QString label;
  QString formula;  ///< empty: unknown
  numerics::MetricUnit unit = numerics::MetricUnit::None;
  numerics::MetricScale scale = numerics::MetricScale::Logarithmic;
  numerics::Better better = numerics::Better::Lower;
};

}  // namespace ulp::views
