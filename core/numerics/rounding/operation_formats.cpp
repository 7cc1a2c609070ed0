#include "core/numerics/rounding/operation_formats.h"

#include <algorithm>

namespace ulp::numerics {
namespace {

constexpr std::array<std::string_view, kOperations> kKeys{"compute_dtype",
                                                          "weights_dtype",
                                                          "residual_dtype",
                                                          "lm_head_dtype",
                                                          "logits_dtype",
                                                          "norm_statistics_dtype",
                                                          "norm_output_dtype",
                                                          "rotary_table_dtype",
                                                          "rotary_dtype",
                                                          "attention_scores_dtype",
                                                          "softmax_dtype",
                                                          "activation_dtype",
                                                          "loss_dtype",
                                                          "gradient_dtype",
                                                          "optimizer_dtype"};

NumberFormat atLeastFloat32(NumberFormat format) {
  return format == NumberFormat::Float64 ? NumberFormat::Float64 : NumberFormat::Float32;
}

bool isWidened(Operation operation, const KernelDefaults& kernels) {
  switch (operation) {
    case Operation::NormStatistics:
    case Operation::Softmax:
    case Operation::Loss:
    case Operation::Optimizer:
      return true;
    case Operation::RotaryTable:
    case Operation::Rotary:
      return kernels.fusedRotary;
    case Operation::Activation:
      return kernels.fusedMlp;
    case Operation::Gradient:
      return kernels.wideGradients;
    default:
      return false;
  }
}

}  // namespace

std::span<const std::string_view> operationKeys() {
  return kKeys;
}

std::string_view keyOf(Operation operation) {
  return kKeys[static_cast<std::size_t>(operation)];
}

std::optional<Operation> parseOperationKey(std::string_view key) {
  const auto* const found = std::ranges::find(kKeys, key);
  return found == kKeys.end() ? std::nullopt
                              : std::optional(static_cast<Operation>(found - kKeys.begin()));
}

Operation followed(Operation operation) {
  switch (operation) {
    case Operation::Logits:
      return Operation::LmHead;
    case Operation::Loss:
      return Operation::Logits;
    default:
      return Operation::Compute;
  }
}

OperationFormats resolveFormats(const FormatOverrides& set, const KernelDefaults& kernels) {
  OperationFormats formats;
  formats[Operation::Compute] = set[Operation::Compute].value_or(NumberFormat::Float32);
  // Whoever is followed stands before its followers in the enumeration.
  for (std::size_t i = 1; i < kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    const NumberFormat source = formats[followed(operation)];
    formats[operation] =
        set[operation].value_or(isWidened(operation, kernels) ? atLeastFloat32(source) : source);
  }
  // A norm also reads the residual stream.
  if (!set[Operation::NormStatistics] && formats[Operation::Residual] == NumberFormat::Float64) {
    formats[Operation::NormStatistics] = NumberFormat::Float64;
  }
  return formats;
}

FormatOverrides overlaid(const FormatOverrides& set, const FormatOverrides& over) {
  FormatOverrides result = set;
  for (std::size_t i = 0; i < kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (over[operation]) {
      result[operation] = over[operation];
    }
  }
  return result;
}

}  // namespace ulp::numerics
