#include "core/engine/network/attention.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/SDPBackend.h>

#include "core/engine/precision/attention_backends.h"
#include "core/engine/precision/pass_formats.h"

namespace ulp::engine {
namespace {

using numerics::Operation;
using Tensors = std::vector<at::Tensor>;

/// transformers hands grouped keys to the kernel only up to this head size.
constexpr std::int64_t kLargestGroupedHead = 256;

/// Where an implementation tells what it does, and what the plan lets it do.
struct AttentionSite {
  OperationRows rows;
  bool showsPairs;  ///< rows of scores and softmax: every query meets every key at once
  Probe* probe;
  std::string module;
  bool takesGroupedHeads;  ///< the kernel takes fewer heads of keys and values than of queries
  const std::vector<AttentionKernel>* order;  ///< of the plan
};

void showPairs(const AttentionSite& site,
               std::string_view operation,
               const at::Tensor& value,
               Layout layout = nullptr) {
  if (site.showsPairs) {
    site.rows.show(operation, value, Axes::Pairs, layout);
  }
}

const char* kernelName(at::SDPBackend kernel) {
  switch (kernel) {
    case at::SDPBackend::math:
      return "math";
    case at::SDPBackend::flash_attention:
      return "flash";
    case at::SDPBackend::efficient_attention:
      return "efficient";
    case at::SDPBackend::cudnn_attention:
      return "cudnn";
    default:
      TORCH_CHECK(false, "No available kernel for attention");
  }
}

struct FusedInputs {
  at::Tensor query;
  at::Tensor key;
  at::Tensor value;
  std::optional<at::Tensor> mask;
  bool isCausal = false;
  double scaling = 1;
  bool isGrouped = false;
};

at::SDPBackend chosenFor(const FusedInputs& in) {
  return static_cast<at::SDPBackend>(at::_fused_sdp_choice(
      in.query, in.key, in.value, in.mask, 0.0, in.isCausal, in.scaling, in.isGrouped));
}

/// Asks LibTorch first what it will choose, since it does not say afterwards.
at::Tensor fusedAttention(const FusedInputs& in, const AttentionSite& site) {
  std::optional<AttentionBackends> backends;
  at::SDPBackend choice = site.order->empty() ? chosenFor(in) : at::SDPBackend::error;
  for (const AttentionKernel kernel : *site.order) {
    backends.reset();
    // Where none is left that takes them, LibTorch throws; `math` takes everything.
    backends.emplace(std::vector{backendOf(kernel), at::SDPBackend::math});
    if (chosenFor(in) == backendOf(kernel)) {
      choice = backendOf(kernel);
      break;
    }
  }
  site.probe->attentionKernel(site.module, kernelName(choice));
  return at::scaled_dot_product_attention(
      in.query, in.key, in.value, in.mask, 0.0, in.isCausal, in.scaling, in.isGrouped);
}

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
      TORCH_CHECK(false, "attention scores cannot be of type ", at::toString(type));
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

/// The attention weights, as the product with the values reads them.
at::Tensor softened(const at::Tensor& scores, const PassFormats& formats) {
  const at::Tensor weights = at::softmax(scores, -1, formats.type(Operation::Softmax));
  return formats.to(formats.to(weights, Operation::Softmax), Operation::Compute);
}

at::Tensor eagerAttention(const AttentionInputs& inputs,
                          const PassFormats& formats,
                          const AttentionSite& site) {
  const std::int64_t groups = inputs.query.size(1) / inputs.key.size(1);
  const at::Tensor key = repeatKeyValue(inputs.key, groups);
  const at::Tensor value = repeatKeyValue(inputs.value, groups);
  const at::Tensor query = formats.to(inputs.query, Operation::AttentionScores);
  at::Tensor scores =
      at::matmul(query, formats.to(key, Operation::AttentionScores).transpose(2, 3)) *
      inputs.scaling;
  showPairs(site, "scores", scores);
  scores = scores + inputs.mask;
  const at::Tensor weights = softened(scores, formats);
  showPairs(site, "softmax", weights);
  return at::matmul(weights, formats.to(value, Operation::Compute)).transpose(1, 2).contiguous();
}

at::Tensor sdpaAttention(const AttentionInputs& inputs,
                         const PassFormats& formats,
                         const AttentionSite& site) {
  at::Tensor query = formats.to(inputs.query, Operation::Compute);
  at::Tensor key = formats.to(inputs.key, Operation::Compute);
  at::Tensor value = formats.to(inputs.value, Operation::Compute);
  const std::int64_t batch = query.size(0);
  const std::int64_t length = query.size(2);
  const std::int64_t headDim = query.size(3);
  const std::int64_t groups = query.size(1) / key.size(1);
  const bool masked = inputs.mask.defined();
  const bool grouped =
      groups > 1 && headDim <= kLargestGroupedHead && !masked && site.takesGroupedHeads;
  if (groups > 1 && !grouped) {
    if (length == 1) {
      query = query.reshape({batch, query.size(1) / groups, groups, headDim});
    } else {
      key = repeatKeyValue(key, groups);
      value = repeatKeyValue(value, groups);
    }
  }
  const std::optional<at::Tensor> mask = masked ? std::optional(inputs.mask) : std::nullopt;
  const at::Tensor attended = fusedAttention(
      {query, key, value, mask, length > 1 && !masked, inputs.scaling, grouped}, site);
  return attended.reshape({batch, -1, length, headDim}).transpose(1, 2).contiguous();
}

/// Fast-LLM's sdpa_dense: the heads of keys and values expanded where they lie.
at::Tensor denseAttention(const AttentionInputs& inputs,
                          const PassFormats& formats,
                          const AttentionSite& site) {
  const std::int64_t groups = inputs.query.size(1) / inputs.key.size(1);
  const auto expanded = [&](const at::Tensor& x) {
    const at::Tensor cast = formats.to(x, Operation::Compute).transpose(1, 2);
    return at::repeat_interleave(cast, groups, 2).transpose(1, 2);
  };
  return fusedAttention({.query = formats.to(inputs.query, Operation::Compute),
                         .key = expanded(inputs.key),
                         .value = expanded(inputs.value),
                         .mask = inputs.mask,
                         .scaling = inputs.scaling},
                        site)
      .transpose(1, 2);
}

/// From backup attention's [batch, keyHeads, length, groups, keys] to [batch, heads, length, keys].
at::Tensor byHead(const at::Tensor& grouped) {
  return grouped.transpose(2, 3).flatten(1, 2);
}

/// Fast-LLM's backup: the queries of a group one below the other, so that each key is multiplied
/// with all of them at once.
at::Tensor backupAttention(const AttentionInputs& inputs,
                           const PassFormats& formats,
                           const AttentionSite& site) {
  const std::int64_t batch = inputs.query.size(0);
  const std::int64_t length = inputs.query.size(2);
  const std::int64_t headDim = inputs.query.size(3);
  const std::int64_t keyHeads = inputs.key.size(1);
  const std::int64_t groups = inputs.query.size(1) / keyHeads;
  const std::int64_t stacked = length * groups;
  const at::Tensor query = formats.to(inputs.query, Operation::AttentionScores)
                               .reshape({batch, keyHeads, groups, length, headDim})
                               .transpose(2, 3)
                               .reshape({batch * keyHeads, stacked, headDim});
  const at::Tensor key = formats.to(inputs.key, Operation::AttentionScores)
                             .reshape({batch * keyHeads, length, headDim})
                             .transpose(1, 2);
  const at::Tensor unused = at::empty({batch * keyHeads, stacked, length}, query.options());
  const at::Tensor scores = at::baddbmm(unused, query, key, 0, inputs.scaling)
                                .view({batch, keyHeads, length, groups, length});
  showPairs(site, "scores", scores, byHead);
  const at::Tensor lowest = at::full({},
                                     lowestFinite(formats.type(Operation::Compute)),
                                     scores.options().dtype(formats.type(Operation::Compute)));
  const at::Tensor masked = at::where(
      inputs.mask.transpose(1, 2).unsqueeze(1), formats.to(scores, Operation::Softmax), lowest);
  const at::Tensor weights = softened(masked, formats);
  showPairs(site, "softmax", weights, byHead);
  const at::Tensor value =
      formats.to(inputs.value, Operation::Compute).reshape({batch * keyHeads, length, headDim});
  return at::bmm(weights.view({batch * keyHeads, stacked, length}), value)
      .view({batch, keyHeads, length, groups, headDim})
      .permute({0, 2, 1, 3, 4});
}

using Implementation = at::Tensor (*)(const AttentionInputs&,
                                      const PassFormats&,
                                      const AttentionSite&);

Implementation implementationOf(const Numerics& numerics) {
  const bool isEager = numerics.plan().attention == AttentionImplementation::Eager;
  if (numerics.isFastLlm()) {
    return isEager ? backupAttention : denseAttention;
  }
  return isEager ? eagerAttention : sdpaAttention;
}

}  // namespace

at::Tensor causalMask(const Numerics& numerics,
                      std::int64_t batch,
                      std::int64_t length,
                      const PackedLayout& layout) {
  const bool isEager = numerics.plan().attention == AttentionImplementation::Eager;
  const at::Tensor& documents = layout.documents;
  // A single query sees all keys; of positions that begin a sequence the kernel knows.
  const bool isPlain = (layout.begin == 0 || length == 1) && !layout.attended.defined();
  if (!isEager && !numerics.isFastLlm() && !documents.defined() && isPlain) {
    return {};
  }
  const auto options = at::TensorOptions().device(numerics.device());
  const std::int64_t keys = layout.begin + length;
  const at::Tensor positions = at::arange(keys, options.dtype(at::kLong));
  at::Tensor visible =
      positions.unsqueeze(0) <= positions.slice(0, layout.begin, keys).unsqueeze(1);
  if (documents.defined()) {
    visible = visible & (documents.unsqueeze(0) == documents.unsqueeze(1));
  }
  if (numerics.isFastLlm()) {
    return visible.unsqueeze(0).unsqueeze(0);
  }
  if (layout.attended.defined()) {
    visible = visible.unsqueeze(0).unsqueeze(0) & layout.attended.unsqueeze(1).unsqueeze(1);
  }
  if (!isEager) {
    return visible.expand({batch, 1, length, keys});
  }
  const at::ScalarType type = numerics.base().forward.type(Operation::Residual);
  const at::Tensor zero = at::zeros({}, options.dtype(type));
  return at::where(visible.expand({batch, 1, length, keys}), zero, at::Scalar(lowestFinite(type)));
}

at::Tensor attend(const ForwardPass& pass, const LayerPlace& place, const AttentionInputs& inputs) {
  const std::int64_t batch = inputs.query.size(0);
  const std::int64_t length = inputs.query.size(2);
  const Implementation implementation = implementationOf(pass.numerics);
  at::Tensor key = inputs.key;
  at::Tensor value = inputs.value;
  if (pass.cache != nullptr) {
    std::tie(key, value) = pass.cache->append(place.path, key, value);
  }
  const AttentionSite site{
      .rows = OperationRows(pass.probe, place),
      .showsPairs = pass.cache == nullptr,
      .probe = &pass.probe,
      .module = place.path,
      .takesGroupedHeads = pass.numerics.plan().attention != AttentionImplementation::SdpaEfficient,
      .order = &pass.numerics.plan().attentionOrder};
  const at::Tensor attended =
      inFormats(pass.numerics.at(place.path),
                {inputs.query, key, value},
                [implementation, mask = inputs.mask, scaling = inputs.scaling, site](
                    const Tensors& in, const PassFormats& formats) {
                  return implementation({in[0], in[1], in[2], mask, scaling}, formats, site);
                });
  at::Tensor output = attended.reshape({batch, length, -1}).contiguous();
  site.rows.show("attn_output", output);
  return output;
}

}  // namespace ulp::engine
