#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/text/regular_expression.h"
#include "core/numerics/rounding/number_format.h"
#include "core/numerics/rounding/operation_formats.h"
#include "core/study/reading/batch_settings.h"
#include "core/study/reading/site_formats.h"
#include "core/study/reading/study.h"

namespace ulp::analysis {

/// Which implementation of attention a run names.
enum class AttentionKind : std::uint8_t {
  Eager,
  Plain,      ///< LibTorch's math kernel
  Fused,      ///< its flash or cuDNN kernel
  Efficient,  ///< its memory-efficient kernel
  Chosen      ///< LibTorch decides
};

/// What makes the products of the linear modules of layers in float8 (matmul.float8).
enum class Float8Way : std::uint8_t {
  None,
  Simulated,  ///< in float32
  Kernel      ///< torch._scaled_mm
};

/// What the loss is multiplied by for the backward pass (gradient.scale).
enum class LossScale : std::uint8_t {
  One,
  Fixed,
  Sought  ///< by one more backward pass, for gradients in float16
};

/// The formats of a module, which rules may make differ between the passes.
struct ModuleFormats {
  numerics::OperationFormats forward;
  numerics::OperationFormats backward;

  /// The backward pass computes the operations of the module anew, in formats of its own.
  [[nodiscard]] bool isSplit() const { return forward != backward; }
};

/// Which formats a run computes in, and what else decides how much it keeps.
struct RunFormats {
  numerics::OperationFormats operations = numerics::resolveFormats({}, {});  ///< without rules
  std::optional<study::FormatRules> rules{};                                 ///< nothing: no rule
  bool isStochastic = false;  ///< casts to narrower formats round by operations of their own
  Float8Way float8 = Float8Way::None;
  bool scalesRows = false;  ///< float8 has a scale for each row, not one for a tensor
  std::optional<RegularExpression> float8Modules{};  ///< that multiply in float8; nothing: all
  LossScale lossScale = LossScale::One;
  /// On a CUDA device: the plain one for a reference in float32 or wider unless the study says
  /// otherwise.
  AttentionKind attention = AttentionKind::Chosen;
  bool reducesPlain = false;  ///< the math kernel computes in the run's format, not in float32
  bool hasMask = false;       ///< documents or padding, which no flash kernel takes
  bool isFastLlm = false;     ///< operations are those of Fast-LLM
  bool fusesNorms = false;
  bool fusesRotation = false;
  study::BatchSettings batch{};
  /// Positions that are computed for each that is compared (section batch of the study); 1 where a
  /// token file decides how many are compared.
  double positions = 1;
  std::string run{};  ///< its name

  [[nodiscard]] numerics::NumberFormat operator[](numerics::Operation operation) const {
    return operations[operation];
  }
  /// Bytes of an element as the operation reads it: of a simulated format those of float32.
  [[nodiscard]] std::uint64_t bytes(numerics::Operation operation) const {
    return itemSize(numerics::carrierOf(operations[operation]));
  }
  [[nodiscard]] ModuleFormats at(std::string_view module) const;
  /// Tells whether a linear module of a layer multiplies in float8.
  [[nodiscard]] bool isFloat8At(std::string_view module) const;
};

/// Lists the formats of the runs of a study: the reference, the runs of the noise floor, which
/// repeat it, and the variants.
[[nodiscard]] std::vector<RunFormats> runFormats(const study::Study& study, bool isOnCuda);

}  // namespace ulp::analysis
