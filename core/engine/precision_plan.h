#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/python_plan.h"
#include "core/numerics/rounding/operation_formats.h"
#include "core/numerics/rounding/quantize.h"

/// What a run computes in. Part of engine.h.
namespace ulp::engine {

/// What changes when a model is cast to a lower precision.
enum class Cast : std::uint8_t {
  Load,   ///< parameters rounded, rotary tables stay float32: from_pretrained(dtype=…)
  Module  ///< buffers rounded as well: model.to(dtype)
};

/// Sdpa: the kernel that LibTorch prefers; the others: that one or an error.
enum class AttentionImplementation : std::uint8_t {
  Eager,
  Sdpa,
  SdpaMath,
  SdpaFlash,
  SdpaEfficient,
  SdpaCudnn
};

/// A kernel behind LibTorch's scaled_dot_product_attention.
enum class AttentionKernel : std::uint8_t { Math, Flash, Efficient, Cudnn };

/// What float32 matrix products may be made of: torch.set_float32_matmul_precision.
enum class MatmulPrecision : std::uint8_t {
  Highest,  ///< float32
  High,     ///< tf32 where the device has units for it
  Medium    ///< tf32 on CUDA; bfloat16 on processors that have units for it
};

/// Which library multiplies matrices on CUDA: torch.backends.cuda.preferred_blas_library.
enum class MatmulLibrary : std::uint8_t {
  Default,  ///< LibTorch chooses
  Cublas,
  CublasLt
};

/// What a scale of an operand of float8 products is taken from.
enum class Float8Scaling : std::uint8_t { None, Tensor, Row };

enum class Float8Kernel : std::uint8_t {
  Simulated,  ///< the same operands, multiplied and added up in float32
  ScaledMm    ///< torch._scaled_mm
};

/// Products of linear modules in float8, their operands scaled from their largest numbers.
struct Float8Products {
  Float8Scaling scaling = Float8Scaling::None;  ///< None: no such products
  Float8Kernel kernel = Float8Kernel::Simulated;
  numerics::NumberFormat gradient = numerics::NumberFormat::Float8E5M2;  ///< of a result
  bool powerOfTwoScales = false;  ///< scales are rounded down to powers of two
  bool fastAccumulation = false;  ///< of ScaledMm, in the forward pass
  std::string modules{};          ///< regular expression, as in PrecisionRule::match; empty: all
};

/// Whose operations a run follows where they differ in more than formats.
enum class Semantics : std::uint8_t {
  Transformers,
  /// Fast-LLM on its CPU path: joint projections of keys and values and of gate and up, expanded
  /// keys and values, its cross-entropy, float32 gradient buffers.
  FastLlm
};

/// One of the kernels that transformers and Fast-LLM write differently.
enum class Kernel : std::uint8_t {
  Transformers,  ///< every operation rounded
  Fused          ///< float32 inside, rounded once
};

/// Formats of the sites whose module path matches.
struct PrecisionRule {
  enum class Passes : std::uint8_t { Both, Forward, Backward };
  std::string match;  ///< regular expression (ECMAScript), found anywhere in the module's path
  Passes passes = Passes::Both;
  numerics::FormatOverrides formats;
};

/// How one run computes. What `formats` leaves open is what numerics::resolveFormats() gives, at
/// each site from the formats that hold there. The LM head upcasts the already rounded weights, as
/// Fast-LLM does; a residual stream of another format than Compute is read by the norms in its own.
struct PrecisionPlan {
  Semantics semantics = Semantics::Transformers;
  Kernel norm = Kernel::Transformers;
  Kernel rotary = Kernel::Transformers;
  Kernel mlp = Kernel::Transformers;
  AttentionImplementation attention = AttentionImplementation::Sdpa;
  /// With Sdpa: each attention is computed by the first of these that takes it; empty: by the one
  /// that LibTorch prefers.
  std::vector<AttentionKernel> attentionOrder;
  Cast cast = Cast::Load;
  numerics::FormatOverrides formats;
  std::vector<PrecisionRule> rules;  ///< in order; later ones win
  /// Of casts to a narrower format; results of kernels are rounded to the nearest number.
  numerics::RoundingMode rounding = numerics::RoundingMode::NearestEven;
  std::uint64_t roundingSeed = 0;
  numerics::Overflow overflow = numerics::Overflow::Propagate;  ///< of float8 formats
  MatmulPrecision float32Products = MatmulPrecision::Highest;
  /// Matrix products of bfloat16 and float16 on CUDA may add up in these formats, as LibTorch lets
  /// them by default.
  bool reducedPrecisionReduction = true;
  /// Those may be split along the sum; where not, reducedPrecisionReduction must not be set.
  bool splitK = true;
  bool float16Accumulation = false;  ///< products of float16 on CUDA add up in float16
  MatmulLibrary library = MatmulLibrary::Default;
  Float8Products float8{};
  /// SdpaMath computes in bfloat16 and float16 where they are given, else in float32.
  bool reducedPrecisionAttention = false;
  int threads = 0;  ///< of this run; 0: those of Engine::setThreads()
  bool deterministic = false;
  /// What the loss is multiplied by before the backward pass, so that float16 gradients do not
  /// vanish; observers see the gradients divided by it, in float32. Nothing: the largest power of
  /// two that keeps all float16 gradients finite, 1 where none is float16.
  std::optional<double> gradientScale = 1;
  PythonPlan python{};
};

}  // namespace ulp::engine
