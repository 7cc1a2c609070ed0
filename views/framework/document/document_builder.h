#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"
#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"

namespace ulp::views {

/// What a document is to be made of.
struct DocumentRequest {
  std::vector<analysis::ReportSource> sources;  ///< never empty
  /// The sources joined, where that has been done; null: still to do.
  std::shared_ptr<const OpenReports> open;
  /// The document of `open` in relation to nothing else, where it has been made; may be null.
  DocumentPtr plain;
  QString baseline;
  Relation relation = Relation::Error;
};

/// A document and what was learned while it was made.
struct BuiltDocument {
  DocumentPtr document;
  Selection initial;          ///< where to look first
  std::size_t unmatched = 0;  ///< tensors that had no partner, where tensors were compared
  QStringList problems;       ///< files that could not be read
};

/// Puts the runs of the open reports in relation to a baseline. Errors against another run than the
/// reference are computed from kept tensors, with the runs that are done so far handed to `news`;
/// everything else takes the time of reading through the reports once. A baseline that is empty,
/// the reference, or not open gives the joined report itself. Errors: those of
/// analysis::relateReport() and analysis::rebaseReport().
[[nodiscard]] Result<BuiltDocument> buildDocument(
    const DocumentRequest& request,
    const std::stop_token& stop,
    const std::function<void(DocumentPtr)>& news = {});

/// The worst cell of the summary, in its variant.
[[nodiscard]] Selection initialSelection(const ReportDocument& document);
/// `selection` with what was `asked` for in the places where it is what stood in for it, in
/// `adapted`: the runs, the tensor.
[[nodiscard]] Selection restoredSelection(const Selection& selection,
                                          const Selection& asked,
                                          const Selection& adapted);
/// `selection` with whatever the document does not have replaced by what it has.
[[nodiscard]] Selection adaptSelection(const Selection& selection, const ReportDocument& document);

}  // namespace ulp::views
