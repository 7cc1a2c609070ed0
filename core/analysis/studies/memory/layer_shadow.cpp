#include "core/analysis/studies/memory/layer_shadow.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace ulp::analysis {
namespace {

/// Lets go of what a node of autograd had saved, once it has run for the last time.
template <class... Tensors>
void release(const RunShadow& run, Tensors&... saved) {
  if (!run.isTrial()) {
    (saved.reset(), ...);
  }
}

}  // namespace

AttentionWay attentionWay(const ModelOutline& model, const RunFormats& formats) {
  const bool isGrouped = model.heads != model.keyValueHeads;
  switch (formats.attention) {
    case AttentionKind::Eager:
      return AttentionWay::Eager;
    case AttentionKind::Plain:
      return AttentionWay::Plain;
    case AttentionKind::Fused:
      return AttentionWay::Grouped;
    case AttentionKind::Efficient:
      return formats.compute == 8 ? AttentionWay::Plain : AttentionWay::Repeated;
    case AttentionKind::Chosen:
      // LibTorch's choice: no fused kernel takes float64, nor float32 with grouped heads.
      if (formats.compute == 8 || (formats.compute == 4 && isGrouped)) {
        return AttentionWay::Plain;
      }
      return formats.compute == 4 || formats.hasMask ? AttentionWay::Repeated
                                                     : AttentionWay::Grouped;
  }
  return AttentionWay::Eager;
}

LayerShadow::LayerShadow(RunShadow& run, int layer)
    : m_run(run),
      m_layer(layer),
      m_hidden(unsignedOf(run.model().hidden)),
      m_inner(unsignedOf(run.model().intermediate)),
      m_query(unsignedOf(run.model().heads * run.model().headSize)),
      m_keyValue(unsignedOf(run.model().keyValueHeads * run.model().headSize)),
      m_compute(run.formats().compute),
      m_pairs(run.tokens() * unsignedOf(run.step().length) * unsignedOf(run.model().heads)),
      m_way(attentionWay(run.model(), run.formats())) {}

std::string LayerShadow::path(std::string_view name) const {
  return fmt::format("model.layers.{}.{}", m_layer, name);
}

MemoryTensor LayerShadow::norm(RunShadow& run,
                               const std::string& path,
                               const MemoryTensor& x,
                               NormSaved& saved) {
  const RunFormats& formats = run.formats();
  const std::uint64_t width = unsignedOf(run.model().hidden);
  const MemoryTensor wide = run.cast(x, width, formats.residual, formats.norm);
  MemoryTensor squares = run.rows(width, formats.norm);
  const MemoryTensor variance = run.rows(1, formats.norm);
  squares.reset();
  run.show(Pass::Forward, path + ".variance", variance);
  const MemoryTensor root = run.rows(1, formats.norm);
  MemoryTensor normalised = run.rows(width, formats.norm);
  MemoryTensor rounded = run.cast(normalised, width, formats.norm, formats.normOutput);
  normalised.reset();
  run.show(Pass::Forward, path + ".normalized", rounded);
  MemoryTensor y = run.rows(width, formats.normOutput);
  if (run.step().backward) {
    saved.wide = wide;
    saved.root = root;
    saved.rounded = run.wantsGradient(path + ".weight") ? rounded : MemoryTensor();
  }
  return y;
}

MemoryTensor LayerShadow::normBackward(RunShadow& run,
                                       const std::string& path,
                                       MemoryTensor gradient,
                                       NormSaved& saved) {
  const RunFormats& formats = run.formats();
  const std::uint64_t width = unsignedOf(run.model().hidden);
  if (run.wantsGradient(path + ".weight")) {
    static_cast<void>(run.rows(width, formats.normOutput));
    run.addGradient(path + ".weight", width);
  }
  MemoryTensor inner = run.rows(width, formats.normOutput);
  gradient.reset();
  release(run, saved.rounded);
  run.show(Pass::Backward, path + ".normalized", inner);
  inner = run.cast(inner, width, formats.normOutput, formats.norm);
  const MemoryTensor scaled = run.rows(width, formats.norm);
  static_cast<void>(run.rows(width, formats.norm));
  inner.reset();
  release(run, saved.root);
  {
    // The mean's gradient, then that of the square: its base, twice that, the product.
    const MemoryTensor mean = run.rows(width, formats.norm);
    const MemoryTensor base = run.rows(width, formats.norm);
    const MemoryTensor twice = run.rows(width, formats.norm);
    static_cast<void>(run.rows(width, formats.norm));
  }
  release(run, saved.wide);
  return run.cast(scaled, width, formats.norm, formats.residual);
}

