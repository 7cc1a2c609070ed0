#include "core/engine/network/parameters.h"

#include <algorithm>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "core/base/list_of.h"

namespace ulp::engine {

using numerics::Operation;

ParameterFormat parameterFormat(const SiteFormats& site) {
  const numerics::Rounding& rounding = site.forward.rounding();
  return {.format = site.forward[Operation::Weights],
          .type = site.parameterType(),
          .rounding = rounding.mode,
          .overflow = rounding.overflow,
          .seed = rounding.seed};
}

ParameterSet::ParameterSet(std::vector<std::string> names,
                           Source source,
                           const Filter& wantsGradient,
                           Accumulation accumulation)
    : m_names(std::move(names)),
      m_source(std::move(source)),
      m_accumulation(accumulation),
      m_parts(m_names.size()) {
  for (std::size_t i = 0; i < m_names.size(); ++i) {
    m_index.emplace(m_names[i], i);
    m_wanted.push_back(wantsGradient(m_names[i]));
  }
}

std::size_t ParameterSet::indexOf(const std::string& name) const {
  const auto found = m_index.find(name);
  TORCH_CHECK(found != m_index.end(), "the network did not declare the parameter ", name);
  return found->second;
}

at::Tensor ParameterSet::addUse(const at::Tensor& elements,
                                bool wantsGradient,
                                const SiteFormats& site) {
  at::Tensor leaf = elements.detach();
  leaf.requires_grad_(wantsGradient);
  if (wantsGradient) {
    m_uses.push_back({leaf, site.backward});
  }
  return leaf;
}

at::Tensor ParameterSet::use(const std::string& name, const SiteFormats& site, bool isTransposed) {
  // Neither the conversion nor the transposition belongs to the graph.
  const c10::NoGradGuard noGrad;
  const std::size_t index = indexOf(name);
  const at::Tensor elements = m_source(index, parameterFormat(site));
  at::Tensor leaf =
      addUse(isTransposed ? elements.t().contiguous() : elements, m_wanted[index], site);
  if (m_wanted[index]) {
    m_parts[index].push_back({m_uses.size() - 1, 0, leaf.size(0), isTransposed});
  }
  return leaf;
}

at::Tensor ParameterSet::useIfAny(const std::string& name, const SiteFormats& site) {
  return has(name) ? use(name, site) : at::Tensor();
}

at::Tensor ParameterSet::useJoined(const std::vector<std::string>& names, const SiteFormats& site) {
  std::vector<at::Tensor> elements;
  bool isWanted = false;
  for (const std::string& name : names) {
    if (!has(name)) {
      return {};
    }
    const std::size_t index = indexOf(name);
    isWanted = isWanted || m_wanted[index];
    elements.push_back(m_source(index, parameterFormat(site)));
  }
  const c10::NoGradGuard noGrad;
  at::Tensor leaf = addUse(at::cat(elements), isWanted, site);
  std::int64_t row = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t index = indexOf(names[i]);
    if (m_wanted[index]) {
      m_parts[index].push_back({m_uses.size() - 1, row, elements[i].size(0), false});
    }
    row += elements[i].size(0);
  }
  return leaf;
}

void ParameterSet::foldGradients() {
  m_folded = listOf(m_names, [this](const std::string& name) { return takeGradient(name); });
  m_uses.clear();
}

void ParameterSet::dropGradients() {
  for (const Use& use : m_uses) {
    use.leaf.mutable_grad().reset();
  }
}

at::Tensor ParameterSet::takeGradient(const std::string& name) {
  const c10::NoGradGuard noGrad;
  at::Tensor before = m_folded.empty() ? at::Tensor() : std::exchange(m_folded[indexOf(name)], {});
  at::Tensor sum;
  if (m_accumulation == Accumulation::EachUse) {
    std::swap(before, sum);
  }
  PassFormats formats;
  // The use that came last is the first that the backward pass reaches.
  std::vector<Part> parts = m_parts[indexOf(name)];
  std::ranges::reverse(parts);
  for (const Part& part : parts) {
    const Use& use = m_uses[part.use];
    const at::Tensor gradient = use.leaf.grad();
    if (!gradient.defined()) {
      continue;
    }
    at::Tensor own = part.rows == gradient.size(0)
                         ? gradient
                         : gradient.slice(0, part.firstRow, part.firstRow + part.rows);
    own = part.isTransposed ? own.t() : own;
    own = use.formats.to(own.to(use.formats.type(Operation::Compute)), Operation::Gradient);
    sum = sum.defined() ? use.formats.to(sum + own, Operation::Gradient) : own;
    formats = use.formats;
    if (part.rows == gradient.size(0)) {
      use.leaf.mutable_grad().reset();
    }
  }
  m_parts[indexOf(name)].clear();
  if (!before.defined()) {
    return sum;
  }
  return sum.defined() ? formats.to(before + sum, Operation::Gradient) : before;
}

}  // namespace ulp::engine
