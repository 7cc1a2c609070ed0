#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/studies/memory/run_shadow.h"
#include "core/numerics/rounding/operation_formats.h"

namespace ulp::analysis {

/// What the operations of a module make in one pass: core/engine/precision/pass_formats.h.
class SiteShadow {
 public:
  using Operation = numerics::Operation;

  SiteShadow(RunShadow& run, const numerics::OperationFormats& formats)
      : m_run(run), m_formats(formats) {}
  /// `keeps`: autograd keeps what the backward pass reads; `isAnew`: it walks what it made itself.
  SiteShadow(RunShadow& run, const numerics::OperationFormats& formats, bool keeps, bool isAnew)
      : m_run(run), m_formats(formats), m_keeps(keeps), m_isAnew(isAnew) {}

  [[nodiscard]] RunShadow& run() const { return m_run; }
  [[nodiscard]] numerics::NumberFormat operator[](Operation operation) const {
    return m_formats[operation];
  }
  [[nodiscard]] DType type(Operation operation) const {
    return numerics::carrierOf(m_formats[operation]);
  }
  [[nodiscard]] bool keeps() const { return m_keeps; }

  [[nodiscard]] MemoryTensor make(std::uint64_t count, Operation operation) const {
    return m_run.make(count, type(operation));
  }
  /// `width` elements for each token that is computed.
  [[nodiscard]] MemoryTensor rows(std::uint64_t width, Operation operation) const {
    return make(m_run.tokens() * width, operation);
  }
  /// A tensor as an operation reads it, or as its result is kept: PassFormats::to(). `isWhole`:
  /// contiguous.
  [[nodiscard]] MemoryTensor cast(const MemoryTensor& x,
                                  Operation operation,
                                  bool isWhole = true) const;
  /// PassFormats::weight().
  [[nodiscard]] MemoryTensor weight(const MemoryTensor& parameter, Operation operation) const;
  /// Lets go of what a node of autograd had saved, once it has run for the last time.
  template <class... Tensors>
  void release(Tensors&... saved) const {
    if (m_isAnew || !m_run.isTrial()) {
      (saved.reset(), ...);
    }
  }

 private:
  RunShadow& m_run;
  const numerics::OperationFormats& m_formats;
  bool m_keeps = false;
  bool m_isAnew = false;
};

/// What a module keeps where its backward pass computes anew.
using SplitInputs = std::vector<MemoryTensor>;

/// The forward pass of an operation of a module, and what is kept of it: inFormats() of the engine.
template <class Operation>
[[nodiscard]] MemoryTensor inFormats(RunShadow& run,
                                     const std::string& module,
                                     std::vector<MemoryTensor> inputs,
                                     SplitInputs& kept,
                                     const Operation& operation) {
  const ModuleFormats& formats = run.at(module);
  const bool isSplit = formats.isSplit();
  if (run.step().backward && isSplit) {
    kept = std::move(inputs);
  }
  return operation(SiteShadow(run, formats.forward, run.step().backward && !isSplit, false));
}

/// Its backward pass: `derivative` makes the gradients of the inputs of that of the result. Where
/// the formats of the passes differ, `operation` is made once more before.
template <class Operation, class Derivative>
[[nodiscard]] auto backInFormats(RunShadow& run,
                                 const std::string& module,
                                 MemoryTensor gradient,
                                 SplitInputs& kept,
                                 const Operation& operation,
                                 const Derivative& derivative) {
  const ModuleFormats& formats = run.at(module);
  const SiteShadow site(run, formats.backward, true, formats.isSplit());
  if (!formats.isSplit()) {
    return derivative(site, std::move(gradient));
  }
  const MemoryTensor result = operation(site);
  auto gradients = derivative(site, run.inType(gradient, result.type()));
  if (!run.isTrial()) {
    kept.clear();
  }
  return gradients;
}

}  // namespace ulp::analysis
