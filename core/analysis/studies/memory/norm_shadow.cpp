#include "core/analysis/studies/memory/norm_shadow.h"

#include <utility>

namespace ulp::analysis {

using numerics::Operation;

MemoryTensor NormShadow::forward(const MemoryTensor& x, NormSaved& saved) {
  saved.use = m_parameters.use(m_path + ".weight", m_path);
  saved.type = x.type();
  return inFormats(
      m_run, m_path, {x, saved.use.elements}, saved.inputs, [&](const SiteShadow& site) {
        return operation(site, x, saved);
      });
}

MemoryTensor NormShadow::backward(MemoryTensor gradient, NormSaved& saved) {
  return backInFormats(
      m_run,
      m_path,
      std::move(gradient),
      saved.inputs,
      [&](const SiteShadow& site) { return operation(site, saved.inputs.front(), saved); },
      [&](const SiteShadow& site, MemoryTensor given) {
        return m_run.formats().fusesNorms ? onceBackward(site, std::move(given), saved)
                                          : twiceBackward(site, std::move(given), saved);
      });
}

bool NormShadow::readsTwice(DType input) const {
  const ModuleFormats& formats = m_run.at(m_path);
  const numerics::NumberFormat statistics = formats.forward[Operation::NormStatistics];
  return !m_run.formats().fusesNorms && !formats.isSplit() && !numerics::isSimulated(statistics) &&
         numerics::carrierOf(statistics) == input;
}

MemoryTensor NormShadow::roundedTwice(const SiteShadow& site,
                                      const MemoryTensor& x,
                                      NormSaved& saved) {
  const std::uint64_t width = unsignedOf(m_run.model().hidden);
  const MemoryTensor wide = site.cast(x, Operation::NormStatistics);
  MemoryTensor squares = site.rows(width, Operation::NormStatistics);
  const MemoryTensor variance = site.rows(1, Operation::NormStatistics);
  squares.reset();
  m_run.show(Pass::Forward, m_path + ".variance", variance);
  const MemoryTensor root = site.rows(1, Operation::NormStatistics);
  const MemoryTensor normalised = site.rows(width, Operation::NormStatistics);
  const MemoryTensor rounded = site.cast(normalised, Operation::NormOutput);
  m_run.show(Pass::Forward, m_path + ".normalized", rounded);
  const MemoryTensor scaled = site.rows(width, Operation::NormOutput);
  if (site.keeps()) {
    saved.wide = wide;
    saved.root = root;
    saved.rounded = saved.use.isWanted ? rounded : MemoryTensor();
  }
  return site.cast(scaled, Operation::NormOutput);
}

MemoryTensor NormShadow::roundedOnce(const SiteShadow& site,
                                     const MemoryTensor& x,
                                     NormSaved& saved) {
  const std::uint64_t width = unsignedOf(m_run.model().hidden);
  const MemoryTensor narrow = site.cast(x, Operation::Compute);
  const MemoryTensor wide = site.cast(narrow, Operation::NormStatistics);
  const MemoryTensor root = site.rows(1, Operation::NormStatistics);
  MemoryTensor normalised;
  if (!m_run.step().isOnCuda) {
    // The CPU has no kernel for it.
    static_cast<void>(site.rows(width, Operation::NormStatistics));
    normalised = site.rows(width, Operation::NormStatistics);
  }
  const MemoryTensor scaled = site.rows(width, Operation::NormStatistics);
  if (site.keeps()) {
    saved.wide = wide;
    saved.root = root;
    saved.rounded = saved.use.isWanted ? normalised : MemoryTensor();
  }
  return site.cast(scaled, Operation::NormOutput);
}

void NormShadow::leaveGradient(const NormSaved& saved, DType computed) {
  if (saved.use.isWanted) {
    const MemoryPart before = m_run.part();
    m_run.setPart(&MemoryParts::gradients);
    const MemoryTensor own = m_run.make(unsignedOf(m_run.model().hidden), computed);
    m_parameters.setGradient(saved.use, m_run.inType(own, saved.use.elements.type()));
    m_run.setPart(before);
  }
}

MemoryTensor NormShadow::twiceBackward(const SiteShadow& site,
                                       MemoryTensor gradient,
                                       NormSaved& saved) {
  const std::uint64_t width = unsignedOf(m_run.model().hidden);
  if (saved.use.isWanted) {
    static_cast<void>(site.rows(width, Operation::NormOutput));
    leaveGradient(saved, site.type(Operation::NormOutput));
  }
  MemoryTensor inner = site.rows(width, Operation::NormOutput);
  gradient.reset();
  site.release(saved.rounded);
  if (!m_run.formats().fusesNorms) {
    m_run.show(Pass::Backward, m_path + ".normalized", inner);
  }
  inner = m_run.inType(inner, site.type(Operation::NormStatistics));
  const MemoryTensor scaled = site.rows(width, Operation::NormStatistics);
  static_cast<void>(site.rows(width, Operation::NormStatistics));
  inner.reset();
  site.release(saved.root);
  {
    // The mean's gradient, then that of the square: its base, twice that, the product.
    const MemoryTensor mean = site.rows(width, Operation::NormStatistics);
    const MemoryTensor base = site.rows(width, Operation::NormStatistics);
    const MemoryTensor twice = site.rows(width, Operation::NormStatistics);
    static_cast<void>(site.rows(width, Operation::NormStatistics));
  }
  site.release(saved.wide);
  return m_run.inType(scaled, saved.type);
}

MemoryTensor NormShadow::onceBackward(const SiteShadow& site,
                                      MemoryTensor gradient,
                                      NormSaved& saved) {
  if (!m_run.step().isOnCuda) {
    return twiceBackward(site, std::move(gradient), saved);
  }
  const std::uint64_t width = unsignedOf(m_run.model().hidden);
  const MemoryTensor wide = m_run.inType(gradient, site.type(Operation::NormStatistics));
  gradient.reset();
  const MemoryTensor own = site.rows(width, Operation::NormStatistics);
  leaveGradient(saved, site.type(Operation::NormStatistics));
  site.release(saved.root, saved.wide);
  const MemoryTensor narrow = m_run.inType(own, site.type(Operation::Compute));
  return m_run.inType(narrow, saved.type);
}

}  // namespace ulp::analysis
