#include "views/plugins/heatmap/part_job.h"

#include <chrono>
#include <functional>
#include <numeric>
#include <utility>

namespace ulp::views {
namespace {

constexpr std::chrono::milliseconds kMoment{120};

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
                                 const KeptTensor& reference,
                                 const KeptTensor& variant,
                                 numerics::Comparer& comparer,
                                 const std::stop_token& stop) {
  const std::vector<std::int64_t>& shape = reference.capture->shape;
  const bool hasParts = shape == variant.capture->shape && shape.size() >= 2;
  const bool hasHeads = request.mode == HeatmapMode::Tokens ||
                        (hasParts && request.headSize > 0 && shape.back() % request.headSize == 0);
  if (!hasParts || !hasHeads) {
    return PartColumn{};
  }
  Result<tensors::Tensor> a = reference.reader->read(*reference.capture);
  if (!a) {
    return tl::unexpected(std::move(a.error()));
  }
  Result<tensors::Tensor> b = variant.reader->read(*variant.capture);
  if (!b) {
    return tl::unexpected(std::move(b.error()));
  }
  Result<analysis::PartErrors> errors =
      request.mode == HeatmapMode::Tokens
          ? analysis::tokenErrors(a->view, b->view, request.metric, comparer, stop)
          : analysis::headErrors(
                a->view, b->view, request.headSize, request.metric, comparer, stop);
  for (const tensors::Tensor* side : {&*a, &*b}) {
    if (Result<> intact = tensors::checkIntact(*side); !intact) {
      return tl::unexpected(std::move(intact.error()));
    }
  }
  if (!errors) {
    return tl::unexpected(std::move(errors.error()));
  }
  return PartColumn(std::move(*errors));
}

}  // namespace

PartBatch computeParts(const PartRequest& request,
                       std::size_t first,
                       std::shared_ptr<KeptTensors> tensors,
                       const std::stop_token& stop) {
  PartBatch batch;
  batch.tensors = tensors ? std::move(tensors) : std::make_shared<KeptTensors>(request.document);
  const auto start = std::chrono::steady_clock::now();
  numerics::Comparer comparer({.worstCount = 0, .threads = 1});
  for (std::size_t i = first; i < request.sites.size() && !stop.stop_requested(); ++i) {
    const Site& site = request.sites[i];
    auto a = batch.tensors->find(request.reference, site);
    auto b = a ? batch.tensors->find(request.variant, site) : a;
    if (!b) {
      batch.error = std::move(b.error());
      return batch;
    }
    if (!*a || !*b) {
      batch.columns.emplace_back();
    } else if ((*a)->capture->sampleStride > 1 || (*b)->capture->sampleStride > 1) {
      ++batch.sampled;
      batch.columns.emplace_back();
    } else {
      Result<PartColumn> column = compareColumn(request, **a, **b, comparer, stop);
      if (!column) {
        batch.error = std::move(column.error());
        return batch;
      }
      batch.sequenceLength = std::max(batch.sequenceLength, sequenceLengthOf((*a)->capture->shape));
      batch.columns.push_back(std::move(*column));
    }
    if (std::chrono::steady_clock::now() - start > kMoment) {
      break;
    }
  }
  return batch;
}

}  // namespace ulp::views
