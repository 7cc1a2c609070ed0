#include "core/numerics/comparison/comparison.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

#include "core/numerics/comparison/comparison_engine.h"
#include "core/numerics/comparison/comparison_kernels.h"

namespace ulp::numerics {
namespace {

std::string shapeText(const TensorView& tensor) {
  return fmt::format("[{}]", fmt::join(tensor.shape, ", "));
}

Result<> validate(const TensorView& reference, const TensorView& candidate) {
  ULP_TRY(checkSameShape(reference, candidate));
  if (reference.count() > 0 && (reference.data == nullptr || candidate.data == nullptr)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("compare: a tensor of shape {} has no data; read it into memory first",
                            shapeText(reference)));
  }
  return {};
}

}  // namespace

Result<> checkSameShape(const TensorView& reference, const TensorView& candidate) {
  if (reference.shape != candidate.shape) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("compare: the reference has shape {}, the candidate {}; only tensors of "
                    "one shape can be compared",
                    shapeText(reference),
                    shapeText(candidate)));
  }
  if (std::ranges::any_of(reference.shape, [](auto size) { return size < 0; })) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("compare: the shape {} has a negative size; correct the file or the "
                            "caller that made it",
                            shapeText(reference)));
  }
  return {};
}

Comparer::Comparer(CompareOptions options)
    : m_engine(std::make_unique<detail::ComparisonEngine>(*detail::availableKernels().front(),
                                                          options)) {}
Comparer::Comparer(Comparer&&) noexcept = default;
Comparer& Comparer::operator=(Comparer&&) noexcept = default;
Comparer::~Comparer() = default;

Result<Moments> Comparer::compare(const TensorView& reference, const TensorView& candidate) {
  Moments total;
  ULP_TRY(accumulate(total, reference, candidate));
  return total;
}

Result<> Comparer::accumulate(Moments& total,
                              const TensorView& reference,
                              const TensorView& candidate) {
  ULP_TRY(validate(reference, candidate));
  m_engine->accumulate(total, reference, candidate);
  return {};
}

Result<Moments> compare(const TensorView& reference,
                        const TensorView& candidate,
                        const CompareOptions& options) {
  return Comparer(options).compare(reference, candidate);
}

}  // namespace ulp::numerics
