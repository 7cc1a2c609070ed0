#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ulp {

/// Element types of tensors in memory and in files, named as torch names them.
enum class DType : std::uint8_t {
  Float64,
  Float32,
  Float16,
  BFloat16,
  Float8E4M3FN,
  Float8E5M2,
  Int64,
  Int32,
  Int16,
  Int8,
  UInt8,
  Bool
};

/// "float32", "bfloat16", "float8_e4m3fn", "int64", …
[[nodiscard]] std::string_view toString(DType dtype);
/// Accepts the torch names and the usual short ones (fp32, bf16, half, …).
[[nodiscard]] std::optional<DType> parseDType(std::string_view name);
[[nodiscard]] std::size_t itemSize(DType dtype);
[[nodiscard]] bool isFloatingPoint(DType dtype);

}  // namespace ulp
