#pragma once

#include <array>

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

}  // namespace ulp::test
