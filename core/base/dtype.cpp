#include "core/base/dtype.h"

#include <array>

#include "core/base/list_of.h"

namespace ulp {
namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  std::string_view alias;
  std::size_t itemSize;
  bool floating;
  std::string_view ofC{};  ///< another name; empty: none
};

constexpr std::array<DTypeRow, 12> kRows{{
    {DType::Float64, "float64", "fp64", 8, true, "double"},
    {DType::Float32, "float32", "fp32", 4, true, "float"},
    {DType::Float16, "float16", "fp16", 2, true, "half"},
    {DType::BFloat16, "bfloat16", "bf16", 2, true},
    {DType::Float8E4M3FN, "float8_e4m3fn", "fp8_e4m3", 1, true},
    {DType::Float8E5M2, "float8_e5m2", "fp8_e5m2", 1, true},
    {DType::Int64, "int64", "i64", 8, false},
    {DType::Int32, "int32", "i32", 4, false},
    {DType::Int16, "int16", "i16", 2, false},
    {DType::Int8, "int8", "i8", 1, false},
    {DType::UInt8, "uint8", "u8", 1, false},
    {DType::Bool, "bool", "boolean", 1, false},
}};
static_assert(followEnum(kRows, &DTypeRow::dtype));

const DTypeRow& row(DType dtype) {
  return kRows[static_cast<std::size_t>(dtype)];
}

}  // namespace

std::string_view toString(DType dtype) {
  return row(dtype).name;
}

std::optional<DType> parseDType(std::string_view name) {
  constexpr std::string_view kTorchPrefix = "torch.";
  if (name.starts_with(kTorchPrefix)) {
    name.remove_prefix(kTorchPrefix.size());
  }
  for (const DTypeRow& candidate : kRows) {
    const bool isOfC = !name.empty() && name == candidate.ofC;
    if (isOfC || name == candidate.name || name == candidate.alias) {
      return candidate.dtype;
    }
  }
  return std::nullopt;
}

std::size_t itemSize(DType dtype) {
  return row(dtype).itemSize;
}

bool isFloatingPoint(DType dtype) {
  return row(dtype).floating;
}

}  // namespace ulp
