#include "core/analysis/studies/memory/layer_shadow.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace ulp::analysis {
namespace {

using numerics::Operation;

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
      return formats.bytes(Operation::Compute) == 8 ? AttentionWay::Plain : AttentionWay::Repeated;
    case AttentionKind::Chosen:
      // LibTorch's choice: no fused kernel takes float64, nor float32 with grouped heads.
      if (formats.bytes(Operation::Compute) == 8 ||
          (formats.bytes(Operation::Compute) == 4 && isGrouped)) {
        return AttentionWay::Plain;
      }
      return formats.bytes(Operation::Compute) == 4 || formats.hasMask ? AttentionWay::Repeated
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
      m_compute(run.formats().bytes(Operation::Compute)),
      m_pairs(run.tokens() * unsignedOf(run.step().length) * unsignedOf(run.model().heads)),
      m_way(attentionWay(run.model(), run.formats())) {}

std::string LayerShadow::path(std::string_view name) const {
  return fmt::format("model.layers.{}.{}", m_layer, name);
}

ProductShape LayerShadow::shapeOf(std::string_view name, Sizes inOut, Operation from) const {
  return {
      .parameter = path(name) + ".weight", .in = inOut.first, .out = inOut.second, .from = from};
}

MemoryTensor LayerShadow::norm(RunShadow& run,
                               const std::string& path,
                               const MemoryTensor& x,
                               NormSaved& saved) {
  const std::uint64_t width = unsignedOf(run.model().hidden);
  const MemoryTensor wide = run.castRows(x, width, Operation::Residual, Operation::NormStatistics);
  MemoryTensor squares = run.rows(width, Operation::NormStatistics);
  const MemoryTensor variance = run.rows(1, Operation::NormStatistics);
  squares.reset();
  run.show(Pass::Forward, path + ".variance", variance);
  const MemoryTensor root = run.rows(1, Operation::NormStatistics);
  const MemoryTensor normalised = run.rows(width, Operation::NormStatistics);
  const MemoryTensor rounded =
      run.castRows(normalised, width, Operation::NormStatistics, Operation::NormOutput);
  run.show(Pass::Forward, path + ".normalized", rounded);
  const MemoryTensor scaled = run.rows(width, Operation::NormOutput);
  MemoryTensor y = run.castRows(scaled, width, Operation::NormOutput, Operation::NormOutput);
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
  const std::uint64_t width = unsignedOf(run.model().hidden);
  if (run.wantsGradient(path + ".weight")) {
    static_cast<void>(run.rows(width, Operation::NormOutput));
    run.addGradient(path + ".weight", width);
  }
  MemoryTensor inner = run.rows(width, Operation::NormOutput);
  gradient.reset();
  release(run, saved.rounded);
  run.show(Pass::Backward, path + ".normalized", inner);
  inner = run.castBackRows(inner, width, Operation::NormOutput, Operation::NormStatistics);
  const MemoryTensor scaled = run.rows(width, Operation::NormStatistics);
  static_cast<void>(run.rows(width, Operation::NormStatistics));
  inner.reset();
  release(run, saved.root);
  {
    // The mean's gradient, then that of the square: its base, twice that, the product.
    const MemoryTensor mean = run.rows(width, Operation::NormStatistics);
    const MemoryTensor base = run.rows(width, Operation::NormStatistics);
    const MemoryTensor twice = run.rows(width, Operation::NormStatistics);
    static_cast<void>(run.rows(width, Operation::NormStatistics));
  }
  release(run, saved.wide);
  return run.castBackRows(scaled, width, Operation::NormStatistics, Operation::Residual);
}

MemoryTensor LayerShadow::linear(std::string_view name,
                                 const MemoryTensor& x,
                                 Sizes inOut,
                                 Operation from,
                                 ProductSaved& saved) {
  MemoryTensor y = product(m_run, shapeOf(name, inOut, from), x, saved);
  m_run.show(Pass::Forward, path(name), y);
  return y;
}

MemoryTensor LayerShadow::linearBackward(std::string_view name,
                                         MemoryTensor gradient,
                                         Sizes inOut,
                                         ProductSaved& saved) {
  MemoryTensor own =
      productBackward(m_run, shapeOf(name, inOut, Operation::Compute), std::move(gradient), saved);
  m_run.show(Pass::Backward, path(name), own);
  return own;
}

MemoryTensor LayerShadow::rotated(std::string_view name,
                                  const MemoryTensor& x,
                                  std::uint64_t width,
                                  RotationSaved& saved) {
  const std::uint64_t table = unsignedOf(m_run.step().length) * unsignedOf(m_run.model().headSize);
  const bool ownsTables = !m_run.isReadAsItIs(Operation::RotaryTable, Operation::Rotary);
  RotationSaved read;
  if (ownsTables) {
    read.cos = m_run.cast({}, table, Operation::RotaryTable, Operation::Rotary);
    read.sin = m_run.cast({}, table, Operation::RotaryTable, Operation::Rotary);
  }
  // Heads stand before positions here.
  const MemoryTensor cast =
      m_run.cast(x, m_run.tokens() * width, Operation::Compute, Operation::Rotary, false);
  const MemoryTensor kept = m_run.rows(width, Operation::Rotary);
  MemoryTensor turned = m_run.rows(width, Operation::Rotary);
  turned = m_run.rows(width, Operation::Rotary);
  MemoryTensor sum = m_run.rows(width, Operation::Rotary);
  if (m_run.step().backward) {
    saved = read;
  }
  const bool isWhole = numerics::isSimulated(m_run.formats()[Operation::Rotary]);
  m_run.show(Pass::Forward, path(name), sum, isWhole);
  return sum;
}

MemoryTensor LayerShadow::rotatedBackward(std::string_view name,
                                          MemoryTensor gradient,
                                          std::uint64_t width,
                                          RotationSaved& saved) {
  m_run.show(Pass::Backward, path(name), gradient, false);
  MemoryTensor sum;
  {
    const MemoryTensor turned = m_run.rows(width, Operation::Rotary);
    const MemoryTensor halves = m_run.rows(width, Operation::Rotary);
    const MemoryTensor straight = m_run.rows(width, Operation::Rotary);
    gradient.reset();
    release(m_run, saved.cos, saved.sin);
    sum = m_run.rows(width, Operation::Rotary);
  }
  return m_run.castBackRows(sum, width, Operation::Rotary, Operation::Compute);
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
    read.key = m_run.rows(m_query, Operation::Rotary);
    read.value = m_run.rows(m_query, Operation::Compute);
  }
  const auto turned = [&](const MemoryTensor& x) {
    return m_run.castRows(x, m_query, Operation::Rotary, Operation::AttentionScores);
  };
  own.query = turned(read.query);
  own.key = turned(read.key);
  MemoryTensor scores = m_run.make(m_pairs * formats.bytes(Operation::AttentionScores));
  scores = m_run.make(m_pairs * formats.bytes(Operation::AttentionScores));
  m_run.show(Pass::Forward, path("self_attn.scores"), scores);
  const std::uint64_t masked =
      std::max(formats.bytes(Operation::AttentionScores), formats.bytes(Operation::Residual));
  scores = m_run.make(m_pairs * masked);
  {
    const std::uint64_t item = formats.bytes(Operation::Softmax);
    const MemoryTensor wide = masked == item ? scores : m_run.make(m_pairs * item);
    own.softmax = m_run.make(m_pairs * item);
  }
  const MemoryTensor kept =
      m_run.cast(own.softmax, m_pairs, Operation::Softmax, Operation::Softmax);
  own.weights = m_run.cast(kept, m_pairs, Operation::Softmax, Operation::Compute);
  if (!m_run.step().backward) {
    own.softmax.reset();
  }
  m_run.show(Pass::Forward, path("self_attn.softmax"), own.weights);
  own.value = m_run.castRows(read.value, m_query, Operation::Compute, Operation::Compute);
  const MemoryTensor product = m_run.rows(m_query, Operation::Compute);
  return m_run.rows(m_query, Operation::Compute);
}

