#include "core/engine/torch_model/numerics.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/torch_model/convert.h"

namespace ulp::engine {
namespace {

Result<> checkComputable(std::string_view key, DType dtype) {
  switch (dtype) {
    case DType::Float64:
    case DType::Float32:
    case DType::Float16:
    case DType::BFloat16:
      return {};
    default:
      return fail(ErrorCode::InvalidArgument,
                  std::string(key) + ": the engine cannot compute in " +
                      std::string(toString(dtype)) + "; use float64, float32, bfloat16 or float16");
  }
}

}  // namespace

at::ScalarType Numerics::normMath() const {
  return compute == at::kDouble || residual == at::kDouble ? at::kDouble : at::kFloat;
}

at::ScalarType Numerics::attentionMath() const {
  return compute == at::kDouble ? at::kDouble : at::kFloat;
}

Result<Numerics> resolveNumerics(const PrecisionPlan& plan, at::Device device) {
  const std::array<std::pair<std::string_view, DType>, 3> dtypes{{
      {"precision.compute_dtype", plan.compute},
      {"precision.residual_dtype", plan.residual},
      {"precision.lm_head_dtype", plan.lmHead},
  }};
  for (const auto& [key, dtype] : dtypes) {
    if (auto checked = checkComputable(key, dtype); !checked) {
      return tl::unexpected(std::move(checked.error()));
    }
  }
  Numerics numerics;
  numerics.compute = scalarType(plan.compute);
  numerics.residual = scalarType(plan.residual);
  numerics.head = scalarType(plan.lmHead);
  numerics.cast = plan.cast;
  numerics.attention = plan.attention;
  numerics.device = device;
  return numerics;
}

}  // namespace ulp::engine
