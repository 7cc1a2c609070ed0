#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/base/dtype.h"

namespace ulp::test {

inline constexpr std::array kEveryDType{DType::Float64,
                                        DType::Float32,
                                        DType::Float16,
                                        DType::BFloat16,
                                        DType::Float8E4M3FN,
                                        DType::Float8E5M2,
                                        DType::Int64,
                                        DType::Int32,
                                        DType::Int16,
                                        DType::Int8,
                                        DType::UInt8,
                                        DType::Bool};

/// Elements that differ from their neighbours, none of them NaN or infinite: as bits 0, 1, 2 …, of
/// truth values 0, 1, 0, 1 ….
inline std::vector<std::byte> countingElements(DType dtype, std::size_t count) {
  std::vector<std::byte> bytes(count * itemSize(dtype));
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i * itemSize(dtype)] = static_cast<std::byte>(i % (dtype == DType::Bool ? 2 : 97));
  }
  return bytes;
}

}  // namespace ulp::test
