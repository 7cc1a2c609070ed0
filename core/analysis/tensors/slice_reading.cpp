#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/tensors/tensor_slice.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_parts.h"

namespace ulp::analysis {
namespace {

/// Positions at equal distances, in the tensor and in what is taken of it.
struct SliceStride {
  std::int64_t count = 1;
  std::int64_t step = 0;  ///< in the tensor
  std::int64_t to = 0;    ///< in the values of the slice
};

/// The dimensions of a slice that have more than one position, outermost first. Those that follow
/// each other without a gap are one.
std::vector<SliceStride> stridesIn(std::span<const SliceRange> slice,
                                   std::span<const std::int64_t> shape) {
  std::vector<SliceStride> strides;
  std::int64_t size = 1;
  std::int64_t taken = 1;
  for (std::size_t d = slice.size(); d-- > 0;) {
    const SliceStride next{slice[d].count, slice[d].step * size, taken};
    size *= shape[d];
    taken *= next.count;
    if (next.count == 1) {
      continue;
    }
    const bool continues =
        !strides.empty() && next.step == strides.back().step * strides.back().count;
    if (continues) {
      strides.back().count *= next.count;
    } else {
      strides.push_back(next);
    }
  }
  std::ranges::reverse(strides);
  return strides;
}

/// Calls `visit(place in the tensor, place in the values)` for each position of all strides.
template <class Visit>
Result<> visitPlaces(std::span<const SliceStride> strides,
                     std::int64_t first,
                     std::int64_t to,
                     const Visit& visit) {
  if (strides.empty()) {
    return visit(first, to);
  }
  const SliceStride& outer = strides.front();
  for (std::int64_t i = 0; i < outer.count; ++i) {
    ULP_TRY(visitPlaces(strides.subspan(1), first + i * outer.step, to + i * outer.to, visit));
  }
  return {};
}

/// Takes the two longest of the strides out, so that there are few questions. Those that are
/// missing have one position.
std::pair<SliceStride, SliceStride> takeLongest(std::vector<SliceStride>& strides) {
  std::pair<SliceStride, SliceStride> longest;
  for (SliceStride* each : {&longest.first, &longest.second}) {
    const auto found = std::ranges::max_element(strides, {}, &SliceStride::count);
    if (found != strides.end()) {
      *each = *found;
      strides.erase(found);
    }
  }
  return longest;
}

Result<SlicedTensor> pickSlice(const tensors::Tensor& tensor, std::span<const SliceRange> slice) {
  SlicedTensor result;
  std::int64_t origin = 0;
  for (std::size_t d = 0; d < slice.size(); ++d) {
    origin = origin * tensor.view.shape[d] + slice[d].start;
    if (!slice[d].isIndex) {
      result.shape.push_back(slice[d].count);
    }
  }
  result.values.resize(static_cast<std::size_t>(countOf(slice)));
  if (result.values.empty()) {
    return result;
  }
  std::vector<SliceStride> strides = stridesIn(slice, tensor.view.shape);
  const auto [columns, rows] = takeLongest(strides);
  ULP_TRY(visitPlaces(strides, origin, 0, [&](std::int64_t first, std::int64_t to) -> Result<> {
    const tensors::ElementGrid wanted{.first = first,
                                      .columns = columns.count,
                                      .columnStep = columns.step,
                                      .rows = rows.count,
                                      .rowStep = rows.step};
    auto bytes = ULP_TRY(tensor.parts->pick(wanted));
    const auto picked = ULP_TRY(tensors::tensorAt(tensors::byteSourceOf("picked", std::move(bytes)),
                                                  0,
                                                  tensor.view.dtype,
                                                  {rows.count, columns.count}));
    for (std::int64_t i = 0; i < rows.count * columns.count; ++i) {
      const std::int64_t place = to + i / columns.count * rows.to + i % columns.count * columns.to;
      result.values[static_cast<std::size_t>(place)] =
          numerics::elementAt(picked.view, static_cast<std::size_t>(i));
    }
    return {};
  }));
  return result;
}

}  // namespace

Result<SlicedTensor> readSlice(const tensors::Tensor& tensor, std::span<const SliceRange> slice) {
  if (tensor.parts != nullptr) {
    return pickSlice(tensor, slice);
  }
  SlicedTensor taken = takeSlice(tensor.view, slice);
  ULP_TRY(tensors::checkIntact(tensor));
  return taken;
}

}  // namespace ulp::analysis
