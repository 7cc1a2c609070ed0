#include "core/engine/precision/pass_formats.h"

#include "core/engine/precision/convert.h"
#include "core/engine/precision/simulated_format.h"

namespace ulp::engine {
namespace {

/// Where the streams of the gradients of products lie behind those of the operations. It stays as
/// it is when operations are added, so that a seed means the same numbers.
constexpr std::uint64_t kProductStreams = 14;

}  // namespace

at::ScalarType carrierType(numerics::NumberFormat format) {
  return scalarType(numerics::carrierOf(format));
}

at::Tensor castTo(const at::Tensor& x,
                  numerics::NumberFormat format,
                  const numerics::Rounding& rounding) {
  const at::ScalarType carrier = carrierType(format);
  const bool isNarrower = c10::elementSize(carrier) < c10::elementSize(x.scalar_type());
  const bool isRandom = rounding.mode == numerics::RoundingMode::Stochastic && isNarrower;
  if (isRandom && !numerics::isSimulated(format)) {
    // To the nearest, LibTorch casts, which does not saturate.
    numerics::Rounding propagating = rounding;
    propagating.overflow = numerics::Overflow::Propagate;
    return quantizeStraightThrough(x,
                                   {.forward = Quantization{format, propagating}, .backward = {}})
        .to(carrier);
  }
  const at::Tensor held = x.to(carrier);
  return numerics::isSimulated(format)
             ? quantizeStraightThrough(held,
                                       {.forward = Quantization{format, rounding}, .backward = {}})
             : held;
}

at::ScalarType PassFormats::type(Operation operation) const {
  return carrierType(m_formats[operation]);
}

numerics::Rounding PassFormats::roundingOf(Operation operation) const {
  numerics::Rounding rounding = m_rounding;
  rounding.stream += static_cast<std::uint64_t>(operation);
  return rounding;
}

at::Tensor PassFormats::to(const at::Tensor& x, Operation operation) const {
  return castTo(x, m_formats[operation], roundingOf(operation));
}

at::Tensor PassFormats::weight(const at::Tensor& parameter, Operation operation) const {
  if (!parameter.defined()) {
    return parameter;
  }
  // Rounding numbers of a block-scaled format once more would not leave all of them alone.
  return m_formats[operation] == m_formats[Operation::Weights] ? parameter.to(type(operation))
                                                               : to(parameter, operation);
}

at::Tensor PassFormats::product(const at::Tensor& y, Operation operation) const {
  const numerics::NumberFormat format = m_formats[operation];
  if (!numerics::isSimulated(format)) {
    return y;
  }
  numerics::Rounding rounding = roundingOf(operation);
  rounding.stream += kProductStreams;
  return quantizeStraightThrough(y, {.forward = {}, .backward = Quantization{format, rounding}});
}

}  // namespace ulp::engine
