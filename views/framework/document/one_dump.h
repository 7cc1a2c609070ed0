#pragma once

#include <optional>

#include "core/comparing/verdict/compared_dumps.h"
#include "core/report/model/one_dump.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// Where a run is found that is a unit of one dump, compared with none; nothing: it is no such run.
[[nodiscard]] inline std::optional<CaptureOrigin> unitOfOneDump(const ReportDocument& document,
                                                                const QString& run) {
  std::optional<CaptureOrigin> place = document.captureOrigin(run, {});
  const bool isOne = place && place->dumps && report::isOneDump(place->dumps->origin());
  return isOne ? place : std::nullopt;
}

}  // namespace ulp::views
