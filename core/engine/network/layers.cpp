#include "core/engine/network/layers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "core/engine/precision/float8_product.h"
#include "core/engine/precision/pass_formats.h"

namespace ulp::engine {
namespace {

using numerics::Operation;
using Tensors = std::vector<at::Tensor>;

/// Inputs: x, weight, bias (undefined: none). kIsTransposed: the weight is
/// [in, out].
template <bool kIsTransposed>
at::Tensor linearProduct(const Tensors& in, const PassFormats& formats) {
  const at::Tensor weight = formats.weight(in[1], Operation::Compute);
  return formats.product(at::linear(formats.to(in[0], Operation::Compute),
                                    kIsTransposed ? weight.t() : weight,
                                    formats.weight(in[2], Operation::Compute)),
                         Operation::Compute);
}

/// Inputs as above.
ModuleOperation float8LinearProduct(const Float8Products& how) {
  return [how](const Tensors& in, const PassFormats& formats) {
    const at::Tensor product = float8Linear(
        formats.to(in[0], Operation::Compute), formats.weight(in[1], Operation::Compute), how);
    return in[2].defined() ? product + formats.weight(in[2], Operation::Compute) : product;
  };
}

/// One product for two modules of the same formats and widths; their results.
std::pair<at::Tensor, at::Tensor> joinedLinear(const ForwardPass& pass,
                                               const std::pair<Row, Row>& rows,
                                               const at::Tensor& x) {
  const SiteFormats& site = pass.numerics.at(rows.first.module);
  const at::Tensor weight = pass.parameters.useJoined(
      {rows.first.module + ".weight", rows.second.module + ".weight"}, site);
  const at::Tensor bias =
      pass.parameters.useJoined({rows.first.module + ".bias", rows.second.module + ".bias"}, site);
  const Tensors both = inFormats(site, {x, weight, bias}, linearProduct<false>).chunk(2, -1);
  return {both[0], both[1]};
}

/// What a module of a joined product sends to its input.
std::function<at::Tensor(const at::Tensor&)> ownShare(const ForwardPass& pass, const Row& row) {
  const SiteFormats& site = pass.numerics.at(row.module);
  const at::Tensor weight = pass.parameters.peek(row.module + ".weight", site);
  return [formats = site.backward, weight](const at::Tensor& gradient) {
    return at::matmul(formats.to(gradient, Operation::Compute),
                      formats.weight(weight, Operation::Compute));
  };
}

bool areJoined(const ForwardPass& pass, const Row& a, const Row& b) {
  const SiteFormats& first = pass.numerics.at(a.module);
  const SiteFormats& second = pass.numerics.at(b.module);
  return pass.numerics.isFastLlm() && first.forward == second.forward &&
         first.backward == second.backward;
}

at::Tensor activated(const at::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::Silu:
      return at::silu(x);
    case Activation::Gelu:
      return at::gelu(x, "none");
    case Activation::GeluTanh:
      return at::gelu(x, "tanh");
    case Activation::Relu:
      return at::relu(x);
  }
  TORCH_CHECK(false, "unknown activation");
}

at::Tensor activate(const ForwardPass& pass,
                    const Row& row,
                    const at::Tensor& x,
                    Activation activation) {
  pass.probe.totalGradient(row, x);
  at::Tensor y = inFormats(pass.numerics.at(row.module),
                           {x},
                           [activation](const Tensors& in, const PassFormats& formats) {
                             return activated(formats.to(in[0], Operation::Activation), activation);
                           });
  pass.probe.output(row, y);
  return y;
}

at::Tensor gatedProduct(const Tensors& in, const PassFormats& formats) {
  return formats.to(in[0], Operation::Activation) * formats.to(in[1], Operation::Activation);
}

/// Inputs: x for the square, x for the product (the same, or left out), weight.
at::Tensor normRoundedTwice(const Tensors& in,
                            const PassFormats& formats,
                            double epsilon,
                            const OperationRows& rows) {
  const at::Tensor squared = formats.to(in.front(), Operation::NormStatistics);
  const at::Tensor scaled = in.size() == 3 ? in[1] : squared;
  const at::Tensor variance = squared.pow(2).mean(-1, true);
  rows.show("variance", variance);
  const at::Tensor normalised = scaled * at::rsqrt(variance + epsilon);
  const at::Tensor rounded = formats.to(normalised, Operation::NormOutput);
  rows.show("normalized", rounded);
  return formats.to(formats.weight(in.back(), Operation::NormOutput) * rounded,
                    Operation::NormOutput);
}

/// Inputs: x, weight. The views make autograd add what the norm sends to x before the residual's
/// part, as in Fast-LLM.
at::Tensor normRoundedOnce(const Tensors& in, const PassFormats& formats, double epsilon) {
  const std::int64_t width = in.front().size(-1);
  const at::Tensor x = formats.to(formats.to(in.front().view({-1, width}), Operation::Compute),
                                  Operation::NormStatistics);
  const at::Tensor weight = formats.weight(in.back(), Operation::NormStatistics);
  return formats.to(at::rms_norm(x, {width}, weight, epsilon), Operation::NormOutput)
      .view_as(in.front());
}

at::Tensor multipliedUp(const ForwardPass& pass,
                        const LayerPlace& place,
                        const at::Tensor& x,
                        Activation activation) {
  const Row gateRow = place.row(".gate_proj");
  const Row upRow = place.row(".up_proj");
  at::Tensor active;
  at::Tensor up;
  if (areJoined(pass, gateRow, upRow)) {
    at::Tensor gate;
    std::tie(gate, up) = joinedLinear(pass, {gateRow, upRow}, x);
    pass.probe.derivedGradient(upRow, up, ownShare(pass, upRow));
    pass.probe.output(gateRow, gate);
    active = activate(pass, place.row(".act_fn"), gate, activation);
    pass.probe.derivedGradient(gateRow, gate, ownShare(pass, gateRow));
    pass.probe.output(upRow, up);
  } else {
    active = activate(pass, place.row(".act_fn"), linear(pass, gateRow, x), activation);
    up = linear(pass, upRow, x);
  }
  at::Tensor product = inFormats(pass.numerics.at(place.path), {active, up}, gatedProduct);
  OperationRows(pass.probe, place).show("product", product);
  return product;
}

}  // namespace

