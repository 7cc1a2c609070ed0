#include "core/analysis/studies/memory/run_shadow.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ulp::analysis {
namespace {

std::vector<OutlineSite> parametersOf(const ModelOutline& model) {
  std::vector<OutlineSite> sites = outlineSites(model, {.level = Level::Layer, .length = 1});
  std::erase_if(sites,
                [](const OutlineSite& each) { return each.site.pass != Pass::ParameterGradient; });
  return sites;
}

}  // namespace

RunShadow::RunShadow(const Parts& parts)
    : m_parts(parts),
      m_compared(unsignedOf(parts.step.batch * parts.step.length)),
      m_tokens(
          static_cast<std::uint64_t>(static_cast<double>(m_compared) * parts.formats.positions)),
      m_parameters(parametersOf(parts.model)) {
  for (const OutlineSite& parameter : m_parameters) {
    m_fixed.push_back(make(parameter.count * formats().weights));
  }
  m_fixed.push_back(held(parts.kept, parts.kept, &MemoryParts::captures));
  setPart(&MemoryParts::workspace);
  m_fixed.push_back(make(blasWorkspace(step().backward)));
}

MemoryTensor RunShadow::make(std::uint64_t bytes) {
  return held(bytes, allocatedBytes(bytes), m_part);
}

MemoryTensor RunShadow::held(std::uint64_t bytes, std::uint64_t counted, MemoryPart part) {
  return MemoryTensor(std::make_shared<MemoryMeter::Storage>(m_meter, bytes, counted, part));
}

MemoryTensor RunShadow::cast(const MemoryTensor& tensor,
                             std::uint64_t width,
                             std::uint64_t from,
                             std::uint64_t to) {
  return from == to ? tensor : rows(width, to);
}

void RunShadow::show(Pass pass, std::string_view name, const MemoryTensor& tensor, bool isWhole) {
  if (m_isTrial || !m_parts.isCaptured(pass, name)) {
    return;
  }
  const std::uint64_t bytes = tensor.storage()->bytes();
  // What is cut from a wide batch is a copy, and so is what is divided by the loss's factor.
  const bool isCut = m_tokens > m_compared;
  const bool isScaled = pass != Pass::Forward && formats().usesFloat16;
  MemoryMeter::Held shown = tensor.storage();
  if (isCut || isScaled || !isWhole) {
    const std::uint64_t own = isCut ? bytes / m_tokens * m_compared : bytes;
    const std::uint64_t copied = isScaled ? 2 * own : own;
    shown = held(copied, allocatedBytes(copied), &MemoryParts::captures).storage();
  }
  if (m_parts.isReference) {
    hold(std::move(shown));
  }
}

void RunShadow::hold(MemoryMeter::Held storage) {
  m_heldBytes += storage->bytes();
  m_held.push_back(std::move(storage));
  // As worker::ReferenceCaptures and engine::CaptureComparer do.
  const std::uint64_t usable = m_parts.room - m_parts.room / 10;
  const std::uint64_t room = usable - std::min(usable, m_meter.peak());
  while (m_heldBytes > room) {
    m_heldBytes -= m_held.back()->bytes();
    m_held.pop_back();
  }
}

std::uint64_t RunShadow::keptBytes() const {
  // A module's output may be that of its last part.
  const std::set<MemoryMeter::Held> distinct(m_held.begin(), m_held.end());
  std::uint64_t bytes = 0;
  for (const MemoryMeter::Held& each : distinct) {
    bytes += each->counted();
  }
  return bytes;
}

void RunShadow::addGradient(const std::string& name, std::uint64_t count) {
  const MemoryPart before = std::exchange(m_part, &MemoryParts::gradients);
  MemoryTensor gradient = make(count * formats().weights);
  m_part = before;
  const auto known = std::ranges::find(m_gradients, name, &Gradient::name);
  if (known == m_gradients.end()) {
    m_gradients.push_back({.name = name});
    m_gradients.back().uses.push_back(std::move(gradient));
  } else {
    known->uses.push_back(std::move(gradient));
  }
}

MemoryTensor RunShadow::taken(Gradient& gradient) {
  MemoryTensor sum;
  while (!gradient.uses.empty()) {
    MemoryTensor own = std::move(gradient.uses.back());
    gradient.uses.pop_back();
    const std::uint64_t count = own.storage()->bytes() / formats().weights;
    if (formats().gradient != formats().weights) {
      own = make(count * formats().gradient);
    }
    sum = sum ? make(count * formats().gradient) : own;
  }
  if (gradient.before && sum) {
    sum = make(sum.storage()->bytes());
  }
  gradient.before.reset();
  return sum;
}

void RunShadow::foldGradients() {
  m_part = &MemoryParts::gradients;
  for (Gradient& gradient : m_gradients) {
    gradient.before = taken(gradient);
  }
}

void RunShadow::finish() {
  std::vector<MemoryTensor> shown;
  for (Gradient& gradient : m_gradients) {
    m_part = &MemoryParts::gradients;
    MemoryTensor whole = taken(gradient);
    const bool isWanted = m_parts.isCaptured(Pass::ParameterGradient, gradient.name);
    show(Pass::ParameterGradient, gradient.name, whole);
    // Those that nobody compares leave for the host.
    if (step().hasOptimizer && isWanted) {
      shown.push_back(std::move(whole));
    }
  }
  if (!step().hasOptimizer) {
    return;
  }
  m_part = &MemoryParts::workspace;
  for (const OutlineSite& parameter : m_parameters) {
    if (isCaptured(Pass::Optimizer, parameter.site.name)) {
      takeStep(parameter.count);
    }
  }
}

/// core/engine/running/optimizer_step.cpp: AdamW in float32 or wider.
void RunShadow::takeStep(std::uint64_t count) {
  const auto stepTensors = [&](std::uint64_t gradientItem, std::uint64_t wide) {
    const MemoryTensor old = make(count * wide);
    const MemoryTensor gradient = gradientItem == wide ? MemoryTensor() : make(count * wide);
    const MemoryTensor decayed = make(count * wide);
    std::vector<MemoryTensor> results;
    results.push_back(make(count * wide));
    results.push_back(make(count * wide));
    MemoryTensor root = make(count * wide);
    const MemoryTensor denominator = make(count * wide);
    root.reset();
    const MemoryTensor changed = make(count * wide);
    results.push_back(make(count * wide));
    return results;
  };
  constexpr std::uint64_t kFloat = 4;
  const std::vector<MemoryTensor> own =
      stepTensors(formats().gradient, std::max(formats().weights, kFloat));
  if (!m_parts.isReference) {
    // The reference's are made again for each tensor.
    static_cast<void>(stepTensors(kFloat, kFloat));
  }
}

}  // namespace ulp::analysis
