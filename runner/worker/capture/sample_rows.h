#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/report.h"
#include "core/tensors/hdf5/sample_store.h"
#include "runner/worker/capture/site_filter.h"

namespace ulp::worker {

/// One run on one sample.
struct SamplePlace {
  std::string run;
  std::uint64_t sample = 0;
  double loss = 0;
};

/// The rows that every variant has on every sample, and their values on the way to samples.h5.
class SampleRows {
 public:
  SampleRows() = default;
  /// The sites that are captured, and the loss, which always is.
  SampleRows(const std::vector<Site>& sites, const SiteFilter& filter);

  /// Rows as another session has laid them out.
  explicit SampleRows(std::vector<Site> rows);

  [[nodiscard]] const std::vector<Site>& rows() const { return m_rows; }
  /// Writes what a run gave; a row that it did not make stays unknown. `comparisons` is empty for
  /// the reference. Errors: those of SampleStore::write(), Internal for a row that is none of
  /// these.
  [[nodiscard]] Result<> store(tensors::SampleStore& store,
                               const SamplePlace& place,
                               const std::vector<report::Comparison>& comparisons) const;

 private:
  void index();

  std::vector<Site> m_rows;
  std::unordered_map<std::string, std::size_t> m_index;
};

}  // namespace ulp::worker