MemoryTensor LayerShadow::linear(std::string_view name,
                                 const MemoryTensor& x,
                                 Sizes inOut,
                                 std::uint64_t itemBytes,
                                 MemoryTensor& kept) {
  const MemoryTensor read = m_run.cast(x, inOut.first, itemBytes, m_compute);
  MemoryTensor y = m_run.rows(inOut.second, m_compute);
  if (m_run.wantsGradient(path(name) + ".weight")) {
    kept = read;
  }
  m_run.show(Pass::Forward, path(name), y);
  return y;
}

MemoryTensor LayerShadow::linearBackward(std::string_view name, Sizes inOut, MemoryTensor& kept) {
  MemoryTensor own = m_run.rows(inOut.first, m_compute);
  if (m_run.wantsGradient(path(name) + ".weight")) {
    m_run.addGradient(path(name) + ".weight", inOut.first * inOut.second);
  }
  release(m_run, kept);
  m_run.show(Pass::Backward, path(name), own);
  return own;
}

MemoryTensor LayerShadow::rotated(std::string_view name, MemoryTensor x, std::uint64_t width) {
  const std::uint64_t item = m_run.formats().rotary;
  x = m_run.cast(x, width, m_compute, item);
  const MemoryTensor kept = m_run.rows(width, item);
  MemoryTensor turned = m_run.rows(width, item);
  turned = m_run.rows(width, item);
  MemoryTensor sum = m_run.rows(width, item);
  m_run.show(Pass::Forward, path(name), sum, false);
  return sum;
}

MemoryTensor LayerShadow::rotatedBackward(std::string_view name,
                                          MemoryTensor gradient,
                                          std::uint64_t width) {
  const std::uint64_t item = m_run.formats().rotary;
  m_run.show(Pass::Backward, path(name), gradient, false);
  MemoryTensor sum;
  {
    const MemoryTensor turned = m_run.rows(width, item);
    const MemoryTensor halves = m_run.rows(width, item);
    const MemoryTensor straight = m_run.rows(width, item);
    gradient.reset();
    sum = m_run.rows(width, item);
  }
  return m_run.cast(sum, width, item, m_compute);
}

std::uint64_t LayerShadow::plainItem() const {
  return m_run.formats().reducesPlain ? m_compute : std::max<std::uint64_t>(m_compute, 4);
}

MemoryTensor LayerShadow::attend(AttentionTensors read, AttentionSaved& saved) {
  AttentionSaved own;
  MemoryTensor output = m_way == AttentionWay::Eager   ? attendEager(read, own)
                        : m_way == AttentionWay::Plain ? attendPlain(read, own)
                                                       : attendFused(read, own);
  m_run.show(Pass::Forward, path("self_attn.attn_output"), output);
  if (m_run.step().backward) {
    saved = std::move(own);
  }
  return output;
}

MemoryTensor LayerShadow::attendEager(AttentionTensors& read, AttentionSaved& own) {
  const RunFormats& formats = m_run.formats();
  if (isRepeated()) {
    read.key = m_run.rows(m_query, formats.rotary);
    read.value = m_run.rows(m_query, m_compute);
  }
  own.query = turnedFor(read.query, m_query, formats.scores);
  own.key = turnedFor(read.key, m_query, formats.scores);
  MemoryTensor scores = m_run.make(m_pairs * formats.scores);
  scores = m_run.make(m_pairs * formats.scores);
  m_run.show(Pass::Forward, path("self_attn.scores"), scores);
  const std::uint64_t masked = std::max(formats.scores, formats.residual);
  scores = m_run.make(m_pairs * masked);
  {
    const MemoryTensor wide =
        masked == formats.softmax ? scores : m_run.make(m_pairs * formats.softmax);
    own.softmax = m_run.make(m_pairs * formats.softmax);
  }
  own.weights = formats.softmax == m_compute ? own.softmax : m_run.make(m_pairs * m_compute);
  if (!m_run.step().backward) {
    own.softmax.reset();
  }
  m_run.show(Pass::Forward, path("self_attn.softmax"), own.weights);
  own.value = read.value;
  const MemoryTensor product = m_run.rows(m_query, m_compute);
  return m_run.rows(m_query, m_compute);
}

