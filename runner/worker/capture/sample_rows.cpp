#include "runner/worker/capture/sample_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/undefined.h"

namespace ulp::worker {
namespace {

constexpr std::string_view kLoss = "loss";

}  // namespace

SampleRows::SampleRows(const std::vector<Site>& sites, const SiteFilter& filter) {
  std::ranges::copy_if(sites, std::back_inserter(m_rows), [&filter](const Site& site) {
    return filter.wants(site);
  });
  if (std::ranges::find(m_rows, kLoss, &Site::name) == m_rows.end()) {
    const auto place =
        std::ranges::find_if(m_rows, [](const Site& row) { return row.pass != Pass::Forward; });
    m_rows.insert(place, {std::string(kLoss), std::string(kLoss), -1, Level::Layer, Pass::Forward});
  }
  index();
}

SampleRows::SampleRows(std::vector<Site> rows) : m_rows(std::move(rows)) {
  index();
}

void SampleRows::index() {
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    m_index.emplace(siteKey(m_rows[i].pass, m_rows[i].name), i);
  }
}

Result<> SampleRows::store(tensors::SampleStore& store,
                           const SamplePlace& place,
                           const std::vector<report::Comparison>& comparisons) const {
  if (comparisons.empty()) {
    return store.write(place.run, place.sample, {.loss = place.loss});
  }
  const std::size_t columns = comparisons.front().metrics.size();
  std::vector<double> metrics(m_rows.size() * columns, kUndefined);
  std::vector<double> gainErrors(m_rows.size(), kUndefined);
  for (const report::Comparison& row : comparisons) {
    const auto found = m_index.find(siteKey(row.site.pass, row.site.name));
    if (found == m_index.end() || row.metrics.size() != columns) {
      return fail(ErrorCode::Internal,
                  fmt::format("{}: {}, {}: is no row of the study",
                              place.run,
                              row.site.name,
                              toString(row.site.pass)));
    }
    std::ranges::copy(row.metrics,
                      metrics.begin() + static_cast<std::ptrdiff_t>(found->second * columns));
    gainErrors[found->second] = row.gainError;
  }
  return store.write(
      place.run, place.sample, {.loss = place.loss, .metrics = metrics, .gainErrors = gainErrors});
}

}  // namespace ulp::worker
