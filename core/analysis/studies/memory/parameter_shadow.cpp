#include "core/analysis/studies/memory/parameter_shadow.h"

#include <algorithm>
#include <span>

#include "core/analysis/studies/memory/site_shadow.h"

namespace ulp::analysis {

using numerics::NumberFormat;
using numerics::Operation;

ParameterShadow::ParameterShadow(RunShadow& run) : m_run(run) {
  const MemoryPart before = m_run.part();
  m_run.setPart(&MemoryParts::weights);
  for (OutlineSite& site : outlineSites(run.model(), {.level = Level::Layer, .length = 1})) {
    if (site.site.pass != Pass::ParameterGradient) {
      continue;
    }
    const std::string& name = site.site.name;
    const bool isWanted = run.step().backward && (run.isCaptured(Pass::ParameterGradient, name) ||
                                                  run.isCaptured(Pass::Optimizer, name));
    m_index.emplace(name, m_parameters.size());
    m_parameters.push_back({.name = name,
                            .module = name.substr(0, name.rfind('.')),
                            .count = site.count,
                            .isWanted = isWanted});
    static_cast<void>(cast(m_parameters.back(), formatAt(m_parameters.back().module)));
  }
  m_run.setPart(before);
}

ParameterShadow::Parameter& ParameterShadow::named(const std::string& name) {
  return m_parameters[m_index.find(name)->second];
}

/// SiteFormats::parameterType() of the engine.
ParameterShadow::Format ParameterShadow::formatAt(const std::string& module) {
  const ModuleFormats& formats = m_run.at(module);
  DType type = numerics::carrierOf(formats.forward[Operation::Weights]);
  for (const NumberFormat read :
       {formats.forward[Operation::Compute], formats.backward[Operation::Compute]}) {
    const DType own = numerics::carrierOf(read);
    // Of two halves neither holds the other's numbers.
    const bool isHalves = own != type && itemSize(own) == itemSize(type);
    type = isHalves ? DType::Float32 : itemSize(own) > itemSize(type) ? own : type;
  }
  return {formats.forward[Operation::Weights], type};
}

const MemoryTensor& ParameterShadow::cast(Parameter& parameter, const Format& format) {
  if (parameter.elements && parameter.format == format) {
    return parameter.elements;
  }
  parameter.elements.reset();
  parameter.format = format;
  const MemoryPart before = m_run.part();
  m_run.setPart(&MemoryParts::weights);
  const DType carrier = numerics::carrierOf(format.first);
  const bool isRounded = numerics::isSimulated(format.first) ||
                         (m_run.formats().isStochastic && itemSize(carrier) < kFloatBytes);
  const MemoryTensor numbers =
      isRounded ? m_run.rounded(format.first, parameter.count) : MemoryTensor();
  parameter.elements =
      numbers ? m_run.inType(numbers, format.second) : m_run.make(parameter.count, format.second);
  m_run.setPart(before);
  return parameter.elements;
}

ParameterUse ParameterShadow::added(MemoryTensor elements,
                                    const std::string& module,
                                    const std::vector<Parameter*>& parameters,
                                    bool isTransposed) {
  ParameterUse use{.elements = std::move(elements), .index = m_uses.size()};
  for (Parameter* const parameter : parameters) {
    if (parameter->isWanted) {
      parameter->parts.push_back({use.index, isTransposed});
      use.isWanted = true;
    }
  }
  if (use.isWanted) {
    m_uses.push_back({.leaf = use.elements, .module = module});
  }
  return use;
}

ParameterUse ParameterShadow::use(const std::string& name,
                                  const std::string& module,
                                  bool isTransposed) {
  Parameter& parameter = named(name);
  const MemoryTensor& elements = cast(parameter, formatAt(module));
  return added(isTransposed ? m_run.make(elements.count(), elements.type()) : elements,
               module,
               {&parameter},
               isTransposed);
}

ParameterUse ParameterShadow::useJoined(const std::string& first,
                                        const std::string& second,
                                        const std::string& module) {
  Parameter& a = named(first);
  Parameter& b = named(second);
  const Format format = formatAt(module);
  static_cast<void>(cast(a, format));
  static_cast<void>(cast(b, format));
  return added(m_run.make(a.count + b.count, format.second), module, {&a, &b}, false);
}

void ParameterShadow::setGradient(const ParameterUse& use, const MemoryTensor& gradient) {
  m_uses[use.index].gradient = gradient;
}

void ParameterShadow::dropGradients() {
  for (Use& use : m_uses) {
    use.gradient.reset();
  }
}

MemoryTensor ParameterShadow::taken(Parameter& parameter) {
  MemoryTensor before = std::exchange(parameter.folded, {});
  MemoryTensor sum;
  if (m_run.formats().isFastLlm) {
    std::swap(before, sum);
  }
  const auto added = [this](const MemoryTensor& a, const MemoryTensor& b, const SiteShadow& site) {
    return site.cast(m_run.sum(a, b), Operation::Gradient);
  };
  std::vector<Part> parts = std::exchange(parameter.parts, {});
  std::ranges::reverse(parts);
  const numerics::OperationFormats* last = nullptr;
  for (const Part& part : parts) {
    Use& use = m_uses[part.use];
    if (!use.gradient) {
      continue;
    }
    last = &m_run.at(use.module).backward;
    const SiteShadow site(m_run, *last);
    MemoryTensor own =
        m_run.inType(use.gradient.part(parameter.count), site.type(Operation::Compute));
    own = site.cast(own, Operation::Gradient);
    sum = sum ? added(sum, own, site) : own;
    if (use.leaf.count() == parameter.count) {
      use.gradient.reset();
    }
  }
  if (before && sum) {
    return added(before, sum, SiteShadow(m_run, *last));
  }
  return sum ? sum : before;
}

void ParameterShadow::foldGradients() {
  m_run.setPart(&MemoryParts::gradients);
  for (Parameter& parameter : m_parameters) {
    parameter.folded = taken(parameter);
  }
  m_uses.clear();
}

void ParameterShadow::finish() {
  const bool hasStep = m_run.step().optimizer.type != study::OptimizerSettings::Type::None;
  std::vector<MemoryTensor> gradients(m_parameters.size());
  for (std::size_t i = 0; i < m_parameters.size(); ++i) {
    Parameter& parameter = m_parameters[i];
    m_run.setPart(&MemoryParts::gradients);
    const bool isTransposed = !parameter.parts.empty() && parameter.parts.front().isTransposed;
    MemoryTensor whole = taken(parameter);
    if (!whole) {
      continue;
    }
    m_run.show(Pass::ParameterGradient,
               parameter.name,
               whole,
               isTransposed ? ShownAs::TurnedWhole : ShownAs::Whole);
    // Those that nobody compares leave for the host.
    if (hasStep && m_run.isCaptured(Pass::ParameterGradient, parameter.name)) {
      gradients[i] = std::move(whole);
    }
  }
  m_run.setPart(&MemoryParts::workspace);
  for (std::size_t i = 0; hasStep && i < m_parameters.size(); ++i) {
    if (m_run.isCaptured(Pass::Optimizer, m_parameters[i].name)) {
      takeStep(m_parameters[i], gradients[i]);
      gradients[i].reset();
    }
  }
}

void ParameterShadow::takeStep(const Parameter& parameter, const MemoryTensor& gradient) {
  const auto typeIn = [](const numerics::OperationFormats& formats) {
    return numerics::carrierOf(formats[Operation::Gradient]);
  };
  const numerics::OperationFormats& formats = m_run.at(parameter.module).backward;
  MemoryTensor read = gradient;
  if (!read && m_run.step().isOnCuda) {
    read = m_run.make(parameter.count, typeIn(formats));
  } else if (!read) {
    read = MemoryTensor(nullptr, parameter.count, typeIn(formats));
  }
  const std::vector<MemoryTensor> own = stepOf(read, formats);
  if (!m_run.isReference()) {
    // The reference's are made again for each tensor, of its gradient that was captured.
    const ModuleFormats reference = m_run.reference().at(parameter.module);
    static_cast<void>(stepOf(MemoryTensor(nullptr, parameter.count, typeIn(reference.backward)),
                             reference.backward));
  }
}

std::vector<MemoryTensor> ParameterShadow::stepOf(const MemoryTensor& gradient,
                                                  const numerics::OperationFormats& formats) {
  const study::OptimizerSettings& optimizer = m_run.step().optimizer;
  const SiteShadow site(m_run, formats);
  const bool isDouble = formats[Operation::Weights] == NumberFormat::Float64;
  const DType type = isDouble ? DType::Float64 : DType::Float32;
  const auto made = [&] { return m_run.make(gradient.count(), type); };
  const auto kept = [&](const MemoryTensor& state) {
    return site.cast(state, Operation::Optimizer);
  };
  const bool decays = optimizer.weightDecay != 0;
  // On the CPU it is the stored one.
  const MemoryTensor old = isDouble || m_run.step().isOnCuda ? made() : MemoryTensor();
  MemoryTensor read = m_run.inType(gradient, type);
  std::vector<MemoryTensor> results;
  if (optimizer.type == study::OptimizerSettings::Type::Sgd) {
    read = decays ? made() : read;
    if (optimizer.momentum != 0) {
      results.push_back(kept(read));
      read = m_run.inType(results.front(), type);
    }
    const MemoryTensor changed = made();
    results.push_back(made());
    return results;
  }
  const MemoryTensor decayed = decays ? made() : old;
  results.push_back(kept(made()));
  results.push_back(kept(made()));
  MemoryTensor denominator;
  {
    const MemoryTensor square = m_run.inType(results[1], type);
    const MemoryTensor root = made();
    denominator = made();
  }
  MemoryTensor changed;
  {
    const MemoryTensor average = m_run.inType(results[0], type);
    changed = made();
  }
  results.push_back(made());
  return results;
}

}  // namespace ulp::analysis