at::Tensor embed(const ForwardPass& pass,
                 const Row& row,
                 const at::Tensor& ids,
                 std::int64_t paddingToken) {
  const SiteFormats& site = pass.numerics.at(row.module);
  const std::int64_t padding = pass.numerics.isFastLlm() ? -1 : paddingToken;
  at::Tensor x = inFormats(
      site,
      {pass.parameters.use(row.module + ".weight", site)},
      [ids, padding, present = pass.layout.present](const Tensors& in, const PassFormats& formats) {
        at::Tensor embedded =
            at::embedding(formats.weight(in[0], Operation::Compute), ids, padding);
        if (present.defined()) {
          embedded = embedded * present.unsqueeze(-1);
        }
        return formats.to(embedded, Operation::Residual);
      });
  if (!x.requires_grad()) {
    x.requires_grad_(true);
  }
  pass.probe.output(row, x);
  return x;
}

at::Tensor linear(const ForwardPass& pass, const Row& row, const at::Tensor& x, bool isTransposed) {
  const SiteFormats& site = pass.numerics.at(row.module);
  const at::Tensor weight = pass.parameters.use(row.module + ".weight", site, isTransposed);
  const at::Tensor input = pass.probe.ownGradient(row, x, 1).front();
  const Float8Products* const float8 = pass.numerics.float8At(row.module);
  at::Tensor y = inFormats(site,
                           {input, weight, pass.parameters.useIfAny(row.module + ".bias", site)},
                           float8         ? float8LinearProduct(*float8)
                           : isTransposed ? ModuleOperation(linearProduct<true>)
                                          : linearProduct<false>);
  pass.probe.output(row, y);
  return y;
}

