#pragma once

#include <string>

#include <QtCore/QString>

namespace ulp::report {
struct SummaryColumn;
}

namespace ulp::views {

/// What stands in the places of a sentence of the core, in the user's language: causes and changes
/// of a proof, and the pass behind a name ("decoder.1, forward"). Anything else is as it is.
[[nodiscard]] QString termText(const std::string& english);

/// Title of a column of the summary; those that are names of tensors are as they are.
[[nodiscard]] QString summaryTitle(const report::SummaryColumn& column);

}  // namespace ulp::views
