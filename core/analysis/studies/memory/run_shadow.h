#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/studies/memory/memory_meter.h"
#include "core/analysis/studies/memory/memory_shadow.h"
#include "core/analysis/studies/run_formats.h"
#include "core/numerics/rounding/operation_formats.h"

namespace ulp::analysis {

/// A count of a model or step, which is never negative.
[[nodiscard]] constexpr std::uint64_t unsignedOf(std::int64_t count) {
  return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

inline constexpr std::uint64_t kFloatBytes = 4;

/// What the parts of a shadow share: sizes, the meter, and who captures.
class RunShadow {
 public:
  using Operation = numerics::Operation;

  struct Parts {
    const ModelOutline& model;
    const StepShape& step;
    const RunFormats& formats;
    const IsCaptured& isCaptured;
    std::uint64_t room;  ///< that LibTorch has or could get
    std::uint64_t kept;  ///< bytes of the reference's captures that are there
    bool isReference;
  };

  explicit RunShadow(const Parts& parts);

  [[nodiscard]] const ModelOutline& model() const { return m_parts.model; }
  [[nodiscard]] const StepShape& step() const { return m_parts.step; }
  [[nodiscard]] const RunFormats& formats() const { return m_parts.formats; }
  /// Tokens that go through the network.
  [[nodiscard]] std::uint64_t tokens() const { return m_tokens; }
  /// Those that are compared.
  [[nodiscard]] std::uint64_t compared() const { return m_compared; }
  /// Tells whether the gradient of a parameter is made.
  [[nodiscard]] bool wantsGradient(const std::string& parameter) const {
    return step().backward && (isCaptured(Pass::ParameterGradient, parameter) ||
                               isCaptured(Pass::Optimizer, parameter));
  }

  /// What is made from here on counts as this.
  void setPart(MemoryPart part) { m_part = part; }
  [[nodiscard]] MemoryTensor make(std::uint64_t bytes);
  /// `width` elements for each token that is computed.
  [[nodiscard]] MemoryTensor rows(std::uint64_t width, std::uint64_t itemBytes) {
    return make(m_tokens * width * itemBytes);
  }
  [[nodiscard]] MemoryTensor rows(std::uint64_t width, Operation operation) {
    return rows(width, formats().bytes(operation));
  }
  /// Tells whether an operation reads what another one gave as it lies.
  [[nodiscard]] bool isReadAsItIs(Operation from, Operation to) const;
  /// A result of `from` as `to` reads it, or is kept: PassFormats::to(). `isWhole`: contiguous.
  [[nodiscard]] MemoryTensor cast(const MemoryTensor& tensor,
                                  std::uint64_t count,
                                  Operation from,
                                  Operation to,
                                  bool isWhole = true);
  [[nodiscard]] MemoryTensor castRows(const MemoryTensor& tensor,
                                      std::uint64_t width,
                                      Operation from,
                                      Operation to) {
    return cast(tensor, m_tokens * width, from, to);
  }
  /// The gradient that goes back from `from` to `to`, which takes its type and is not rounded.
  [[nodiscard]] MemoryTensor castBack(const MemoryTensor& gradient,
                                      std::uint64_t count,
                                      Operation from,
                                      Operation to);
  [[nodiscard]] MemoryTensor castBackRows(const MemoryTensor& gradient,
                                          std::uint64_t width,
                                          Operation from,
                                          Operation to) {
    return castBack(gradient, m_tokens * width, from, to);
  }
  /// Float32 numbers of a simulated format.
  [[nodiscard]] MemoryTensor rounded(numerics::NumberFormat format, std::uint64_t count);
  /// Bytes of an element of a parameter as it is cast: SiteFormats::parameterType().
  [[nodiscard]] std::uint64_t parameterItem() const;
  /// A parameter as an operation reads it; nothing where that is the parameter itself.
  [[nodiscard]] MemoryTensor weight(std::uint64_t count, Operation operation);
  /// A tensor is shown; `isWhole`: contiguous, so that it is shown without a copy.
  void show(Pass pass, std::string_view name, const MemoryTensor& tensor, bool isWhole = true);
  [[nodiscard]] bool isCaptured(Pass pass, std::string_view name) const {
    return m_parts.isCaptured(pass, name);
  }
  /// A backward pass that is made to find a factor for the loss: the graph stays.
  void trial(bool isTrial) { m_isTrial = isTrial; }
  [[nodiscard]] bool isTrial() const { return m_isTrial; }

  /// Makes the gradient of a use of a parameter of so many elements.
  void addGradient(const std::string& name, std::uint64_t count);
  void foldGradients();
  void dropGradients() { m_gradients.clear(); }
  /// Shows what a step left of each parameter and takes the optimizer's.
  void finish();

  [[nodiscard]] const MemoryMeter& meter() const { return m_meter; }
  /// What stays of the captures of the reference.
  [[nodiscard]] std::uint64_t keptBytes() const;

 private:
  struct Gradient {
    std::string name;
    std::uint64_t count = 0;  ///< of its elements
    std::vector<MemoryTensor> uses{};
    MemoryTensor before{};  ///< of earlier micro-batches
  };

  void castWeights();
  /// Something that is there for a moment.
  void use(std::uint64_t bytes);
  [[nodiscard]] MemoryTensor held(std::uint64_t bytes, std::uint64_t counted, MemoryPart part);
  void hold(MemoryMeter::Held storage);
  /// The sum of the uses and of what was before.
  [[nodiscard]] MemoryTensor taken(Gradient& gradient);
  void takeStep(std::uint64_t count);

  Parts m_parts;
  std::uint64_t m_compared;
  std::uint64_t m_tokens;
  MemoryMeter m_meter;
  MemoryPart m_part = &MemoryParts::weights;
  bool m_isTrial = false;
  std::vector<OutlineSite> m_parameters;
  std::vector<MemoryTensor> m_fixed;      ///< there during the whole run
  std::vector<MemoryMeter::Held> m_held;  ///< captures of the reference
  std::uint64_t m_heldBytes = 0;
  std::vector<Gradient> m_gradients;
};

}  // namespace ulp::analysis
