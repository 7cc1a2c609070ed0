#include "core/tensors/elements/stored_type.h"

#include <algorithm>
#include <array>

namespace ulp::tensors {
namespace {

constexpr std::array<StoredType, 27> kStoredTypes{{
    {"float64", 8, DType::Float64, Showing::AsTheyAre},
    {"float32", 4, DType::Float32, Showing::AsTheyAre},
    {"float16", 2, DType::Float16, Showing::AsTheyAre},
    {"bfloat16", 2, DType::BFloat16, Showing::AsTheyAre},
    {"float8_e4m3fn", 1, DType::Float8E4M3FN, Showing::AsTheyAre},
    {"float8_e5m2", 1, DType::Float8E5M2, Showing::AsTheyAre},
    {"int64", 8, DType::Int64, Showing::AsTheyAre},
    {"int32", 4, DType::Int32, Showing::AsTheyAre},
    {"int16", 2, DType::Int16, Showing::AsTheyAre},
    {"int8", 1, DType::Int8, Showing::AsTheyAre},
    {"uint8", 1, DType::UInt8, Showing::AsTheyAre},
    {"bool", 1, DType::Bool, Showing::AsTheyAre},
    {"uint16", 2, DType::Int32, Showing::Widened},
    {"uint32", 4, DType::Int64, Showing::Widened},
    {"uint64", 8, DType::Int64, Showing::Widened},
    {"float8_e8m0fnu", 1, DType::Float32, Showing::Widened},
    {"complex32", 4, DType::Float32, Showing::Never},
    {"complex64", 8, DType::Float32, Showing::Never},
    {"complex128", 16, DType::Float32, Showing::Never},
    {"float8_e4m3fnuz", 1, DType::Float32, Showing::Never},
    {"float8_e5m2fnuz", 1, DType::Float32, Showing::Never},
    {"float4_e2m1fn_x2", 1, DType::Float32, Showing::Never},
    {"qint8", 1, DType::Float32, Showing::Never},
    {"quint8", 1, DType::Float32, Showing::Never},
    {"qint32", 4, DType::Float32, Showing::Never},
    {"quint4x2", 1, DType::Float32, Showing::Never},
    {"quint2x4", 1, DType::Float32, Showing::Never},
}};

}  // namespace

const StoredType* findStoredType(std::string_view name) {
  const auto* const found =
      std::find_if(kStoredTypes.begin(), kStoredTypes.end(), [name](const StoredType& type) {
        return type.name == name;
      });
  return found == kStoredTypes.end() ? nullptr : found;
}

std::string notRead(std::string_view type) {
  std::string text = "elements of type " + std::string(type) + " are not read; save ";
  return text + (type.starts_with("complex") ? "its real and imaginary part (torch.view_as_real)"
                                             : "it as float32 or another plain type");
}

}  // namespace ulp::tensors
