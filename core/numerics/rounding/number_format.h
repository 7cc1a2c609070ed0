#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/dtype.h"

namespace ulp::numerics {

/// Formats that numbers can be rounded to. Those beyond float16, and tf32, are simulated: values
/// are rounded to the format, but stored and multiplied in a wider type.
enum class NumberFormat : std::uint8_t {
  Float64,
  Float32,
  Tf32,  ///< the significand of float16 with the exponents of float32
  BFloat16,
  Float16,
  Float8E4M3FN,
  Float8E5M2,
  Mxfp8,  ///< blocks of 32 E4M3 elements and an E8M0 scale
  Mxfp4,  ///< blocks of 32 E2M1 elements and an E8M0 scale
  Nvfp4   ///< blocks of 16 E2M1 elements, an E4M3 scale each, and a float32 scale a tensor
};

/// What the elements of a block share.
enum class BlockScale : std::uint8_t {
  None,
  E8M0,  ///< a power of two, 2^-127 … 2^127
  E4M3   ///< a float8_e4m3fn, times one float32 of the whole tensor
};

/// A format in numbers: sign, exponent and mantissa of one element, before any scale. Sources: IEEE
/// 754; OCP 8-bit Floating Point Specification 1.0, table 1; OCP Microscaling Formats (MX) 1.0,
/// tables 1–5; NVIDIA, Pretraining Large Language Models with NVFP4 (2025), appendix C.
struct FormatDescription {
  NumberFormat format = NumberFormat::Float32;
  std::string_view name;
  std::string_view alias;
  int exponentBits = 0;
  int mantissaBits = 0;
  double maxFinite = 0;
  bool hasInfinity = true;
  bool hasNan = true;
  int blockSize = 1;
  BlockScale scale = BlockScale::None;

  [[nodiscard]] constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  /// Exponent of the smallest normal number.
  [[nodiscard]] constexpr int minExponent() const { return 1 - bias(); }
  [[nodiscard]] constexpr bool isBlockScaled() const { return scale != BlockScale::None; }
};

/// Lists every format, in the order of the enumeration.
[[nodiscard]] std::span<const FormatDescription> numberFormats();
[[nodiscard]] const FormatDescription& describe(NumberFormat format);

/// "float32", "tf32", "mxfp8", …: the names of the study file.
[[nodiscard]] std::string_view toString(NumberFormat format);
/// Accepts these names, and those that parseDType() accepts for floating-point types.
[[nodiscard]] std::optional<NumberFormat> parseNumberFormat(std::string_view name);

/// Tells whether no kernel computes in the format: its values are held in another type.
[[nodiscard]] bool isSimulated(NumberFormat format);
/// The type that holds values of the format and that kernels multiply: itself, or float32 for a
/// simulated one.
[[nodiscard]] DType carrierOf(NumberFormat format);
/// The format whose values a floating-point type holds; none for integers and bool.
[[nodiscard]] std::optional<NumberFormat> formatOf(DType dtype);

}  // namespace ulp::numerics
