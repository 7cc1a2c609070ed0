#include "core/tensors/elements/stored_type.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/base/list_of.h"

namespace ulp::tensors {
namespace {

using enum Showing;

constexpr std::size_t kDTypes = static_cast<std::size_t>(DType::Bool) + 1;

/// First those of DType, in its order.
constexpr std::array<StoredType, 27> kStoredTypes{{
    {"float64", 8, DType::Float64, AsTheyAre, "F64", "<f8", "DoubleStorage"},
    {"float32", 4, DType::Float32, AsTheyAre, "F32", "<f4", "FloatStorage"},
    {"float16", 2, DType::Float16, AsTheyAre, "F16", "<f2", "HalfStorage"},
    {"bfloat16", 2, DType::BFloat16, AsTheyAre, "BF16", "", "BFloat16Storage"},
    {"float8_e4m3fn", 1, DType::Float8E4M3FN, AsTheyAre, "F8_E4M3"},
    {"float8_e5m2", 1, DType::Float8E5M2, AsTheyAre, "F8_E5M2"},
    {"int64", 8, DType::Int64, AsTheyAre, "I64", "<i8", "LongStorage"},
    {"int32", 4, DType::Int32, AsTheyAre, "I32", "<i4", "IntStorage"},
    {"int16", 2, DType::Int16, AsTheyAre, "I16", "<i2", "ShortStorage"},
    {"int8", 1, DType::Int8, AsTheyAre, "I8", "|i1", "CharStorage"},
    {"uint8", 1, DType::UInt8, AsTheyAre, "U8", "|u1", "ByteStorage"},
    {"bool", 1, DType::Bool, AsTheyAre, "BOOL", "|b1", "BoolStorage"},
    {"uint16", 2, DType::Int32, Widened, "U16", "<u2"},
    {"uint32", 4, DType::Int64, Widened, "U32", "<u4"},
    {"uint64", 8, DType::Int64, Widened, "U64", "<u8"},
    {"float8_e8m0fnu", 1, DType::Float32, Widened, "F8_E8M0"},
    {"complex32", 4, DType::Float16, Never, "", "", "ComplexHalfStorage"},
    {"complex64", 8, DType::Float32, Never, "C64", "", "ComplexFloatStorage"},
    {"complex128", 16, DType::Float64, Never, "", "", "ComplexDoubleStorage"},
    {"float8_e4m3fnuz", 1, DType::Float32, Never, "F8_E4M3FNUZ"},
    {"float8_e5m2fnuz", 1, DType::Float32, Never, "F8_E5M2FNUZ"},
    {"float4_e2m1fn_x2", 1, DType::Float32, Never, "F4"},
    {"qint8", 1, DType::Float32, Never, "", "", "QInt8Storage"},
    {"quint8", 1, DType::Float32, Never, "", "", "QUInt8Storage"},
    {"qint32", 4, DType::Float32, Never, "", "", "QInt32Storage"},
    {"quint4x2", 1, DType::Float32, Never, "", "", "QUInt4x2Storage"},
    {"quint2x4", 1, DType::Float32, Never, "", "", "QUInt2x4Storage"},
}};

static_assert(followEnum(std::span(kStoredTypes).first(kDTypes), &StoredType::dtype));
static_assert(std::ranges::all_of(std::span(kStoredTypes).first(kDTypes),
                                  [](const StoredType& type) {
                                    return type.showing == AsTheyAre;
                                  }));

}  // namespace

const StoredType* findStoredType(std::string_view name, std::string_view StoredType::*naming) {
  const auto* const found = std::ranges::find(kStoredTypes, name, naming);
  return name.empty() || found == kStoredTypes.end() ? nullptr : found;
}

const StoredType& storedTypeOf(DType dtype) {
  return kStoredTypes.at(static_cast<std::size_t>(dtype));
}

const StoredType* partsOf(const StoredType& type) {
  return type.name.starts_with("complex") ? &storedTypeOf(type.dtype) : nullptr;
}

std::string notRead(std::string_view type) {
  std::string text = "elements of type " + std::string(type) + " are not read; save ";
  return text + (type.starts_with("complex") ? "its real and imaginary part (torch.view_as_real)"
                                             : "it as float32 or another plain type");
}

}  // namespace ulp::tensors
