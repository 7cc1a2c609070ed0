#include "core/engine/precision/convert.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace ulp::engine {
namespace {

constexpr std::array<std::pair<DType, at::ScalarType>, 12> kScalarTypes{{
    {DType::Float64, at::kDouble},
    {DType::Float32, at::kFloat},
    {DType::Float16, at::kHalf},
    {DType::BFloat16, at::kBFloat16},
    {DType::Float8E4M3FN, at::kFloat8_e4m3fn},
    {DType::Float8E5M2, at::kFloat8_e5m2},
    {DType::Int64, at::kLong},
    {DType::Int32, at::kInt},
    {DType::Int16, at::kShort},
    {DType::Int8, at::kChar},
    {DType::UInt8, at::kByte},
    {DType::Bool, at::kBool},
}};

}  // namespace

at::ScalarType scalarType(DType dtype) {
  return kScalarTypes.at(static_cast<std::size_t>(dtype)).second;
}

DType dtypeOf(at::ScalarType type) {
  for (const auto& [dtype, scalar] : kScalarTypes) {
    if (scalar == type) {
      return dtype;
    }
  }
  TORCH_CHECK(false, "no element type of the project for ", toString(type));
}

at::Tensor sharedTensor(const numerics::TensorView& view, std::shared_ptr<const void> owner) {
  // from_blob wants a mutable pointer; nothing writes to captures and weights.
  void* data = const_cast<void*>(view.data);
  return at::from_blob(
      data,
      view.shape,
      [owner = std::move(owner)](void* /*data*/) {},
      at::TensorOptions().dtype(scalarType(view.dtype)));
}

at::Tensor shareTensor(const tensors::Tensor& stored) {
  const numerics::TensorView& view = stored.view;
  const auto options = at::TensorOptions().dtype(scalarType(view.dtype));
  if (view.count() == 0) {
    return at::empty(view.shape, options);
  }
  if (reinterpret_cast<std::uintptr_t>(view.data) % itemSize(view.dtype) != 0) {
    at::Tensor copy = at::empty(view.shape, options);
    std::memcpy(copy.mutable_data_ptr(), view.data, view.sizeBytes());
    return copy;
  }
  return sharedTensor(view, stored.owner);
}

}  // namespace ulp::engine
