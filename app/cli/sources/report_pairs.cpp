#include "app/cli/sources/report_pairs.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/comparing/verdict/compared_dumps.h"
#include "core/remote/captures/remote_captures.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::cli {
namespace {

using analysis::ComparedDumps;
using analysis::TensorPairPtr;
using tensors::CaptureReader;
using tensors::StoredCapture;

Result<TensorPairPtr> pairInDumps(ComparedDumps& dumps,
                                  const std::string& run,
                                  const Site& site,
                                  const std::stop_token& stop) {
  const auto found = ULP_TRY(dumps.find(run, site, stop));
  if (!found || !found->baseline().hasElements || !found->candidate().hasElements) {
    return nullptr;
  }
  return analysis::lookAtPair(*found, site);
}

Result<TensorPairPtr> pairInCaptures(const CaptureReader& reader,
                                     const std::string& reference,
                                     const std::string& run,
                                     const Site& site) {
  const StoredCapture* const baseline = reader.find(reference, site);
  const StoredCapture* const variant = reader.find(run, site);
  if ((baseline == nullptr || variant == nullptr) && !reader.problems().empty()) {
    return tl::make_unexpected(reader.problems().front());
  }
  if (baseline == nullptr || variant == nullptr || baseline->shape != variant->shape ||
      baseline->sampleStride != variant->sampleStride) {
    return nullptr;
  }
  auto left = ULP_TRY(reader.look(*baseline));
  auto right = ULP_TRY(reader.look(*variant));
  return analysis::makeTensorPair(
      site, std::move(left), std::move(right), baseline->sampleStride, baseline->shape);
}

}  // namespace

analysis::PairReader pairReaderOf(const report::LoadedReport& loaded) {
  if (loaded.report->dumps) {
    return [dumps = std::make_shared<ComparedDumps>(*loaded.report->dumps)](
               const report::Run& run, const report::Comparison& row) {
      return pairInDumps(*dumps, run.name, row.site, {});
    };
  }
  auto opened = std::make_shared<std::optional<Result<std::shared_ptr<const CaptureReader>>>>();
  return [opened, folder = loaded.folder, reference = loaded.report->reference](
             const report::Run& run, const report::Comparison& row) -> Result<TensorPairPtr> {
    if (!*opened) {
      *opened = remote::openCaptures(folder);
    }
    const auto& reader = **opened;
    if (!reader && reader.error().code() == ErrorCode::NotFound) {
      return nullptr;
    }
    return reader ? pairInCaptures(**reader, reference, run.name, row.site)
                  : tl::make_unexpected(reader.error());
  };
}

analysis::UnitPairReader pairReaderOf(const analysis::DumpComparison& comparison,
                                      report::DumpOrigin origin,
                                      std::stop_token stop) {
  return [&comparison,
          stop = std::move(stop),
          dumps = std::make_shared<ComparedDumps>(std::move(origin))](
             std::size_t unit, const report::Comparison& row) {
    const std::string run = analysis::runNameOf(
        comparison.units[unit].label, comparison.baselineName, comparison.candidateName);
    return pairInDumps(*dumps, run, row.site, stop);
  };
}

}  // namespace ulp::cli
