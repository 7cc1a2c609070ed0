#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/numerics/rounding/number_format.h"

/// Which format each class of a model's operations works in, and what a class works in when nobody
/// says so.
namespace ulp::numerics {

/// Classes of operations whose format is a lever of its own.
enum class Operation : std::uint8_t {
  Compute,          ///< matrix products, what the others give, and the gradients of all of them
  Weights,          ///< parameters, before an operation reads them
  Residual,         ///< the residual stream and its sums
  LmHead,           ///< the product of the head
  Logits,           ///< as the loss receives them
  NormStatistics,   ///< inside of norms: squares, mean, quotient
  NormOutput,       ///< the product with the norm's weight, and what the norm gives
  RotaryTable,      ///< cosines and sines as they are kept
  Rotary,           ///< the rotation of queries and keys
  AttentionScores,  ///< products of queries and keys, scaled and masked
  Softmax,          ///< of the scores
  Activation,       ///< the MLP's activation function and the product with its gate
  Loss,             ///< log-softmax and what follows
  Gradient,         ///< buffers of parameter gradients
  Optimizer         ///< the state that an optimizer keeps of each parameter
};
inline constexpr std::size_t kOperations = 15;

/// Lists the keys in the order of the enumeration: "compute_dtype", "weights_dtype", …, the keys of
/// the section `precision` and of its rules.
[[nodiscard]] std::span<const std::string_view> operationKeys();
[[nodiscard]] std::string_view keyOf(Operation operation);
[[nodiscard]] std::optional<Operation> parseOperationKey(std::string_view key);
/// The operation whose format an unset one is derived from: Compute, but LmHead for Logits, and
/// Logits for Loss. Compute for Compute.
[[nodiscard]] Operation followed(Operation operation);

template <class Value>
class ByOperation {
 public:
  [[nodiscard]] constexpr const Value& operator[](Operation operation) const {
    return m_values[static_cast<std::size_t>(operation)];
  }
  [[nodiscard]] constexpr Value& operator[](Operation operation) {
    return m_values[static_cast<std::size_t>(operation)];
  }
  friend bool operator==(const ByOperation&, const ByOperation&) = default;

 private:
  std::array<Value, kOperations> m_values{};
};

/// What somebody asked for.
using FormatOverrides = ByOperation<std::optional<NumberFormat>>;
/// What holds.
using OperationFormats = ByOperation<NumberFormat>;

/// Kernels that bring a default of their own.
struct KernelDefaults {
  bool fusedRotary = false;    ///< tables and rotation in float32
  bool fusedMlp = false;       ///< activation and product in float32
  bool wideGradients = false;  ///< gradient buffers in float32
};

/// Fills in what was not set: Compute float32; softmax, statistics of norms, loss, the
/// state of optimizers and what the kernels widen at least float32 (float64 where what they read
/// is); all else what it follows.
[[nodiscard]] OperationFormats resolveFormats(const FormatOverrides& set,
                                              const KernelDefaults& kernels);

/// `over` on top of `set`.
[[nodiscard]] FormatOverrides overlaid(const FormatOverrides& set, const FormatOverrides& over);

}  // namespace ulp::numerics
