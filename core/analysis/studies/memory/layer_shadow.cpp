#include "core/analysis/studies/memory/layer_shadow.h"

#include <fmt/format.h>
#include <tuple>

namespace ulp::analysis {

LayerShadow::LayerShadow(RunShadow& run, ParameterShadow& parameters, int layer)
    : m_run(run),
      m_parameters(parameters),
      m_layer(layer),
      m_hidden(unsignedOf(run.model().hidden)),
      m_inner(unsignedOf(run.model().intermediate)),
      m_query(unsignedOf(run.model().heads * run.model().headSize)),
      m_keyValue(unsignedOf(run.model().keyValueHeads * run.model().headSize)) {}

std::string LayerShadow::path(std::string_view name) const {
  return fmt::format("model.layers.{}{}", m_layer, name);
}

ProductShape LayerShadow::shapeOf(std::string_view name, Sizes inOut) const {
  return {
      .in = inOut.first, .out = inOut.second, .isFloat8 = m_run.formats().isFloat8At(path(name))};
}

MemoryTensor LayerShadow::linear(std::string_view name,
                                 const MemoryTensor& x,
                                 Sizes inOut,
                                 ProductSaved& saved) {
  const std::string module = path(name);
  // Fast-LLM stores the weight of an MLP's second layer so.
  const bool isTransposed = m_run.formats().isFastLlm && name == ".mlp.down_proj";
  saved.use = m_parameters.use(module + ".weight", module, isTransposed);
  const ProductShape shape = shapeOf(name, inOut);
  MemoryTensor y =
      inFormats(m_run, module, {x, saved.use.elements}, saved.inputs, [&](const SiteShadow& site) {
        return product(site, shape, x, saved);
      });
  saved.letGo(m_run, module);
  m_run.show(Pass::Forward, module, y);
  return y;
}

MemoryTensor LayerShadow::linearBackward(std::string_view name,
                                         MemoryTensor gradient,
                                         Sizes inOut,
                                         ProductSaved& saved) {
  const std::string module = path(name);
  const ProductShape shape = shapeOf(name, inOut);
  MemoryTensor own = backInFormats(
      m_run,
      module,
      std::move(gradient),
      saved.inputs,
      [&](const SiteShadow& site) { return product(site, shape, saved.inputs.front(), saved); },
      [&](const SiteShadow& site, MemoryTensor given) {
        return productBackward(site, m_parameters, shape, std::move(given), saved);
      });
  m_run.show(Pass::Backward, module, own);
  return own;
}

bool LayerShadow::areJoined(Names names) const {
  const ModuleFormats& first = m_run.at(path(names.first));
  const ModuleFormats& second = m_run.at(path(names.second));
  return m_run.formats().isFastLlm && first.forward == second.forward &&
         first.backward == second.backward;
}

MemoryTensor LayerShadow::joined(Names names,
                                 const MemoryTensor& x,
                                 Sizes inOut,
                                 ProductSaved& saved) {
  const std::string module = path(names.first);
  saved.use = m_parameters.useJoined(module + ".weight", path(names.second) + ".weight", module);
  const ProductShape shape{.in = inOut.first, .out = 2 * inOut.second};
  const MemoryTensor both =
      inFormats(m_run, module, {x, saved.use.elements}, saved.inputs, [&](const SiteShadow& site) {
        return product(site, shape, x, saved);
      });
  saved.letGo(m_run, module);
  MemoryTensor half = both.part(both.count() / 2);
  m_run.show(Pass::Forward, module, half, ShownAs::TurnedRows);
  m_run.show(Pass::Forward, path(names.second), half, ShownAs::TurnedRows);
  return half;
}

/// `gradient`: of one half, which goes into that of both.
MemoryTensor LayerShadow::joinedBackward(Names names,
                                         const MemoryTensor& gradient,
                                         Sizes inOut,
                                         ProductSaved& saved) {
  const std::string module = path(names.first);
  const ProductShape shape{.in = inOut.first, .out = 2 * inOut.second};
  MemoryTensor both = m_run.make(2 * gradient.count(), gradient.type());
  return backInFormats(
      m_run,
      module,
      std::move(both),
      saved.inputs,
      [&](const SiteShadow& site) { return product(site, shape, saved.inputs.front(), saved); },
      [&](const SiteShadow& site, MemoryTensor given) {
        return productBackward(site, m_parameters, shape, std::move(given), saved);
      });
}

MemoryTensor LayerShadow::rotated(std::string_view name,
                                  const MemoryTensor& x,
                                  const RotaryTables& tables,
                                  RotationSaved& saved) {
  const std::string module = path(".self_attn");
  MemoryTensor y = inFormats(m_run, module, {x}, saved.inputs, [&](const SiteShadow& site) {
    return rotation(site, x, tables, saved);
  });
  const bool isWhole = numerics::isSimulated(m_run.at(module).forward[Operation::Rotary]);
  m_run.show(
      Pass::Forward, module + std::string(name), y, isWhole ? ShownAs::Rows : ShownAs::TurnedRows);
  return y;
}

MemoryTensor LayerShadow::rotation(const SiteShadow& site,
                                   const MemoryTensor& x,
                                   const RotaryTables& tables,
                                   RotationSaved& saved) {
  // Heads stand before positions here.
  const MemoryTensor cast = site.cast(x, Operation::Rotary, false);
  const RotaryTables read{site.cast(tables.cos, Operation::Rotary),
                          site.cast(tables.sin, Operation::Rotary)};
  saved.type = x.type();
  if (site.keeps()) {
    saved.tables = read;
  }
  const auto part = [&](std::uint64_t share) {
    return site.make(x.count() / share, Operation::Rotary);
  };
  if (m_run.formats().fusesRotation) {
    const auto half = [&] {
      const MemoryTensor first = part(2);
      const MemoryTensor second = part(2);
      return part(2);
    };
    const MemoryTensor real = half();
    const MemoryTensor imaginary = half();
    return part(1);
  }
  const MemoryTensor kept = part(1);
  MemoryTensor turned = part(1);
  turned = part(1);
  return part(1);
}

MemoryTensor LayerShadow::rotatedBackward(std::string_view name,
                                          MemoryTensor gradient,
                                          const RotaryTables& tables,
                                          RotationSaved& saved) {
  const std::string module = path(".self_attn");
  m_run.show(Pass::Backward, module + std::string(name), gradient, ShownAs::TurnedRows);
  return backInFormats(
      m_run,
      module,
      std::move(gradient),
      saved.inputs,
      [&](const SiteShadow& site) { return rotation(site, saved.inputs.front(), tables, saved); },
      [&](const SiteShadow& site, MemoryTensor given) {
        MemoryTensor sum;
        {
          const auto whole = [&] { return site.make(given.count(), Operation::Rotary); };
          const MemoryTensor turned = whole();
          const MemoryTensor halves = whole();
          const MemoryTensor straight = whole();
          given.reset();
          site.release(saved.tables);
          sum = whole();
        }
        return m_run.inType(sum, saved.type);
      });
}

AttentionTensors LayerShadow::projected(const MemoryTensor& x, LayerSaved& saved) {
  const Names names{".self_attn.k_proj", ".self_attn.v_proj"};
  const Sizes keyValue{m_hidden, m_keyValue};
  AttentionTensors own;
  own.query = linear(".self_attn.q_proj", x, {m_hidden, m_query}, saved.query);
  if (areJoined(names)) {
    own.key = joined(names, x, keyValue, saved.key);
    own.value = own.key;
  } else {
    own.key = linear(names.first, x, keyValue, saved.key);
    own.value = linear(names.second, x, keyValue, saved.value);
  }
  return own;
}

MemoryTensor LayerShadow::projectedBackward(AttentionTensors gradients, LayerSaved& saved) {
  const Names names{".self_attn.k_proj", ".self_attn.v_proj"};
  const Sizes keyValue{m_hidden, m_keyValue};
  MemoryTensor branch;
  if (areJoined(names)) {
    showShare(names.second, gradients.value, keyValue);
    showShare(names.first, gradients.key, keyValue);
    branch = joinedBackward(names, gradients.key, keyValue, saved.key);
    gradients.key.reset();
    gradients.value.reset();
  } else {
    branch = linearBackward(names.second, std::move(gradients.value), keyValue, saved.value);
    branch = m_run.sum(branch,
                       linearBackward(names.first, std::move(gradients.key), keyValue, saved.key));
  }
  return m_run.sum(
      branch,
      linearBackward(
          ".self_attn.q_proj", std::move(gradients.query), {m_hidden, m_query}, saved.query));
}

/// What a module of a joined product sends to its input, which is computed to be shown.
void LayerShadow::showShare(std::string_view name, const MemoryTensor& gradient, Sizes inOut) {
  const std::string module = path(name);
  if (m_run.isCaptured(Pass::Backward, module) && !m_run.isTrial()) {
    const SiteShadow site(m_run, m_run.at(module).backward);
    const MemoryTensor read = site.cast(gradient, Operation::Compute);
    m_run.show(Pass::Backward, module, site.rows(inOut.first, Operation::Compute));
  }
}

/// KeyValueCache of the engine: also the first ones are copied.
void LayerShadow::append(AttentionTensors& own, LayerCache& cache) {
  const auto format = m_run.formats().batch.cacheFormat;
  const auto joinedTo = [&](MemoryTensor& before, const MemoryTensor& piece) {
    MemoryTensor kept = piece;
    if (format) {
      const MemoryTensor wide = m_run.inType(piece, DType::Float32);
      kept = m_run.inType(m_run.rounded(*format, piece.count()), piece.type());
    }
    before = m_run.make(before.count() + piece.count(), piece.type());
    return before;
  };
  own.key = joinedTo(cache.key, own.key);
  own.value = joinedTo(cache.value, own.value);
}

void LayerShadow::cutGradients(AttentionTensors& own, LayerCache& behind) {
  const std::uint64_t piece = m_run.tokens() * m_keyValue;
  const auto cut = [&](MemoryTensor& gradient, MemoryTensor& after) {
    const MemoryTensor all = m_run.sum(gradient, after);
    after = all.part(all.count() - piece);
    gradient = all.part(piece);
  };
  cut(own.key, behind.key);
  cut(own.value, behind.value);
}

MemoryTensor LayerShadow::attended(const MemoryTensor& x,
                                   const SharedShadow& shared,
                                   LayerSaved& saved) {
  const std::string module = path(".self_attn");
  AttentionTensors own = projected(x, saved);
  AttentionTensors read;
  read.query = rotated(".rotary.query", own.query, shared.tables, saved.queryRotation);
  read.key = rotated(".rotary.key", own.key, shared.tables, saved.keyRotation);
  read.value = own.value;
  if (shared.cache != nullptr) {
    append(read, *shared.cache);
  }
  SplitInputs& kept = saved.attention.inputs;
  MemoryTensor y = inFormats(
      m_run, module, {read.query, read.key, read.value}, kept, [&](const SiteShadow& site) {
        return AttentionShadow(site, module).attend(read, saved.attention);
      });
  m_run.show(Pass::Forward, module + ".attn_output", y);
  return linear(".self_attn.o_proj", y, {m_query, m_hidden}, saved.output);
}

AttentionTensors LayerShadow::attendedBackward(MemoryTensor gradient,
                                               const SharedShadow& shared,
                                               LayerSaved& saved) {
  const std::string module = path(".self_attn");
  gradient =
      linearBackward(".self_attn.o_proj", std::move(gradient), {m_query, m_hidden}, saved.output);
  m_run.show(Pass::Backward, module + ".attn_output", gradient);
  SplitInputs& kept = saved.attention.inputs;
  AttentionTensors own = backInFormats(
      m_run,
      module,
      std::move(gradient),
      kept,
      [&](const SiteShadow& site) {
        return AttentionShadow(site, module).attend({kept[0], kept[1], kept[2]}, saved.attention);
      },
      [&](const SiteShadow& site, MemoryTensor given) {
        return AttentionShadow(site, module).backward(std::move(given), saved.attention);
      });
  if (shared.gradients != nullptr) {
    cutGradients(own, *shared.gradients);
  }
  own.key = rotatedBackward(".rotary.key", std::move(own.key), shared.tables, saved.keyRotation);
  own.query =
      rotatedBackward(".rotary.query", std::move(own.query), shared.tables, saved.queryRotation);
  return own;
}

MemoryTensor LayerShadow::activated(const MemoryTensor& gate, ActivationSaved& saved) {
  const std::string module = path(".mlp.act_fn");
  MemoryTensor y = inFormats(m_run, module, {gate}, saved.inputs, [&](const SiteShadow& site) {
    return activation(site, gate, saved);
  });
  m_run.show(Pass::Forward, module, y);
  return y;
}

MemoryTensor LayerShadow::activation(const SiteShadow& site,
                                     const MemoryTensor& gate,
                                     ActivationSaved& saved) {
  const MemoryTensor read = site.cast(gate, Operation::Activation);
  saved.type = gate.type();
  if (site.keeps()) {
    saved.gate = read;
  }
  return site.rows(m_inner, Operation::Activation);
}

MemoryTensor LayerShadow::multiplied(const SiteShadow& site,
                                     const MemoryTensor& active,
                                     const MemoryTensor& up,
                                     GatedSaved& saved) {
  const MemoryTensor left = site.cast(active, Operation::Activation);
  const MemoryTensor right = site.cast(up, Operation::Activation);
  saved.activeType = active.type();
  saved.upType = up.type();
  if (site.keeps()) {
    saved.active = left;
    saved.up = right;
  }
  return site.rows(m_inner, Operation::Activation);
}

MemoryTensor LayerShadow::mlp(const MemoryTensor& x, LayerSaved& saved) {
  const Names names{".mlp.gate_proj", ".mlp.up_proj"};
  const Sizes sizes{m_hidden, m_inner};
  MemoryTensor active;
  MemoryTensor up;
  if (areJoined(names)) {
    up = joined(names, x, sizes, saved.gate);
    active = activated(up, saved.activation);
  } else {
    active = activated(linear(names.first, x, sizes, saved.gate), saved.activation);
    up = linear(names.second, x, sizes, saved.up);
  }
  const std::string module = path(".mlp");
  const MemoryTensor y =
      inFormats(m_run, module, {active, up}, saved.gated.inputs, [&](const SiteShadow& site) {
        return multiplied(site, active, up, saved.gated);
      });
  active.reset();
  up.reset();
  m_run.show(Pass::Forward, module + ".product", y);
  return linear(".mlp.down_proj", y, {m_inner, m_hidden}, saved.down);
}

MemoryTensor LayerShadow::mlpBackward(MemoryTensor gradient, LayerSaved& saved) {
  const std::string module = path(".mlp");
  MemoryTensor product =
      linearBackward(".mlp.down_proj", std::move(gradient), {m_inner, m_hidden}, saved.down);
  m_run.show(Pass::Backward, module + ".product", product);
  MemoryTensor active;
  SplitInputs& kept = saved.gated.inputs;
  MemoryTensor up = backInFormats(
      m_run,
      module,
      std::move(product),
      kept,
      [&](const SiteShadow& site) { return multiplied(site, kept[0], kept[1], saved.gated); },
      [&](const SiteShadow& site, MemoryTensor given) {
        given = m_run.inType(given, site.type(Operation::Activation));
        MemoryTensor right = site.rows(m_inner, Operation::Activation);
        active = site.rows(m_inner, Operation::Activation);
        given.reset();
        site.release(saved.gated.active, saved.gated.up);
        active = m_run.inType(active, saved.gated.activeType);
        return m_run.inType(right, saved.gated.upType);
      });
  const Names names{".mlp.gate_proj", ".mlp.up_proj"};
  const Sizes sizes{m_hidden, m_inner};
  MemoryTensor branch;
  if (areJoined(names)) {
    showShare(names.second, up, sizes);
    const MemoryTensor gate = activatedBackward(std::move(active), saved.activation);
    showShare(names.first, gate, sizes);
    branch = joinedBackward(names, gate, sizes, saved.gate);
  } else {
    branch = linearBackward(names.second, std::move(up), sizes, saved.up);
    MemoryTensor gate = activatedBackward(std::move(active), saved.activation);
    branch = m_run.sum(branch, linearBackward(names.first, std::move(gate), sizes, saved.gate));
  }
  m_run.show(Pass::Backward, module, branch);
  return branch;
}

MemoryTensor LayerShadow::activatedBackward(MemoryTensor gradient, ActivationSaved& saved) {
  const std::string module = path(".mlp.act_fn");
  MemoryTensor own = backInFormats(
      m_run,
      module,
      std::move(gradient),
      saved.inputs,
      [&](const SiteShadow& site) { return activation(site, saved.inputs.front(), saved); },
      [&](const SiteShadow& site, MemoryTensor given) {
        const MemoryTensor gate = site.rows(m_inner, Operation::Activation);
        given.reset();
        site.release(saved.gate);
        return m_run.inType(gate, saved.type);
      });
  m_run.show(Pass::Backward, module, own);
  return own;
}

MemoryTensor LayerShadow::sum(const SiteShadow& site,
                              const MemoryTensor& x,
                              const MemoryTensor& branch) {
  const MemoryTensor own = site.cast(branch, Operation::Residual);
  const MemoryTensor stream = site.cast(x, Operation::Residual);
  const MemoryTensor sum = site.rows(m_hidden, Operation::Residual);
  return site.cast(sum, Operation::Residual);
}

MemoryTensor LayerShadow::added(const MemoryTensor& x,
                                const MemoryTensor& branch,
                                SumSaved& saved) {
  saved.streamType = x.type();
  saved.branchType = branch.type();
  return inFormats(m_run, path(""), {x, branch}, saved.inputs, [&](const SiteShadow& site) {
    return sum(site, x, branch);
  });
}

std::pair<MemoryTensor, MemoryTensor> LayerShadow::addedBackward(const MemoryTensor& gradient,
                                                                 SumSaved& saved) {
  return backInFormats(
      m_run,
      path(""),
      gradient,
      saved.inputs,
      [&](const SiteShadow& site) { return sum(site, saved.inputs[0], saved.inputs[1]); },
      [&](const SiteShadow& /*site*/, const MemoryTensor& given) {
        return std::pair(m_run.inType(given, saved.streamType),
                         m_run.inType(given, saved.branchType));
      });
}

MemoryTensor LayerShadow::forward(const MemoryTensor& x,
                                  const SharedShadow& shared,
                                  LayerSaved& saved) {
  MemoryTensor h = norm(".input_layernorm").forward(x, saved.norm1);
  m_run.show(Pass::Forward, path(".input_layernorm"), h);
  h = attended(h, shared, saved);
  m_run.show(Pass::Forward, path(".self_attn"), h);
  const MemoryTensor middle = added(x, h, saved.sum1);
  m_run.show(Pass::Forward, path(".residual_mid"), middle);
  h = norm(".post_attention_layernorm").forward(middle, saved.norm2);
  m_run.show(Pass::Forward, path(".post_attention_layernorm"), h);
  h = mlp(h, saved);
  m_run.show(Pass::Forward, path(".mlp"), h);
  MemoryTensor y = added(middle, h, saved.sum2);
  m_run.show(Pass::Forward, fmt::format("decoder.{}", m_layer), y);
  return y;
}

MemoryTensor LayerShadow::backward(MemoryTensor gradient,
                                   const SharedShadow& shared,
                                   LayerSaved& saved) {
  const auto ofNorm = [this](std::string_view name, MemoryTensor branch, NormSaved& own) {
    branch = norm(name).backward(std::move(branch), own);
    m_run.show(Pass::Backward, path(name), branch);
    return branch;
  };
  MemoryTensor branch;
  std::tie(gradient, branch) = addedBackward(gradient, saved.sum2);
  branch = mlpBackward(std::move(branch), saved);
  branch = ofNorm(".post_attention_layernorm", std::move(branch), saved.norm2);
  gradient = m_run.sum(gradient, branch);
  m_run.show(Pass::Backward, path(".residual_mid"), gradient);
  std::tie(gradient, branch) = addedBackward(gradient, saved.sum1);
  branch = projectedBackward(attendedBackward(std::move(branch), shared, saved), saved);
  m_run.show(Pass::Backward, path(".self_attn"), branch);
  branch = ofNorm(".input_layernorm", std::move(branch), saved.norm1);
  gradient = m_run.sum(gradient, branch);
  m_run.show(Pass::Backward, fmt::format("decoder.{}", m_layer), gradient);
  return gradient;
}

}  // namespace ulp::analysis
