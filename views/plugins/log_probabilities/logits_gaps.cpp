#include "views/plugins/log_probabilities/logits_gaps.h"

#include "core/analysis/tokens/token_distance.h"
#include "views/framework/document/kept_tensors.h"

namespace ulp::views {
namespace {

constexpr std::string_view kLogits = "logits";

const Site* logitsSite(const ReportDocument& document) {
  const int site = document.findSite(kLogits, Pass::Forward);
  return site < 0 ? nullptr : &document.sites()[static_cast<std::size_t>(site)];
}

/// Nothing where they were not kept whole.
Result<std::optional<tensors::Tensor>> readLogits(KeptTensors& kept,
                                                  const QString& run,
                                                  const Site& site) {
  const auto found = kept.find(run, site);
  if (!found) {
    return found.error().code() == ErrorCode::NotFound
               ? Result<std::optional<tensors::Tensor>>(std::nullopt)
               : tl::unexpected<Error>(found.error());
  }
  if (!*found || (*found)->capture->sampleStride != 1) {
    return std::optional<tensors::Tensor>();
  }
  auto tensor = ULP_TRY((*found)->reader->read(*(*found)->capture));
  return std::optional(std::move(tensor));
}

}  // namespace

bool mayHaveLogits(const GapData& data) {
  const auto origin = data.document->captureOrigin(data.baseline, {});
  return origin && logitsSite(*data.document) != nullptr && keepsTensors(origin->folder);
}

Result<> readLogitsGaps(const GapDataPtr& data,
                        const std::stop_token& stop,
                        const std::function<void(PlacedLogitsGap)>& publish) {
  const Site* site = logitsSite(*data->document);
  if (site == nullptr) {
    return {};
  }
  KeptTensors kept(data->document);
  const auto baseline = ULP_TRY(readLogits(kept, data->baseline, *site));
  for (std::size_t i = 0; baseline && i < data->runs.size(); ++i) {
    const GapRun& run = data->runs[i];
    if (run.variant < 0) {
      continue;
    }
    const auto logits = ULP_TRY(readLogits(kept, run.name, *site));
    if (!logits) {
      continue;
    }
    auto gap = analysis::distributionGap(*baseline, *logits, stop);
    if (!gap) {
      return failWhile(run.name.toStdString(), std::move(gap));
    }
    ULP_TRY(tensors::checkIntact(*logits));
    publish(
        {i,
         {.meanKl = gap->meanKl, .largestKl = gap->largestKl, .topAgreement = gap->topAgreement}});
  }
  return {};
}

}  // namespace ulp::views
