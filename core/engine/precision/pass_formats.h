#pragma once

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/numerics/rounding/operation_formats.h"
#include "core/numerics/rounding/quantize.h"

namespace ulp::engine {

/// The element type that holds numbers of a format.
[[nodiscard]] at::ScalarType carrierType(numerics::NumberFormat format);

/// `x` in the format, under autograd; stochastic rounding is that of casts to a narrower type.
[[nodiscard]] at::Tensor castTo(const at::Tensor& x,
                                numerics::NumberFormat format,
                                const numerics::Rounding& rounding);

/// The formats that one pass uses at one module, and how it casts to them.
class PassFormats {
 public:
  using Operation = numerics::Operation;

  PassFormats() = default;
  /// `rounding` is that of casts; its stream is the module's.
  PassFormats(const numerics::OperationFormats& formats, const numerics::Rounding& rounding)
      : m_formats(formats), m_rounding(rounding) {}

  [[nodiscard]] numerics::NumberFormat operator[](Operation operation) const {
    return m_formats[operation];
  }
  [[nodiscard]] const numerics::Rounding& rounding() const { return m_rounding; }
  /// Gives the format of the tensors that an operation reads.
  [[nodiscard]] at::ScalarType type(Operation operation) const;
  /// `x` as the operation reads it, or as its result is kept; `x` itself where it has that type
  /// already and the format is not simulated. Simulated formats pass the gradient as it is. Blocks
  /// run along the last dimension.
  [[nodiscard]] at::Tensor to(const at::Tensor& x, Operation operation) const;
  /// A parameter, which holds numbers of the format of Weights, as the operation reads it. Stays
  /// undefined.
  [[nodiscard]] at::Tensor weight(const at::Tensor& parameter, Operation operation) const;
  /// The result of a product of the operation: its gradient is an operand of the products of the
  /// backward pass, and rounded where the format is simulated.
  [[nodiscard]] at::Tensor product(const at::Tensor& y, Operation operation) const;

  /// The formats are; rounding belongs to a run.
  friend bool operator==(const PassFormats& a, const PassFormats& b) {
    return a.m_formats == b.m_formats;
  }

 private:
  [[nodiscard]] numerics::Rounding roundingOf(Operation operation) const;

  numerics::OperationFormats m_formats;
  numerics::Rounding m_rounding;
};

/// The formats of a module, which rules may make differ between the passes.
struct SiteFormats {
  PassFormats forward;
  PassFormats backward;
  /// The backward pass is not simply the derivative of what the forward pass computed.
  bool isSplit = false;

  /// The type in which an operation reads a parameter, wide enough for both passes.
  [[nodiscard]] at::ScalarType parameterType() const;
};

/// An operation of a module: what it makes of its inputs in given formats. Undefined inputs stay
/// undefined.
using ModuleOperation =
    std::function<at::Tensor(const std::vector<at::Tensor>&, const PassFormats&)>;

/// The operation in the formats of a site. Where those of the passes differ, the result is that of
/// the forward formats, and its derivative that of the operation in the backward formats, computed
/// anew from the same inputs.
[[nodiscard]] at::Tensor inFormats(const SiteFormats& site,
                                   const std::vector<at::Tensor>& inputs,
                                   const ModuleOperation& operation);

}  // namespace ulp::engine
