#include "core/engine/torch_model/layers.h"

#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace ulp::engine {
namespace {

/// transformers hands grouped keys to the kernel only up to this head size.
constexpr std::int64_t kLargestGroupedHead = 256;

double lowestFinite(at::ScalarType type) {
  switch (type) {
    case at::kDouble:
      return std::numeric_limits<double>::lowest();
    case at::kFloat:
      return std::numeric_limits<float>::lowest();
    case at::kHalf:
      return std::numeric_limits<at::Half>::lowest();
    case at::kBFloat16:
      return std::numeric_limits<at::BFloat16>::lowest();
    default:
      TORCH_CHECK(false, "the residual stream cannot be of type ", at::toString(type));
  }
}

at::Tensor repeatKeyValue(const at::Tensor& x, std::int64_t groups) {
  if (groups == 1) {
    return x;
  }
  const std::int64_t batch = x.size(0);
  const std::int64_t heads = x.size(1);
  const std::int64_t length = x.size(2);
  const std::int64_t headDim = x.size(3);
  return x.unsqueeze(2)
      .expand({batch, heads, groups, length, headDim})
      .reshape({batch, heads * groups, length, headDim});
}

at::Tensor eagerAttention(const Numerics& numerics, const AttentionInputs& inputs) {
  const std::int64_t groups = inputs.query.size(1) / inputs.key.size(1);
  const at::Tensor key = repeatKeyValue(inputs.key, groups);
  const at::Tensor value = repeatKeyValue(inputs.value, groups);
  at::Tensor scores = at::matmul(inputs.query, key.transpose(2, 3)) * inputs.scaling;
  scores = scores + inputs.mask;
  const at::Tensor weights =
      at::softmax(scores, -1, numerics.attentionMath()).to(inputs.query.scalar_type());
  return at::matmul(weights, value).transpose(1, 2).contiguous();
}

at::Tensor sdpaAttention(const AttentionInputs& inputs) {
  at::Tensor query = inputs.query;
  at::Tensor key = inputs.key;
  at::Tensor value = inputs.value;
  const std::int64_t batch = query.size(0);
  const std::int64_t length = query.size(2);
  const std::int64_t headDim = query.size(3);
  const std::int64_t groups = query.size(1) / key.size(1);
  const bool grouped = groups > 1 && headDim <= kLargestGroupedHead;
  if (groups > 1 && !grouped) {
    if (length == 1) {
      query = query.reshape({batch, query.size(1) / groups, groups, headDim});
    } else {
      key = repeatKeyValue(key, groups);
      value = repeatKeyValue(value, groups);
    }
  }
  const at::Tensor attended = at::scaled_dot_product_attention(
      query, key, value, std::nullopt, 0.0, length > 1, inputs.scaling, grouped);
  return attended.reshape({batch, -1, length, headDim}).transpose(1, 2).contiguous();
}

}  // namespace

at::Tensor linear(const ForwardPass& pass, const Row& row, const at::Tensor& x) {
  const at::Tensor input = pass.probe.ownGradient(row, x, 1).front();
  at::Tensor y = at::linear(input,
                            pass.parameters.at(row.module + ".weight"),
                            pass.parameters.optional(row.module + ".bias"));
  pass.probe.output(row, y);
  return y;
}

at::Tensor rmsNorm(const ForwardPass& pass, const Row& row, const at::Tensor& x, double epsilon) {
  const at::ScalarType math = pass.numerics.normMath();
  // Where no cast stands between, the square and the product read the residual stream directly.
  const bool cast = x.scalar_type() != math;
  std::vector<at::Tensor> inputs = pass.probe.ownGradient(row, x, cast ? 1 : 2);
  if (cast) {
    inputs.front() = inputs.front().to(math);
    inputs.push_back(inputs.front());
  }
  const at::Tensor variance = inputs[0].pow(2).mean(-1, true);
  const at::Tensor normalised = inputs[1] * at::rsqrt(variance + epsilon);
  at::Tensor y = pass.parameters.at(row.module + ".weight") * normalised.to(pass.numerics.compute);
  pass.probe.output(row, y);
  return y;
}

std::optional<Activation> parseActivation(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Activation>, 5> kNames{{
      {"silu", Activation::Silu},
      {"swish", Activation::Silu},
      {"gelu", Activation::Gelu},
      {"gelu_pytorch_tanh", Activation::GeluTanh},
      {"relu", Activation::Relu},
  }};
  for (const auto& [known, activation] : kNames) {
    if (known == name) {
      return activation;
    }
  }
  return std::nullopt;
}

at::Tensor activate(const ForwardPass& pass,
                    const Row& row,
                    const at::Tensor& x,
                    Activation activation) {
  pass.probe.totalGradient(row, x);
  at::Tensor y;
  switch (activation) {
    case Activation::Silu:
      y = at::silu(x);
      break;
    case Activation::Gelu:
      y = at::gelu(x, "none");
      break;
    case Activation::GeluTanh:
      y = at::gelu(x, "tanh");
      break;
    case Activation::Relu:
      y = at::relu(x);
      break;
  }
  pass.probe.output(row, y);
  return y;
}

at::Tensor causalMask(const Numerics& numerics, std::int64_t batch, std::int64_t length) {
  if (numerics.attention == AttentionImplementation::Sdpa) {
    return {};
  }
  const auto options = at::TensorOptions().device(numerics.device);
  const at::Tensor positions = at::arange(length, options.dtype(at::kLong));
  const at::Tensor visible = positions.unsqueeze(0) <= positions.unsqueeze(1);
  const at::Tensor zero = at::zeros({}, options.dtype(numerics.residual));
  return at::where(visible.expand({batch, 1, length, length}),
                   zero,
                   at::Scalar(lowestFinite(numerics.residual)));
}

at::Tensor attend(const Numerics& numerics, const AttentionInputs& inputs) {
  const std::int64_t batch = inputs.query.size(0);
  const std::int64_t length = inputs.query.size(2);
  const at::Tensor attended = numerics.attention == AttentionImplementation::Eager
                                  ? eagerAttention(numerics, inputs)
                                  : sdpaAttention(inputs);
  return attended.reshape({batch, length, -1}).contiguous();
}

at::Tensor languageModelHead(const ForwardPass& pass,
                             const Row& row,
                             const at::Tensor& x,
                             const at::Tensor& weight) {
  const at::Tensor input = pass.probe.ownGradient(row, x, 1).front();
  return at::linear(input.to(pass.numerics.head), weight.to(pass.numerics.head));
}

at::Tensor toResidual(const Numerics& numerics, const at::Tensor& x) {
  return x.to(numerics.residual);
}

}  // namespace ulp::engine
