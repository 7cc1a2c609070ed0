#include "views/plugins/heatmap/part_job.h"

#include <chrono>
#include <functional>
#include <numeric>
#include <utility>

namespace ulp::views {
namespace {

constexpr std::chrono::milliseconds kMoment{120};

const tensors::StoredCapture* findCapture(const tensors::CaptureReader& reader,
                                          const std::string& run,
                                          const Site& site) {
  for (const tensors::StoredCapture& capture : reader.captures()) {
    if (capture.run == run && capture.site.pass == site.pass && capture.site.name == site.name) {
      return &capture;
    }
  }
  return nullptr;
}

/// Tokens in one sequence of a tensor of several; 0 for one sequence.
std::int64_t sequenceLengthOf(const std::vector<std::int64_t>& shape) {
  if (shape.size() < 3) {
    return 0;
  }
  const std::int64_t sequences =
      std::accumulate(shape.begin(), shape.end() - 2, std::int64_t{1}, std::multiplies<>());
  return sequences > 1 ? shape[shape.size() - 2] : 0;
}

Result<PartColumn> compareColumn(const PartRequest& request,
                                 const tensors::CaptureReader& reader,
                                 const tensors::StoredCapture& reference,
                                 const tensors::StoredCapture& variant,
                                 numerics::Comparer& comparer) {
  const bool hasParts = reference.shape == variant.shape && reference.shape.size() >= 2;
  const bool hasHeads =
      request.mode == HeatmapMode::Tokens ||
      (hasParts && request.headSize > 0 && reference.shape.back() % request.headSize == 0);
  if (!hasParts || !hasHeads) {
    return PartColumn{};
  }
  Result<tensors::Tensor> a = reader.read(reference);
  if (!a) {
    return tl::unexpected(std::move(a.error()));
  }
  Result<tensors::Tensor> b = reader.read(variant);
  if (!b) {
    return tl::unexpected(std::move(b.error()));
  }
  Result<analysis::PartErrors> errors =
      request.mode == HeatmapMode::Tokens
          ? analysis::tokenErrors(a->view, b->view, request.metric, comparer)
          : analysis::headErrors(a->view, b->view, request.headSize, request.metric, comparer);
  if (!errors) {
    return tl::unexpected(std::move(errors.error()));
  }
  return PartColumn(std::move(*errors));
}

}  // namespace

PartBatch computeParts(const PartRequest& request,
                       std::size_t first,
                       CaptureReaderPtr reader,
                       const std::stop_token& stop) {
  PartBatch batch;
  batch.reader = std::move(reader);
  if (!batch.reader) {
    Result<CaptureReaderPtr> opened = tensors::CaptureReader::open(request.folder);
    if (!opened) {
      batch.error = std::move(opened.error());
      return batch;
    }
    batch.reader = std::move(*opened);
  }
  const auto start = std::chrono::steady_clock::now();
  numerics::Comparer comparer({.worstCount = 0, .threads = 1});
  for (std::size_t i = first; i < request.sites.size() && !stop.stop_requested(); ++i) {
    const Site& site = request.sites[i];
    const tensors::StoredCapture* const a = findCapture(*batch.reader, request.reference, site);
    const tensors::StoredCapture* const b = findCapture(*batch.reader, request.variant, site);
    if (a == nullptr || b == nullptr) {
      batch.columns.emplace_back();
    } else if (a->sampleStride > 1 || b->sampleStride > 1) {
      ++batch.sampled;
      batch.columns.emplace_back();
    } else {
      Result<PartColumn> column = compareColumn(request, *batch.reader, *a, *b, comparer);
      if (!column) {
        batch.error = std::move(column.error());
        return batch;
      }
      batch.sequenceLength = std::max(batch.sequenceLength, sequenceLengthOf(a->shape));
      batch.columns.push_back(std::move(*column));
    }
    if (std::chrono::steady_clock::now() - start > kMoment) {
      break;
    }
  }
  return batch;
}

}  // namespace ulp::views