at::Tensor rmsNorm(const ForwardPass& pass, const Row& row, const at::Tensor& x, double epsilon) {
  const SiteFormats& site = pass.numerics.at(row.module);
  const bool isFused = pass.numerics.plan().norm == Kernel::Fused;
  // Where no cast stands between, the square and the product read the residual stream directly.
  const bool readsTwice = !isFused && !site.isSplit &&
                          !numerics::isSimulated(site.forward[Operation::NormStatistics]) &&
                          x.scalar_type() == site.forward.type(Operation::NormStatistics);
  Tensors inputs = pass.probe.ownGradient(row, x, readsTwice ? 2 : 1);
  inputs.push_back(pass.parameters.use(row.module + ".weight", site));
  const OperationRows rows(pass.probe, row.module, row.layer);
  at::Tensor y = inFormats(
      site, inputs, [isFused, epsilon, rows](const Tensors& in, const PassFormats& formats) {
        return isFused ? normRoundedOnce(in, formats, epsilon)
                       : normRoundedTwice(in, formats, epsilon, rows);
      });
  pass.probe.output(row, y);
  return y;
}

QueryKeyValue projectAttention(const ForwardPass& pass,
                               const LayerPlace& place,
                               const at::Tensor& x,
                               std::int64_t headDim) {
  const auto heads = [&](const at::Tensor& projected) {
    return projected.view({x.size(0), x.size(1), -1, headDim}).transpose(1, 2);
  };
  const Row keyRow = place.row(".k_proj");
  const Row valueRow = place.row(".v_proj");
  const at::Tensor query = heads(linear(pass, place.row(".q_proj"), x));
  if (!areJoined(pass, keyRow, valueRow)) {
    const at::Tensor key = heads(linear(pass, keyRow, x));
    return {query, key, heads(linear(pass, valueRow, x))};
  }
  const auto [key, value] = joinedLinear(pass, {keyRow, valueRow}, x);
  pass.probe.derivedGradient(valueRow, value, ownShare(pass, valueRow));
  pass.probe.derivedGradient(keyRow, key, ownShare(pass, keyRow));
  pass.probe.output(keyRow, key);
  pass.probe.output(valueRow, value);
  return {query, heads(key), heads(value)};
}

std::optional<Activation> parseActivation(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Activation>, 5> kNames{{
      {"silu", Activation::Silu},
      {"swish", Activation::Silu},
      {"gelu", Activation::Gelu},
      {"gelu_pytorch_tanh", Activation::GeluTanh},
      {"relu", Activation::Relu},
  }};
  const auto* const found =
      std::ranges::find(kNames, name, &std::pair<std::string_view, Activation>::first);
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

at::Tensor gatedMlp(const ForwardPass& pass,
                    const LayerPlace& place,
                    const at::Tensor& x,
                    Activation activation) {
  const Row row = place.row("");
  pass.probe.totalGradient(row, x);
  const at::Tensor hidden = multipliedUp(pass, place, x, activation);
  at::Tensor y = linear(pass, place.row(".down_proj"), hidden, pass.numerics.isFastLlm());
  pass.probe.output(row, y);
  return y;
}

at::Tensor addToResidual(const ForwardPass& pass,
                         const std::string& module,
                         const at::Tensor& x,
                         const at::Tensor& branch) {
  return inFormats(
      pass.numerics.at(module), {x, branch}, [](const Tensors& in, const PassFormats& formats) {
        const at::Tensor added = formats.to(in[1], Operation::Residual);
        return formats.to(formats.to(in[0], Operation::Residual) + added, Operation::Residual);
      });
}

at::Tensor languageModelHead(const ForwardPass& pass,
                             const Row& row,
                             const at::Tensor& x,
                             const std::string& weight) {
  const SiteFormats& site = pass.numerics.at(row.module);
  const at::Tensor input = pass.probe.ownGradient(row, x, 1).front();
  return inFormats(
      site,
      // Of tied weights the embedding's device may be another.
      {input, pass.parameters.use(weight, site).to(x.device())},
      [](const Tensors& in, const PassFormats& formats) {
        const at::Tensor product = at::linear(formats.to(in[0], Operation::LmHead),
                                              formats.weight(in[1], Operation::LmHead));
        return formats.to(formats.product(product, Operation::LmHead), Operation::Logits);
      });
}

}  // namespace ulp::engine
