#include "views/framework/document/sample_values.h"

#include <limits>
#include <map>
#include <utility>

#include "core/tensors/store/sample_reader.h"

namespace ulp::views {

Result<SampleValues> readSampleValues(const ReportDocument& document, int variant, int metric) {
  if (variant < 0 || metric < 0) {
    return fail(ErrorCode::NotFound, "no variant and metric are chosen");
  }
  const auto origin = document.captureOrigin(document.variantName(variant), {});
  if (!document.hasSpread() || !origin) {
    return fail(ErrorCode::NotFound, "the values are not means over several samples");
  }
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  auto table = ULP_TRY(tensors::readSamples(origin->folder, origin->run, info.id.toStdString()));
  std::map<std::pair<Pass, std::string_view>, std::size_t> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    rows.emplace(std::pair(table.rows[row].pass, std::string_view(table.rows[row].name)), row);
  }
  SampleValues read{.variant = variant, .metric = metric, .samples = table.samples, .values = {}};
  read.values.assign(
      read.samples.size(),
      std::vector<double>(document.sites().size(), std::numeric_limits<double>::quiet_NaN()));
  for (std::size_t site = 0; site < document.sites().size(); ++site) {
    const Site& place = document.sites()[site];
    const auto own = document.captureOrigin(document.variantName(variant), place.name);
    const auto row = rows.find({place.pass, own->site});
    for (std::size_t i = 0; row != rows.end() && i < read.samples.size(); ++i) {
      read.values[i][site] = table.at(i, row->second);
    }
  }
  return read;
}

}  // namespace ulp::views
