#pragma once

#include "views/commands/palette_model.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// Variants and tensors of a report as a palette lists them. Any thread.
[[nodiscard]] PaletteItemsPtr reportItems(const ReportDocument& document);

/// What the id of such an item names.
struct ReportPlace {
  int variant = -1;
  int site = -1;
};
[[nodiscard]] ReportPlace placeOf(const ReportDocument& document, const QString& id);

}  // namespace ulp::views
