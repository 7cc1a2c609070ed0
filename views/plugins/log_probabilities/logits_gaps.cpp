#include "views/plugins/log_probabilities/logits_gaps.h"

#include "core/analysis/distribution_gap.h"
#include "views/framework/kept_tensors.h"

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
  auto tensor = (*found)->reader->read(*(*found)->capture);
  if (!tensor) {
    return tl::unexpected<Error>(std::move(tensor.error()));
  }
  return std::optional(*std::move(tensor));
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
  const auto baseline = readLogits(kept, data->baseline, *site);
  if (!baseline) {
    return tl::unexpected<Error>(baseline.error());
  }
  for (std::size_t i = 0; *baseline && i < data->runs.size(); ++i) {
    const GapRun& run = data->runs[i];
    if (run.variant < 0) {
      continue;
    }
    const auto logits = readLogits(kept, run.name, *site);
    if (!logits) {
      return tl::unexpected<Error>(logits.error());
    }
    if (!*logits) {
      continue;
    }
    auto gap = analysis::distributionGap(**baseline, **logits, stop);
    if (!gap) {
      return failWhile(run.name.toStdString(), std::move(gap));
    }
    if (auto intact = tensors::checkIntact(**logits); !intact) {
      return tl::unexpected<Error>(std::move(intact.error()));
    }
    publish(
        {i,
         {.meanKl = gap->meanKl, .largestKl = gap->largestKl, .topAgreement = gap->topAgreement}});
  }
  return {};
}

}  // namespace ulp::views
