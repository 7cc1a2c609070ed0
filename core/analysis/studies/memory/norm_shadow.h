#pragma once

#include <string>
#include <utility>

#include "core/analysis/studies/memory/parameter_shadow.h"
#include "core/analysis/studies/memory/site_shadow.h"

namespace ulp::analysis {

/// What a norm leaves for the backward pass.
struct NormSaved {
  ParameterUse use;
  DType type = DType::Float32;  ///< of the input
  MemoryTensor wide;            ///< the input in the format of the statistics
  MemoryTensor root;            ///< one number a token
  MemoryTensor rounded;         ///< for the gradient of the weight
  SplitInputs inputs;
};

/// A norm of the residual stream: rmsNorm() of core/engine/network/layers.cpp.
class NormShadow {
 public:
  /// `path`: of its module.
  NormShadow(RunShadow& run, ParameterShadow& parameters, std::string path)
      : m_run(run), m_parameters(parameters), m_path(std::move(path)) {}

  [[nodiscard]] MemoryTensor forward(const MemoryTensor& x, NormSaved& saved);
  [[nodiscard]] MemoryTensor backward(MemoryTensor gradient, NormSaved& saved);
  /// Whether the square and the product read the input, not a copy.
  [[nodiscard]] bool readsTwice(DType input) const;

 private:
  [[nodiscard]] MemoryTensor roundedTwice(const SiteShadow& site,
                                          const MemoryTensor& x,
                                          NormSaved& saved);
  [[nodiscard]] MemoryTensor roundedOnce(const SiteShadow& site,
                                         const MemoryTensor& x,
                                         NormSaved& saved);
  [[nodiscard]] MemoryTensor operation(const SiteShadow& site,
                                       const MemoryTensor& x,
                                       NormSaved& saved) {
    return m_run.formats().fusesNorms ? roundedOnce(site, x, saved) : roundedTwice(site, x, saved);
  }
  [[nodiscard]] MemoryTensor twiceBackward(const SiteShadow& site,
                                           MemoryTensor gradient,
                                           NormSaved& saved);
  [[nodiscard]] MemoryTensor onceBackward(const SiteShadow& site,
                                          MemoryTensor gradient,
                                          NormSaved& saved);
  void leaveGradient(const NormSaved& saved, DType computed);

  RunShadow& m_run;
  ParameterShadow& m_parameters;
  std::string m_path;
};

}  // namespace ulp::analysis