MemoryTensor LayerShadow::attendPlain(const AttentionTensors& read, AttentionSaved& own) {
  const std::uint64_t item = plainItem();
  const AttentionTensors cast = castForKernel(read);
  const MemoryTensor wideQuery = widened(cast.query, m_query);
  MemoryTensor wideKey = widened(cast.key, m_keyValue);
  const MemoryTensor wideValue = widened(cast.value, m_keyValue);
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
  const AttentionTensors cast = castForKernel(read);
  own.query = cast.query;
  own.key = isRepeated() ? m_run.rows(m_query, m_compute) : cast.key;
  own.value = isRepeated() ? m_run.rows(m_query, m_compute) : cast.value;
  own.output = m_run.rows(m_query, m_compute);
  own.softmax = m_run.rows(unsignedOf(m_run.model().heads), 4);
  return own.output;
}

LayerShadow::AttentionTensors LayerShadow::castForKernel(const AttentionTensors& read) {
  // Heads stand before positions; only what was rounded before lies so, too.
  const bool isTurnedWhole = numerics::isSimulated(m_run.formats()[Operation::Rotary]);
  const std::uint64_t keys = m_run.tokens() * m_keyValue;
  AttentionTensors cast;
  cast.query = m_run.cast(
      read.query, m_run.tokens() * m_query, Operation::Rotary, Operation::Compute, isTurnedWhole);
  cast.key = m_run.cast(read.key, keys, Operation::Rotary, Operation::Compute, isTurnedWhole);
  cast.value = m_run.cast(read.value, keys, Operation::Compute, Operation::Compute, false);
  return cast;
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
  const std::uint64_t scores = formats.bytes(Operation::AttentionScores);
  AttentionTensors gradients;
  gradients.value = m_run.rows(m_query, Operation::Compute);
  MemoryTensor pairs = m_run.make(m_pairs * m_compute);
  gradient.reset();
  release(m_run, saved.weights, saved.value);
  m_run.show(Pass::Backward, path("self_attn.softmax"), pairs);
  pairs = m_run.castBack(pairs, m_pairs, Operation::Compute, Operation::Softmax);
  pairs = m_run.make(m_pairs * formats.bytes(Operation::Softmax));
  release(m_run, saved.softmax);
  pairs = m_run.castBack(pairs, m_pairs, Operation::Softmax, Operation::AttentionScores);
  m_run.show(Pass::Backward, path("self_attn.scores"), pairs);
  pairs = m_run.make(m_pairs * scores);
  gradients.query = m_run.rows(m_query, scores);
  gradients.key = m_run.rows(m_query, scores);
  release(m_run, saved.query, saved.key);
  return gradients;
}

