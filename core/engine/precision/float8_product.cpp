#include "core/engine/precision/float8_product.h"

#include <cstdint>
#include <limits>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Lengths that kernels of float8 take are multiples of it.
constexpr std::int64_t kAlignment = 16;

constexpr const char* kPlan = "plan";

/// What the backward pass needs to know, kept by the context as one opaque object.
struct KeptPlan : torch::CustomClassHolder {
  explicit KeptPlan(const Float8Products& products) : how(products) {}
  Float8Products how;
};

/// One side of a product: rows that are multiplied with those of the other side.
struct Operand {
  at::Tensor values;   ///< float8 [rows, length]
  at::Tensor inverse;  ///< float32 [1, 1] or [rows, 1]: what the values are multiplied by
};

at::Tensor roundedDownToPowerOfTwo(const at::Tensor& scale) {
  constexpr std::int32_t kSignAndExponent = std::numeric_limits<std::int32_t>::min() >> 8;
  return at::bitwise_and(scale.view(at::kInt), kSignAndExponent).view(at::kFloat);
}

/// The scale is a quotient in float64 that is kept in float32, as in torchao.
Operand operandOf(const at::Tensor& matrix, NumberFormat format, const Float8Products& how) {
  constexpr double kLeast = 1e-12;
  const at::ScalarType type =
      format == NumberFormat::Float8E4M3FN ? at::kFloat8_e4m3fn : at::kFloat8_e5m2;
  const double limit = numerics::describe(format).maxFinite;
  const at::Tensor magnitude = matrix.abs();
  const at::Tensor largest = how.scaling == Float8Scaling::Row ? magnitude.amax({1}, true)
                                                               : magnitude.amax().reshape({1, 1});
  at::Tensor scale =
      (at::full_like(largest, limit, at::kDouble) / largest.to(at::kDouble).clamp_min(kLeast))
          .to(at::kFloat);
  if (how.powerOfTwoScales) {
    scale = roundedDownToPowerOfTwo(scale);
  }
  return {(matrix.to(at::kFloat) * scale).clamp(-limit, limit).to(type), scale.reciprocal()};
}

/// float8 has no operation that pads.
at::Tensor padded(const at::Tensor& values, std::int64_t rows, std::int64_t length) {
  if (values.size(0) == rows && values.size(1) == length) {
    return values.contiguous();
  }
  at::Tensor zeros = at::zeros({rows, length}, values.options().dtype(at::kByte));
  zeros.narrow(0, 0, values.size(0))
      .narrow(1, 0, values.size(1))
      .copy_(values.contiguous().view(at::kByte));
  return zeros.view(values.scalar_type());
}

std::int64_t aligned(std::int64_t length) {
  return (length + kAlignment - 1) / kAlignment * kAlignment;
}

/// torch._scaled_mm of a · bᵀ with these scales.
at::Tensor scaledMm(const Operand& a, const Operand& b, at::ScalarType type, bool isFast) {
  const std::int64_t columns = b.values.size(0);
  const std::int64_t length = aligned(a.values.size(1));
  const at::Tensor left = padded(a.values, a.values.size(0), length);
  const at::Tensor right = padded(b.values, aligned(columns), length);
  const at::Tensor rightScale =
      b.inverse.numel() == 1
          ? b.inverse
          : at::constant_pad_nd(b.inverse.t(), {0, right.size(0) - columns}, 1).contiguous();
  return at::_scaled_mm(
             left, right.t(), a.inverse, rightScale, std::nullopt, std::nullopt, type, isFast)
      .narrow(1, 0, columns);
}

at::Tensor scaled(const at::Tensor& sums, const Operand& a, const Operand& b) {
  return sums * (a.inverse * b.inverse.t());
}

/// a · bᵀ. `isFast`: sums may be kept in less than float32.
at::Tensor product(const Operand& a,
                   const Operand& b,
                   at::ScalarType type,
                   const Float8Products& how,
                   bool isFast) {
  if (how.kernel == Float8Kernel::Simulated) {
    const at::Tensor sums = at::mm(a.values.to(at::kFloat), b.values.to(at::kFloat).t());
    return scaled(sums, a, b).to(type);
  }
  if (how.scaling == Float8Scaling::Tensor || isFast) {
    return scaledMm(a, b, type, isFast);
  }
  // The kernel for scales of rows is slow without fast accumulation; torchao multiplies so, too.
  const at::Tensor one = at::ones({1, 1}, a.inverse.options());
  return scaled(scaledMm({a.values, one}, {b.values, one}, at::kFloat, false), a, b).to(type);
}

struct Float8Linear : torch::autograd::Function<Float8Linear> {
  static at::Tensor forward(AutogradContext* context,
                            const at::Tensor& x,
                            const at::Tensor& weight,
                            const Float8Products* how) {
    context->save_for_backward({x, weight});
    context->saved_data[kPlan] = c10::IValue::make_capsule(c10::make_intrusive<KeptPlan>(*how));
    return product(operandOf(x, NumberFormat::Float8E4M3FN, *how),
                   operandOf(weight, NumberFormat::Float8E4M3FN, *how),
                   x.scalar_type(),
                   *how,
                   how->fastAccumulation);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto kept = context->saved_data[kPlan].toCapsule();
    const Float8Products& how = static_cast<const KeptPlan&>(*kept).how;
    const variable_list saved = context->get_saved_variables();
    const auto gradientOf = [&](const at::Tensor& rows, const at::Tensor& columns, std::size_t of) {
      if (!context->needs_input_grad(of)) {
        return at::Tensor();
      }
      return product(operandOf(rows, how.gradient, how),
                     operandOf(columns.t(), NumberFormat::Float8E4M3FN, how),
                     saved[of].scalar_type(),
                     how,
                     false);
    };
    const at::Tensor& gradient = gradients.front();
    return {gradientOf(gradient, saved[1], 0), gradientOf(gradient.t(), saved[0], 1), {}};
  }
};

}  // namespace

at::Tensor float8Linear(const at::Tensor& x, const at::Tensor& weight, const Float8Products& how) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return Float8Linear::apply(x.reshape({-1, x.size(-1)}), weight, &how).view(shape);
}

}  // namespace ulp::engine
