#include "core/analysis/studies/memory/run_shadow.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/analysis/studies/memory/rounding_workspace.h"
#include "core/base/dtype.h"

namespace ulp::analysis {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

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
  castWeights();
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

void RunShadow::castWeights() {
  const NumberFormat format = formats()[Operation::Weights];
  const bool isSimulated = numerics::isSimulated(format);
  const bool isRandom = formats().isStochastic && formats().bytes(Operation::Weights) < kFloatBytes;
  for (const OutlineSite& parameter : m_parameters) {
    MemoryTensor elements =
        isSimulated || isRandom ? rounded(format, parameter.count) : MemoryTensor();
    m_fixed.push_back(isSimulated ? std::move(elements) : make(parameter.count * parameterItem()));
  }
}

void RunShadow::use(std::uint64_t bytes) {
  const MemoryPart before = std::exchange(m_part, &MemoryParts::workspace);
  static_cast<void>(make(bytes));
  m_part = before;
}

bool RunShadow::isReadAsItIs(Operation from, Operation to) const {
  return numerics::carrierOf(formats()[from]) == numerics::carrierOf(formats()[to]) &&
         !numerics::isSimulated(formats()[to]);
}

MemoryTensor RunShadow::rounded(NumberFormat format, std::uint64_t count) {
  MemoryTensor result = make(count * kFloatBytes);
  if (m_parts.step.roundsByOperations) {
    use(roundingWorkspace(format, count, formats().isStochastic));
  }
  return result;
}

MemoryTensor RunShadow::cast(
    const MemoryTensor& tensor, std::uint64_t count, Operation from, Operation to, bool isWhole) {
  if (isReadAsItIs(from, to)) {
    return tensor;
  }
  const NumberFormat format = formats()[to];
  const bool isSimulated = numerics::isSimulated(format);
  const std::uint64_t bytes = formats().bytes(to);
  if (isSimulated) {
    const bool isCopied = !isWhole || formats().bytes(from) != bytes;
    const MemoryTensor read = isCopied ? make(count * bytes) : tensor;
    return rounded(format, count);
  }
  MemoryTensor random;
  if (formats().isStochastic && bytes < formats().bytes(from)) {
    random = rounded(format, count);
  }
  return make(count * bytes);
}

MemoryTensor RunShadow::castBack(const MemoryTensor& gradient,
                                 std::uint64_t count,
                                 Operation from,
                                 Operation to) {
  const bool isSame = numerics::carrierOf(formats()[from]) == numerics::carrierOf(formats()[to]);
  return isSame ? gradient : make(count * formats().bytes(to));
}

std::uint64_t RunShadow::parameterItem() const {
  const DType compute = numerics::carrierOf(formats()[Operation::Compute]);
  const DType weights = numerics::carrierOf(formats()[Operation::Weights]);
  const std::uint64_t wider = std::max(itemSize(compute), itemSize(weights));
  // Of two halves neither holds the other's numbers.
  return compute != weights && itemSize(compute) == itemSize(weights) ? 2 * wider : wider;
}

MemoryTensor RunShadow::weight(std::uint64_t count, Operation operation) {
  const NumberFormat format = formats()[operation];
  const std::uint64_t bytes = formats().bytes(operation);
  if (numerics::isSimulated(format) && format != formats()[Operation::Weights]) {
    return rounded(format, count);
  }
  return bytes == parameterItem() ? MemoryTensor() : make(count * bytes);
}

void RunShadow::show(Pass pass, std::string_view name, const MemoryTensor& tensor, bool isWhole) {
  if (m_isTrial || !m_parts.isCaptured(pass, name)) {
    return;
  }
  const std::uint64_t bytes = tensor.storage()->bytes();
  // What is cut from a wide batch is a copy, and so is what is divided by the loss's factor.
  const bool isCut = m_tokens > m_compared;
  const bool isScaled = pass != Pass::Forward && formats().lossScale != LossScale::One;
  MemoryMeter::Held shown = tensor.storage();
  if (isCut || isScaled || !isWhole) {
    const std::uint64_t own = isCut ? bytes / m_tokens * m_compared : bytes;
    const bool isWidened = isScaled && formats().bytes(Operation::Compute) < kFloatBytes;
    const std::uint64_t copied = isWidened ? 2 * own : own;
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
  MemoryTensor gradient = make(count * parameterItem());
  m_part = before;
  const auto known = std::ranges::find(m_gradients, name, &Gradient::name);
  if (known == m_gradients.end()) {
    m_gradients.push_back({.name = name, .count = count});
    m_gradients.back().uses.push_back(std::move(gradient));
  } else {
    known->uses.push_back(std::move(gradient));
  }
}

MemoryTensor RunShadow::taken(Gradient& gradient) {
  const std::uint64_t count = gradient.count;
  const auto added = [&] {
    const MemoryTensor sum = make(count * formats().bytes(Operation::Gradient));
    return cast(sum, count, Operation::Gradient, Operation::Gradient);
  };
  MemoryTensor sum;
  while (!gradient.uses.empty()) {
    const MemoryTensor use = std::move(gradient.uses.back());
    gradient.uses.pop_back();
    const std::uint64_t computed = formats().bytes(Operation::Compute);
    MemoryTensor own = computed == parameterItem() ? use : make(count * computed);
    own = cast(own, count, Operation::Compute, Operation::Gradient);
    sum = sum ? added() : own;
  }
  if (gradient.before && sum) {
    sum = added();
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
  const auto kept = [&](std::uint64_t wide) {
    const MemoryTensor state = make(count * wide);
    return numerics::isSimulated(formats()[Operation::Optimizer])
               ? rounded(formats()[Operation::Optimizer], count)
               : state;
  };
  const auto stepTensors = [&](std::uint64_t gradientItem, std::uint64_t wide) {
    const MemoryTensor old = make(count * wide);
    const MemoryTensor gradient = gradientItem == wide ? MemoryTensor() : make(count * wide);
    const MemoryTensor decayed = make(count * wide);
    std::vector<MemoryTensor> results;
    results.push_back(kept(wide));
    results.push_back(kept(wide));
    MemoryTensor root = make(count * wide);
    const MemoryTensor denominator = make(count * wide);
    root.reset();
    const MemoryTensor changed = make(count * wide);
    results.push_back(make(count * wide));
    return results;
  };
  const std::vector<MemoryTensor> own =
      stepTensors(formats().bytes(Operation::Gradient), std::max(parameterItem(), kFloatBytes));
  if (!m_parts.isReference) {
    // The reference's are made again for each tensor.
    static_cast<void>(stepTensors(kFloatBytes, kFloatBytes));
  }
}

}  // namespace ulp::analysis