MemoryTensor LayerShadow::attendPlain(const AttentionTensors& read, AttentionSaved& own) {
  const std::uint64_t item = plainItem();
  const MemoryTensor wideQuery = turnedFor(read.query, m_query, item);
  MemoryTensor wideKey = turnedFor(read.key, m_keyValue, item);
  const MemoryTensor wideValue = m_run.cast(read.value, m_keyValue, m_compute, item);
  own.query = m_run.rows(m_query, item);
  wideKey = isRepeated() ? m_run.rows(m_query, item) : wideKey;
  own.value = isRepeated() ? m_run.rows(m_query, item) : wideValue;
  own.key = m_run.rows(m_query, item);
  MemoryTensor scores = m_run.make(m_pairs * item);
  own.softmax = m_run.make(m_pairs * item);
  // Which scores are hidden.
  static_cast<void>(m_run.make(m_pairs));
  scores.reset();
  MemoryTensor product = m_run.rows(m_query, item);
  if (item != m_compute) {
    product = m_run.rows(m_query, m_compute);
    static_cast<void>(m_run.make(m_pairs * m_compute));
  }
  return m_run.rows(m_query, m_compute);
}

MemoryTensor LayerShadow::attendFused(const AttentionTensors& read, AttentionSaved& own) {
  own.query = turnedFor(read.query, m_query, m_compute);
  own.key =
      isRepeated() ? m_run.rows(m_query, m_compute) : turnedFor(read.key, m_keyValue, m_compute);
  own.value = isRepeated() ? m_run.rows(m_query, m_compute) : read.value;
  own.output = m_run.rows(m_query, m_compute);
  own.softmax = m_run.rows(unsignedOf(m_run.model().heads), 4);
  return own.output;
}

LayerShadow::AttentionTensors LayerShadow::attendBackward(MemoryTensor gradient,
                                                          AttentionSaved& saved) {
  m_run.show(Pass::Backward, path("self_attn.attn_output"), gradient);
  AttentionTensors gradients = m_way == AttentionWay::Eager   ? eagerBackward(gradient, saved)
                               : m_way == AttentionWay::Plain ? plainBackward(gradient, saved)
                                                              : fusedBackward(gradient, saved);
  if (isRepeated()) {
    const std::uint64_t item = m_way == AttentionWay::Plain ? plainItem() : m_compute;
    gradients.key = m_run.rows(m_keyValue, item);
    gradients.value = m_run.rows(m_keyValue, item);
  }
  return gradients;
}

LayerShadow::AttentionTensors LayerShadow::eagerBackward(MemoryTensor& gradient,
                                                         AttentionSaved& saved) {
  const RunFormats& formats = m_run.formats();
  AttentionTensors gradients;
  gradients.value = m_run.rows(m_query, m_compute);
  MemoryTensor pairs = m_run.make(m_pairs * m_compute);
  gradient.reset();
  release(m_run, saved.weights, saved.value);
  m_run.show(Pass::Backward, path("self_attn.softmax"), pairs);
  pairs = formats.softmax == m_compute ? pairs : m_run.make(m_pairs * formats.softmax);
  pairs = m_run.make(m_pairs * formats.softmax);
  release(m_run, saved.softmax);
  pairs = formats.softmax == formats.scores ? pairs : m_run.make(m_pairs * formats.scores);
  m_run.show(Pass::Backward, path("self_attn.scores"), pairs);
  pairs = m_run.make(m_pairs * formats.scores);
  gradients.query = m_run.rows(m_query, formats.scores);
  gradients.key = m_run.rows(m_query, formats.scores);
  release(m_run, saved.query, saved.key);
  return gradients;
}

