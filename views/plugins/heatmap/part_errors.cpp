#include "views/plugins/heatmap/part_errors.h"

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

/// One go of work.
class PartComparison {
 public:
  PartComparison(const PartRequest& request, const std::stop_token& stop)
      : m_request(request), m_stop(stop), m_comparer({.worstCount = 0, .threads = 1}) {}

  /// Adds the column of a tensor; an error ends the go.
  Result<> add(const Site& site) {
    const auto place = m_request.document->captureOrigin(m_request.variant, site.name);
    return place && place->dumps ? addOfDumps(site, *place) : addKept(site);
  }

  PartBatch batch;

 private:
  [[nodiscard]] bool hasSuchParts(const std::vector<std::int64_t>& shape) const {
    const bool isHeads = m_request.mode != HeatmapMode::Tokens;
    return shape.size() >= 2 &&
           (!isHeads || (m_request.headSize > 0 && shape.back() % m_request.headSize == 0));
  }

  Result<PartColumn> compare(const tensors::Tensor& reference, const tensors::Tensor& variant) {
    auto errors =
        ULP_TRY(analysis::partErrors(reference,
                                     variant,
                                     m_request.mode == HeatmapMode::Tokens ? 0 : m_request.headSize,
                                     m_request.metric,
                                     m_comparer,
                                     m_stop));
    return PartColumn(std::move(errors));
  }

  Result<> addKept(const Site& site) {
    auto a = batch.tensors->find(m_request.reference, site, m_request.variant);
    auto b = ULP_TRY(a ? batch.tensors->find(m_request.variant, site) : a);
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
    if (shape != b->capture->shape || !hasSuchParts(shape)) {
      batch.columns.emplace_back();
      return {};
    }
    tensors::Tensor reference = ULP_TRY((*a)->reader->look(*(*a)->capture));
    tensors::Tensor variant = ULP_TRY(b->reader->look(*b->capture));
    auto column = ULP_TRY(compare(reference, variant));
    batch.columns.push_back(std::move(column));
    return {};
  }

  /// The elements of one tensor of two dumps; empty where it has no such parts.
  Result<PartColumn> compareInDumps(const analysis::ComparedTensor& tensor, const Site& site) {
    const std::vector<std::int64_t>& shape = tensor.baseline().shape;
    const std::vector<std::int64_t>& other = tensor.candidate().shape;
    const bool areKnown = !shape.empty() && !other.empty();
    // Asked before anything is read: a tensor may have to be put together from several shards.
    if (areKnown && (squeezed(shape) != squeezed(other) || !hasSuchParts(shape))) {
      return PartColumn();
    }
    const auto pair = ULP_TRY(analysis::lookAtPair(tensor, site));
    if (!hasSuchParts(pair->shape())) {
      return PartColumn();
    }
    batch.sequenceLength = std::max(batch.sequenceLength, sequenceLengthOf(pair->shape()));
    return compare(pair->reference, pair->variant);
  }

  /// The same of a comparison of dumps. One file that cannot be read leaves its own column empty.
  Result<> addOfDumps(const Site& site, const CaptureOrigin& place) {
    Site own = site;
    own.name = place.site;
    const auto found = ULP_TRY(place.dumps->find(place.run, own, m_stop));
    const bool hasElements =
        found.has_value() && found->baseline().hasElements && found->candidate().hasElements;
    auto column = hasElements ? compareInDumps(*found, site) : PartColumn();
    if (!column && column.error().endsWork()) {
      return tl::unexpected(std::move(column.error()));
    }
    if (!column) {
      batch.unreadable.push_back(std::move(column.error()));
    }
    batch.columns.push_back(column ? std::move(*column) : PartColumn());
    return {};
  }

  const PartRequest& m_request;
  const std::stop_token& m_stop;
  numerics::Comparer m_comparer;
};

}  // namespace

PartBatch computeParts(const PartRequest& request,
                       std::size_t first,
                       std::shared_ptr<KeptTensors> tensors,
                       const std::stop_token& stop) {
  PartComparison comparison(request, stop);
  PartBatch& batch = comparison.batch;
  batch.tensors = tensors ? std::move(tensors) : std::make_shared<KeptTensors>(request.document);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = first; i < request.sites.size() && !stop.stop_requested(); ++i) {
    Result<> added = comparison.add(request.sites[i]);
    if (!added) {
      batch.error = std::move(added.error());
      break;
    }
    if (std::chrono::steady_clock::now() - start > kMoment) {
      break;
    }
  }
  return std::move(batch);
}

}  // namespace ulp::views
