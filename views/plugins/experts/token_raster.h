#pragma once

#include <memory>
#include <vector>

#include "core/report/tables/data_table.h"
#include "views/charts/raster/raster_frame.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// Which tokens of a variant are flipped, layer by layer.
struct TokenFlips {
  QString run;
  std::vector<report::RouterChoice> routers;
  std::uint64_t sequenceLength = 0;  ///< 0: not known

  [[nodiscard]] std::size_t tokens() const;  ///< of which a router says it
};
using TokenFlipsPtr = std::shared_ptr<const TokenFlips>;

[[nodiscard]] TokenFlipsPtr makeTokenFlips(const ReportDocument& document, int variant);
[[nodiscard]] charts::RasterContent tokenRaster(const TokenFlipsPtr& flips);
/// Flipped is the bright end.
[[nodiscard]] charts::ColorScale tokenScale();
/// One row for each flipped token of a router.
[[nodiscard]] report::DataTable tokenTable(const QString& title, const TokenFlips& flips);

}  // namespace ulp::views