LayerShadow::AttentionTensors LayerShadow::plainBackward(MemoryTensor& gradient,
                                                         AttentionSaved& saved) {
  const std::uint64_t item = plainItem();
  AttentionTensors gradients;
  MemoryTensor wide = m_run.cast(gradient, m_query, m_compute, item);
  gradient.reset();
  gradients.value = m_run.rows(m_query, item);
  MemoryTensor pairs = m_run.make(m_pairs * item);
  wide.reset();
  release(m_run, saved.value);
  pairs = m_run.make(m_pairs * item);
  release(m_run, saved.softmax);
  gradients.query = m_run.rows(m_query, item);
  gradients.key = m_run.rows(m_query, item);
  release(m_run, saved.query, saved.key);
  pairs.reset();
  gradients.query = m_run.rows(m_query, item);
  gradients.key = m_run.rows(m_query, item);
  return gradients;
}

LayerShadow::AttentionTensors LayerShadow::fusedBackward(MemoryTensor& gradient,
                                                         AttentionSaved& saved) {
  // Sums of queries in float32, and keys and values of each head.
  const MemoryTensor sums = m_run.rows(m_query, 4);
  const MemoryTensor deltas = m_run.rows(unsignedOf(m_run.model().heads), 4);
  AttentionTensors gradients;
  gradients.query = m_run.rows(m_query, m_compute);
  gradients.key = m_run.rows(m_query, m_compute);
  gradients.value = m_run.rows(m_query, m_compute);
  if (m_way == AttentionWay::Grouped && m_query != m_keyValue) {
    gradients.key = m_run.rows(m_keyValue, m_compute);
    gradients.value = m_run.rows(m_keyValue, m_compute);
  }
  gradient.reset();
  release(m_run, saved.query, saved.key, saved.value, saved.output, saved.softmax);
  return gradients;
}

MemoryTensor LayerShadow::forward(const MemoryTensor& x, LayerSaved& saved) {
  const RunFormats& formats = m_run.formats();
  MemoryTensor h = norm(m_run, path("input_layernorm"), x, saved.norm1);
  m_run.show(Pass::Forward, path("input_layernorm"), h);
  MemoryTensor attended;
  {
    const MemoryTensor query =
        linear("self_attn.q_proj", h, {m_hidden, m_query}, formats.normOutput, saved.queryInput);
    const MemoryTensor key =
        linear("self_attn.k_proj", h, {m_hidden, m_keyValue}, formats.normOutput, saved.keyInput);
    const MemoryTensor value =
        linear("self_attn.v_proj", h, {m_hidden, m_keyValue}, formats.normOutput, saved.valueInput);
    const MemoryTensor turnedQuery = rotated("self_attn.rotary.query", query, m_query);
    const MemoryTensor turnedKey = rotated("self_attn.rotary.key", key, m_keyValue);
    attended = attend({turnedQuery, turnedKey, value}, saved.attention);
    h = linear("self_attn.o_proj", attended, {m_query, m_hidden}, m_compute, saved.attended);
    attended.reset();
  }
  m_run.show(Pass::Forward, path("self_attn"), h);
  MemoryTensor middle;
  {
    const MemoryTensor branch = m_run.cast(h, m_hidden, m_compute, formats.residual);
    middle = m_run.rows(m_hidden, formats.residual);
  }
  m_run.show(Pass::Forward, path("residual_mid"), middle);
  h = norm(m_run, path("post_attention_layernorm"), middle, saved.norm2);
  m_run.show(Pass::Forward, path("post_attention_layernorm"), h);
  MemoryTensor product;
  {
    MemoryTensor gate =
        linear("mlp.gate_proj", h, {m_hidden, m_inner}, formats.normOutput, saved.gateInput);
    gate = m_run.cast(gate, m_inner, m_compute, formats.activation);
    const MemoryTensor active = m_run.rows(m_inner, formats.activation);
    m_run.show(Pass::Forward, path("mlp.act_fn"), active);
    if (m_run.step().backward) {
      saved.gate = gate;
    }
    gate.reset();
    MemoryTensor up =
        linear("mlp.up_proj", h, {m_hidden, m_inner}, formats.normOutput, saved.upInput);
    up = m_run.cast(up, m_inner, m_compute, formats.activation);
    product = m_run.rows(m_inner, formats.activation);
    if (m_run.step().backward) {
      saved.active = active;
      saved.up = up;
    }
  }
  m_run.show(Pass::Forward, path("mlp.product"), product);
  h = linear("mlp.down_proj", product, {m_inner, m_hidden}, formats.activation, saved.product);
  product.reset();
  m_run.show(Pass::Forward, path("mlp"), h);
  const MemoryTensor branch = m_run.cast(h, m_hidden, m_compute, formats.residual);
  MemoryTensor y = m_run.rows(m_hidden, formats.residual);
  m_run.show(Pass::Forward, fmt::format("decoder.{}", m_layer), y);
  return y;
}

