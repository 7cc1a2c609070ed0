#include "views/plugins/heatmap/part_job.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/shape.h"
#include "core/comparing/verdict/compared_dumps.h"

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

bool hasSuchParts(const PartRequest& request, const std::vector<std::int64_t>& shape) {
  const bool isHeads = request.mode != HeatmapMode::Tokens;
  return shape.size() >= 2 &&
         (!isHeads || (request.headSize > 0 && shape.back() % request.headSize == 0));
}

/// The tensors behind it would end in the same way.
bool endsAll(ErrorCode code) {
  return code == ErrorCode::Cancelled || code == ErrorCode::OutOfMemory;
}

Result<PartColumn> compareTensors(const PartRequest& request,
                                  const tensors::Tensor& reference,
                                  const tensors::Tensor& variant,
                                  numerics::Comparer& comparer,
                                  const std::stop_token& stop) {
  Result<analysis::PartErrors> errors =
      request.mode == HeatmapMode::Tokens
          ? analysis::tokenErrors(reference.view, variant.view, request.metric, comparer, stop)
          : analysis::headErrors(
                reference.view, variant.view, request.headSize, request.metric, comparer, stop);
  for (const tensors::Tensor* side : {&reference, &variant}) {
    ULP_TRY(tensors::checkIntact(*side));
  }
  if (!errors) {
    return tl::unexpected(std::move(errors.error()));
  }
  return PartColumn(std::move(*errors));
}

/// One column of a batch; an error ends the batch.
Result<> addKeptColumn(const PartRequest& request,
                       const Site& site,
                       numerics::Comparer& comparer,
                       const std::stop_token& stop,
                       PartBatch& batch) {
  auto a = batch.tensors->find(request.reference, site);
  auto b = ULP_TRY(a ? batch.tensors->find(request.variant, site) : a);
  const bool areKept = a->has_value() && b.has_value();
  const bool areSampled =
      areKept && ((*a)->capture->sampleStride > 1 || b->capture->sampleStride > 1);
  batch.sampled += areSampled ? 1 : 0;
  if (!areKept || areSampled) {
    batch.columns.emplace_back();
    return {};
  }
  const std::vector<std::int64_t>& shape = (*a)->capture->shape;
  batch.sequenceLength = std::max(batch.sequenceLength, sequenceLengthOf(shape));
  if (shape != b->capture->shape || !hasSuchParts(request, shape)) {
    batch.columns.emplace_back();
    return {};
  }
  tensors::Tensor reference = ULP_TRY((*a)->reader->read(*(*a)->capture));
  tensors::Tensor variant = ULP_TRY(b->reader->read(*b->capture));
  auto column = ULP_TRY(compareTensors(request, reference, variant, comparer, stop));
  batch.columns.push_back(std::move(column));
  return {};
}

/// The elements of one tensor of two dumps; empty where it has no such parts.
Result<PartColumn> compareInDumps(const PartRequest& request,
                                  const analysis::ComparedTensor& tensor,
                                  const Site& site,
                                  numerics::Comparer& comparer,
                                  const std::stop_token& stop,
                                  PartBatch& batch) {
  const std::vector<std::int64_t>& shape = tensor.baseline().shape;
  const std::vector<std::int64_t>& other = tensor.candidate().shape;
  const bool areKnown = !shape.empty() && !other.empty();
  // Asked before anything is read: a tensor may have to be put together from several shards.
  if (areKnown && (squeezed(shape) != squeezed(other) || !hasSuchParts(request, shape))) {
    return PartColumn();
  }
  const auto pair = ULP_TRY(analysis::readPair(tensor, site));
  if (!hasSuchParts(request, pair->shape())) {
    return PartColumn();
  }
  batch.sequenceLength = std::max(batch.sequenceLength, sequenceLengthOf(pair->shape()));
  return compareTensors(request, pair->reference, pair->variant, comparer, stop);
}

/// The same of a comparison of dumps. One file that cannot be read leaves its own column empty.
Result<> addDumpColumn(const PartRequest& request,
                       const DumpPlace& place,
                       const Site& site,
                       numerics::Comparer& comparer,
                       const std::stop_token& stop,
                       PartBatch& batch) {
  Site own = site;
  own.name = place.site;
  const auto found = ULP_TRY(place.dumps->find(place.run, own, stop));
  const bool hasElements =
      found.has_value() && found->baseline().hasElements && found->candidate().hasElements;
  if (!hasElements) {
    batch.columns.emplace_back();
    return {};
  }
  auto column = compareInDumps(request, *found, site, comparer, stop, batch);
  if (!column && endsAll(column.error().code())) {
    return tl::unexpected(std::move(column.error()));
  }
  if (!column) {
    batch.unreadable.push_back(std::move(column.error()));
  }
  batch.columns.push_back(column ? std::move(*column) : PartColumn());
  return {};
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
    const auto place = request.document->dumpPlace(request.variant, site.name);
    Result<> added = place ? addDumpColumn(request, *place, site, comparer, stop, batch)
                           : addKeptColumn(request, site, comparer, stop, batch);
    if (!added) {
      batch.error = std::move(added.error());
      return batch;
    }
    if (std::chrono::steady_clock::now() - start > kMoment) {
      break;
    }
  }
  return batch;
}

}  // namespace ulp::views
