#include "app/cli/sources/report_pairs.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/comparing/verdict/compared_dumps.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::cli {
namespace {

using analysis::ComparedDumps;
using analysis::TensorPairPtr;
using tensors::CaptureReader;
using tensors::StoredCapture;

TensorPairPtr pairInDumps(ComparedDumps& dumps,
                          const std::string& run,
                          const Site& site,
                          const std::stop_token& stop) {
  const auto found = dumps.find(run, site, stop);
  const bool hasElements =
      found && *found && (*found)->baseline().hasElements && (*found)->candidate().hasElements;
  const auto pair = hasElements ? analysis::readPair(**found, site) : TensorPairPtr();
  return pair ? *pair : nullptr;
}

TensorPairPtr pairInCaptures(const CaptureReader& reader,
                             const std::string& reference,
                             const std::string& run,
                             const Site& site) {
  const StoredCapture* const baseline = reader.find(reference, site);
  const StoredCapture* const variant = reader.find(run, site);
  if (baseline == nullptr || variant == nullptr || baseline->shape != variant->shape ||
      baseline->sampleStride != variant->sampleStride) {
    return nullptr;
  }
  auto left = reader.read(*baseline);
  auto right = reader.read(*variant);
  if (!left || !right) {
    return nullptr;
  }
  const auto pair = analysis::makeTensorPair(
      site, std::move(*left), std::move(*right), baseline->sampleStride, baseline->shape);
  return pair ? *pair : nullptr;
}

}  // namespace

analysis::PairReader pairReaderOf(const report::LoadedReport& loaded) {
  if (loaded.report->dumps) {
    return [dumps = std::make_shared<ComparedDumps>(*loaded.report->dumps)](
               const report::Run& run, const report::Comparison& row) {
      return pairInDumps(*dumps, run.name, row.site, {});
    };
  }
  auto reader = std::make_shared<std::optional<Result<std::shared_ptr<const CaptureReader>>>>();
  return [reader, folder = loaded.folder, reference = loaded.report->reference](
             const report::Run& run, const report::Comparison& row) {
    if (!*reader) {
      *reader = CaptureReader::open(folder);
    }
    return **reader ? pairInCaptures(****reader, reference, run.name, row.site) : nullptr;
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