MemoryTensor LayerShadow::sum(const MemoryTensor& a, const MemoryTensor& b) {
  return a && b ? m_run.make(std::max(a.storage()->bytes(), b.storage()->bytes())) : (a ? a : b);
}

MemoryTensor LayerShadow::backward(MemoryTensor gradient, LayerSaved& saved) {
  const RunFormats& formats = m_run.formats();
  MemoryTensor branch = m_run.cast(gradient, m_hidden, formats.residual, m_compute);
  {
    MemoryTensor product = linearBackward("mlp.down_proj", {m_inner, m_hidden}, saved.product);
    branch.reset();
    m_run.show(Pass::Backward, path("mlp.product"), product);
    product = m_run.cast(product, m_inner, m_compute, formats.activation);
    MemoryTensor up = m_run.rows(m_inner, formats.activation);
    MemoryTensor active = m_run.rows(m_inner, formats.activation);
    product.reset();
    release(m_run, saved.active, saved.up);
    up = m_run.cast(up, m_inner, formats.activation, m_compute);
    branch = linearBackward("mlp.up_proj", {m_hidden, m_inner}, saved.upInput);
    up.reset();
    MemoryTensor gate = m_run.rows(m_inner, formats.activation);
    active.reset();
    release(m_run, saved.gate);
    m_run.show(Pass::Backward, path("mlp.act_fn"), gate);
    gate = m_run.cast(gate, m_inner, formats.activation, m_compute);
    branch = sum(branch, linearBackward("mlp.gate_proj", {m_hidden, m_inner}, saved.gateInput));
  }
  m_run.show(Pass::Backward, path("mlp"), branch);
  branch = m_run.cast(branch, m_hidden, m_compute, formats.normOutput);
  branch = normBackward(m_run, path("post_attention_layernorm"), std::move(branch), saved.norm2);
  m_run.show(Pass::Backward, path("post_attention_layernorm"), branch);
  gradient = sum(gradient, branch);
  m_run.show(Pass::Backward, path("residual_mid"), gradient);
  branch = m_run.cast(gradient, m_hidden, formats.residual, m_compute);
  MemoryTensor attended = linearBackward("self_attn.o_proj", {m_query, m_hidden}, saved.attended);
  branch.reset();
  AttentionTensors own = attendBackward(std::move(attended), saved.attention);
  own.key = rotatedBackward("self_attn.rotary.key", std::move(own.key), m_keyValue);
  own.query = rotatedBackward("self_attn.rotary.query", std::move(own.query), m_query);
  branch = linearBackward("self_attn.v_proj", {m_hidden, m_keyValue}, saved.valueInput);
  own.value.reset();
  branch = sum(branch, linearBackward("self_attn.k_proj", {m_hidden, m_keyValue}, saved.keyInput));
  own.key.reset();
  branch = sum(branch, linearBackward("self_attn.q_proj", {m_hidden, m_query}, saved.queryInput));
  own.query.reset();
  m_run.show(Pass::Backward, path("self_attn"), branch);
  branch = m_run.cast(branch, m_hidden, m_compute, formats.normOutput);
  branch = normBackward(m_run, path("input_layernorm"), std::move(branch), saved.norm1);
  m_run.show(Pass::Backward, path("input_layernorm"), branch);
  gradient = sum(gradient, branch);
  m_run.show(Pass::Backward, fmt::format("decoder.{}", m_layer), gradient);
  return gradient;
}

}  // namespace ulp::analysis
