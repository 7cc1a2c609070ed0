#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/studies/memory/run_shadow.h"

namespace ulp::analysis {

/// A parameter as an operation reads it.
struct ParameterUse {
  MemoryTensor elements;
  std::size_t index = 0;  ///< among the uses whose gradients are wanted
  bool isWanted = false;
};

/// The parameters of a run, and their gradients: core/engine/network/parameters.h and
/// weights/cast_weights.h.
class ParameterShadow {
 public:
  /// Casts all of them.
  explicit ParameterShadow(RunShadow& run);

  /// `isTransposed`: columns as rows, contiguous.
  [[nodiscard]] ParameterUse use(const std::string& name,
                                 const std::string& module,
                                 bool isTransposed = false);
  /// The rows of one behind those of another.
  [[nodiscard]] ParameterUse useJoined(const std::string& first,
                                       const std::string& second,
                                       const std::string& module);
  /// The backward pass leaves a gradient at a use.
  void setGradient(const ParameterUse& use, const MemoryTensor& gradient);
  /// Another micro-batch follows.
  void foldGradients();
  void dropGradients();
  /// Shows what a step left of each parameter and takes the optimizer's.
  void finish();

 private:
  using Format = std::pair<numerics::NumberFormat, DType>;
  struct Part {
    std::size_t use = 0;
    bool isTransposed = false;
  };
  struct Parameter {
    std::string name;
    std::string module;
    std::uint64_t count = 0;
    bool isWanted = false;
    Format format{};
    MemoryTensor elements{};
    std::vector<Part> parts{};  ///< of its uses, in the order of the forward pass
    MemoryTensor folded{};      ///< gradients of earlier micro-batches
  };
  struct Use {
    MemoryTensor leaf;
    std::string module;
    MemoryTensor gradient{};
  };

  [[nodiscard]] Parameter& named(const std::string& name);
  [[nodiscard]] Format formatAt(const std::string& module);
  [[nodiscard]] const MemoryTensor& cast(Parameter& parameter, const Format& format);
  [[nodiscard]] ParameterUse added(MemoryTensor elements,
                                   const std::string& module,
                                   const std::vector<Parameter*>& parameters,
                                   bool isTransposed);
  /// Hands out the sum of the gradients of a parameter; nothing: it has none.
  [[nodiscard]] MemoryTensor taken(Parameter& parameter);
  /// The tensors that one step leaves: core/engine/running/optimizer_step.cpp.
  [[nodiscard]] std::vector<MemoryTensor> stepOf(const MemoryTensor& gradient,
                                                 const numerics::OperationFormats& formats);
  void takeStep(const Parameter& parameter, const MemoryTensor& gradient);

  RunShadow& m_run;
  std::vector<Parameter> m_parameters;  ///< in the order of the outline
  std::map<std::string, std::size_t, std::less<>> m_index;
  std::vector<Use> m_uses;
};

}  // namespace ulp::analysis
