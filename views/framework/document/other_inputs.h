#pragma once

#include <QtCore/QString>

#include "core/analysis/reports/other_inputs.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// "other tokens than reference"; empty where nothing is known to be another.
[[nodiscard]] QString otherInputsText(const analysis::OtherInputs& inputs, const QString& baseline);
/// The same of a variant of a document and its baseline; empty for -1, too.
[[nodiscard]] QString otherInputsText(const ReportDocument& document, int variant);
/// Which variants have other inputs than what they are compared with, and what that means; empty:
/// none is known to.
[[nodiscard]] QString otherInputsText(const ReportDocument& document);

}  // namespace ulp::views
