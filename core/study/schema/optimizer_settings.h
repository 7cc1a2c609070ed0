#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/optimizer_rows.h"

namespace ulp::study {

/// The keys `optimizer.*`.
struct OptimizerSettings {
  enum class Type : std::uint8_t { None, Sgd, AdamW };

  Type type = Type::None;
  double learningRate = 0;
  double beta1 = 0;
  double beta2 = 0;
  double epsilon = 0;
  double weightDecay = 0;  ///< that of the type where nobody sets it
  double momentum = 0;

  /// Names the tensors of each parameter that are compared.
  [[nodiscard]] std::span<const std::string_view> rows() const {
    switch (type) {
      case Type::None:
        break;
      case Type::Sgd:
        return sgdRows(momentum != 0);
      case Type::AdamW:
        return kAdamWRows;
    }
    return {};
  }
};

}  // namespace ulp::study
