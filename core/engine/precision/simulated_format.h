#pragma once

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

#include "core/numerics/rounding/number_format.h"
#include "core/numerics/rounding/quantize.h"

/// Numbers of formats that no kernel computes in, held in tensors of wider types.
namespace ulp::engine {

/// How a tensor is rounded.
struct Quantization {
  numerics::NumberFormat format = numerics::NumberFormat::Float32;
  numerics::Rounding rounding;
  /// The dimension that the blocks of block-scaled formats run along. For an operand of a matrix
  /// product it is the one that the product sums over.
  std::int64_t blockDimension = -1;
};

/// The values of `x` rounded to the format, in the type, shape and device of `x`; a new tensor, cut
/// off from the autograd graph. The same on CPU and CUDA, bit for bit (NaN apart), with any number
/// of threads. `x` is float64, float32, bfloat16 or float16; where a number of the format is none
/// of the type of `x` (float16 has not the range of mxfp8, bfloat16 not the digits of nvfp4), it is
/// rounded once more to it. Throws c10::Error for other types.
[[nodiscard]] at::Tensor quantize(const at::Tensor& x, const Quantization& quantization);

/// Formats of a tensor on its way forward, and of its gradient on the way back. Empty: as it is.
struct StraightThrough {
  std::optional<Quantization> forward;
  std::optional<Quantization> backward;
};

/// quantize() under autograd: rounded forward; the gradient passes as if nothing had been rounded
/// (Bengio et al., arXiv:1308.3432), itself rounded where a format is given. With neither format it
/// is `x` itself.
[[nodiscard]] at::Tensor quantizeStraightThrough(const at::Tensor& x,
                                                 const StraightThrough& formats);

/// Does what numerics::quantize() does, by operations of LibTorch on the device of `values`: a
/// contiguous matrix of float32 or float64 whose rows are those of QuantizeOptions (one column for
/// formats without blocks). `options` leaves out rowLength, firstIndex and tensorScale.
[[nodiscard]] at::Tensor quantizeByOperations(const at::Tensor& values,
                                              const numerics::QuantizeOptions& options);

}  // namespace ulp::engine
