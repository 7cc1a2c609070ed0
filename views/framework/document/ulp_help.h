#pragma once

#include <QtCore/QString>

#include "views/framework/document/noise_runs.h"

namespace ulp::views {

/// What a tool tip says of a number of ULP: of which format they are, or why it is not shown. Empty
/// for other metrics, and where there is no number.
[[nodiscard]] QString ulpHelp(const ReportDocument& document, const ValuePlace& at);

}  // namespace ulp::views
