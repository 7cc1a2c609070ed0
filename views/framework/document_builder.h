#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "views/framework/report_document.h"

namespace ulp::views {

/// A document and what was learned while it was made.
struct BuiltDocument {
  DocumentPtr document;
  std::size_t unmatched = 0;  ///< tensors that had no partner, where tensors were compared
  QStringList problems;       ///< files that could not be read
};

/// Puts the runs of the open reports in relation to a baseline. Errors against another run than the
/// reference are computed from kept tensors, with the runs that are done so far handed to `news`;
/// everything else takes milliseconds. A baseline that is the reference, or empty, gives the
/// joined report itself. Errors: those of analysis::relateReport() and analysis::rebaseReport().
[[nodiscard]] Result<BuiltDocument> buildDocument(
    const DocumentBasis& basis,
    const std::stop_token& stop,
    const std::function<void(DocumentPtr)>& news = {});

}  // namespace ulp::views