LayerShadow::AttentionTensors LayerShadow::plainBackward(MemoryTensor& gradient,
                                                         AttentionSaved& saved) {
  const std::uint64_t item = plainItem();
  AttentionTensors gradients;
  MemoryTensor wide = widened(gradient, m_query);
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

MemoryTensor LayerShadow::added(const MemoryTensor& x, const MemoryTensor& branch) {
  const MemoryTensor own =
      m_run.castRows(branch, m_hidden, Operation::Compute, Operation::Residual);
  const MemoryTensor stream = m_run.castRows(x, m_hidden, Operation::Residual, Operation::Residual);
  const MemoryTensor sum = m_run.rows(m_hidden, Operation::Residual);
  return m_run.castRows(sum, m_hidden, Operation::Residual, Operation::Residual);
}

MemoryTensor LayerShadow::gatedProduct(const MemoryTensor& x, LayerSaved& saved) {
  MemoryTensor active;
  MemoryTensor gate;
  {
    const MemoryTensor raw =
        linear("mlp.gate_proj", x, {m_hidden, m_inner}, Operation::NormOutput, saved.gateProduct);
    gate = m_run.castRows(raw, m_inner, Operation::Compute, Operation::Activation);
    active = m_run.rows(m_inner, Operation::Activation);
    m_run.show(Pass::Forward, path("mlp.act_fn"), active);
  }
  if (m_run.step().backward) {
    saved.gate = gate;
  }
  gate.reset();
  const MemoryTensor raw =
      linear("mlp.up_proj", x, {m_hidden, m_inner}, Operation::NormOutput, saved.upProduct);
  const MemoryTensor left =
      m_run.castRows(active, m_inner, Operation::Activation, Operation::Activation);
  const MemoryTensor up = m_run.castRows(raw, m_inner, Operation::Compute, Operation::Activation);
  MemoryTensor product = m_run.rows(m_inner, Operation::Activation);
  if (m_run.step().backward) {
    saved.active = left;
    saved.up = up;
  }
  return product;
}

MemoryTensor LayerShadow::forward(const MemoryTensor& x, LayerSaved& saved) {
  MemoryTensor h = norm(m_run, path("input_layernorm"), x, saved.norm1);
  m_run.show(Pass::Forward, path("input_layernorm"), h);
  MemoryTensor attended;
  {
    const Operation from = Operation::NormOutput;
    const MemoryTensor query =
        linear("self_attn.q_proj", h, {m_hidden, m_query}, from, saved.query);
    const MemoryTensor key = linear("self_attn.k_proj", h, {m_hidden, m_keyValue}, from, saved.key);
    const MemoryTensor value =
        linear("self_attn.v_proj", h, {m_hidden, m_keyValue}, from, saved.value);
    const MemoryTensor turnedQuery =
        rotated("self_attn.rotary.query", query, m_query, saved.queryRotation);
    const MemoryTensor turnedKey =
        rotated("self_attn.rotary.key", key, m_keyValue, saved.keyRotation);
    attended = attend({turnedQuery, turnedKey, value}, saved.attention);
    h = linear("self_attn.o_proj", attended, {m_query, m_hidden}, Operation::Compute, saved.output);
    attended.reset();
  }
  m_run.show(Pass::Forward, path("self_attn"), h);
  const MemoryTensor middle = added(x, h);
  m_run.show(Pass::Forward, path("residual_mid"), middle);
  h = norm(m_run, path("post_attention_layernorm"), middle, saved.norm2);
  m_run.show(Pass::Forward, path("post_attention_layernorm"), h);
  MemoryTensor product = gatedProduct(h, saved);
  m_run.show(Pass::Forward, path("mlp.product"), product);
  h = linear("mlp.down_proj", product, {m_inner, m_hidden}, Operation::Activation, saved.down);
  product.reset();
  m_run.show(Pass::Forward, path("mlp"), h);
  MemoryTensor y = added(middle, h);
  m_run.show(Pass::Forward, fmt::format("decoder.{}", m_layer), y);
  return y;
}

MemoryTensor LayerShadow::sum(const MemoryTensor& a, const MemoryTensor& b) {
  return a && b ? m_run.make(std::max(a.storage()->bytes(), b.storage()->bytes())) : (a ? a : b);
}

MemoryTensor LayerShadow::mlpBackward(const MemoryTensor& gradient, LayerSaved& saved) {
  MemoryTensor branch =
      m_run.castBackRows(gradient, m_hidden, Operation::Residual, Operation::Compute);
  MemoryTensor product =
      linearBackward("mlp.down_proj", std::move(branch), {m_inner, m_hidden}, saved.down);
  m_run.show(Pass::Backward, path("mlp.product"), product);
  product = m_run.castBackRows(product, m_inner, Operation::Compute, Operation::Activation);
  MemoryTensor up = m_run.rows(m_inner, Operation::Activation);
  MemoryTensor active = m_run.rows(m_inner, Operation::Activation);
  product.reset();
  release(m_run, saved.active, saved.up);
  up = m_run.castBackRows(up, m_inner, Operation::Activation, Operation::Compute);
  branch = linearBackward("mlp.up_proj", std::move(up), {m_hidden, m_inner}, saved.upProduct);
  MemoryTensor gate = m_run.rows(m_inner, Operation::Activation);
  active.reset();
  release(m_run, saved.gate);
  m_run.show(Pass::Backward, path("mlp.act_fn"), gate);
  gate = m_run.castBackRows(gate, m_inner, Operation::Activation, Operation::Compute);
  branch =
      sum(branch,
          linearBackward("mlp.gate_proj", std::move(gate), {m_hidden, m_inner}, saved.gateProduct));
  m_run.show(Pass::Backward, path("mlp"), branch);
  return branch;
}

MemoryTensor LayerShadow::backward(MemoryTensor gradient, LayerSaved& saved) {
  const auto toNorm = [&](const MemoryTensor& branch) {
    return m_run.castBackRows(branch, m_hidden, Operation::Compute, Operation::NormOutput);
  };
  MemoryTensor branch = toNorm(mlpBackward(gradient, saved));
  branch = normBackward(m_run, path("post_attention_layernorm"), std::move(branch), saved.norm2);
  m_run.show(Pass::Backward, path("post_attention_layernorm"), branch);
  gradient = sum(gradient, branch);
  m_run.show(Pass::Backward, path("residual_mid"), gradient);
  branch = m_run.castBackRows(gradient, m_hidden, Operation::Residual, Operation::Compute);
  MemoryTensor attended =
      linearBackward("self_attn.o_proj", std::move(branch), {m_query, m_hidden}, saved.output);
  AttentionTensors own = attendBackward(std::move(attended), saved.attention);
  own.key =
      rotatedBackward("self_attn.rotary.key", std::move(own.key), m_keyValue, saved.keyRotation);
  own.query =
      rotatedBackward("self_attn.rotary.query", std::move(own.query), m_query, saved.queryRotation);
  const Sizes keyValue{m_hidden, m_keyValue};
  branch = linearBackward("self_attn.v_proj", std::move(own.value), keyValue, saved.value);
  branch = sum(branch, linearBackward("self_attn.k_proj", std::move(own.key), keyValue, saved.key));
  branch = sum(
      branch,
      linearBackward("self_attn.q_proj", std::move(own.query), {m_hidden, m_query}, saved.query));
  m_run.show(Pass::Backward, path("self_attn"), branch);
  branch = normBackward(m_run, path("input_layernorm"), toNorm(branch), saved.norm1);
  m_run.show(Pass::Backward, path("input_layernorm"), branch);
  gradient = sum(gradient, branch);
  m_run.show(Pass::Backward, fmt::format("decoder.{}", m_layer), gradient);
  return gradient;
}

}  // namespace ulp::analysis
