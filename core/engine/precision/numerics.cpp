#include "core/engine/precision/numerics.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text/fnv_hash.h"

namespace ulp::engine {
namespace {

using numerics::FormatOverrides;
using numerics::Operation;

constexpr std::array<Operation, 2> kInsideAttention{Operation::AttentionScores, Operation::Softmax};

numerics::KernelDefaults kernelsOf(const PrecisionPlan& plan) {
  return {.fusedRotary = plan.rotary == Kernel::Fused,
          .fusedMlp = plan.mlp == Kernel::Fused,
          .wideGradients = plan.semantics == Semantics::FastLlm};
}

numerics::Rounding roundingAt(const PrecisionPlan& plan, const std::string& module) {
  return {.mode = plan.rounding,
          .overflow = plan.overflow,
          .seed = plan.roundingSeed,
          .stream = fnvHash(module)};
}

SiteFormats formatsOf(const PrecisionPlan& plan,
                      const std::string& module,
                      const FormatOverrides& forward,
                      const FormatOverrides& backward) {
  const auto resolved = [&](const FormatOverrides& over) {
    return PassFormats(resolveFormats(numerics::overlaid(plan.formats, over), kernelsOf(plan)),
                       roundingAt(plan, module));
  };
  SiteFormats site{resolved(forward), resolved(backward)};
  site.isSplit = !(site.forward == site.backward);
  return site;
}

/// A fused kernel has no formats inside that one could choose.
Result<> checkAttention(const PrecisionPlan& plan,
                        const FormatOverrides& formats,
                        const std::string& where) {
  if (plan.attention == AttentionImplementation::Eager) {
    return {};
  }
  for (const Operation operation : kInsideAttention) {
    if (formats[operation]) {
      return fail(ErrorCode::InvalidArgument,
                  where + std::string(numerics::keyOf(operation)) +
                      " needs attention.implementation: eager; fused kernels choose it themselves");
    }
  }
  return {};
}

Result<> checkBackend(const PrecisionPlan& plan, const at::Device& device) {
  const bool isCudaOnly = plan.attention == AttentionImplementation::SdpaEfficient ||
                          plan.attention == AttentionImplementation::SdpaCudnn;
  if (isCudaOnly && !device.is_cuda()) {
    return fail(ErrorCode::Unsupported,
                "attention.implementation: this kernel needs a CUDA device; the CPU has eager, "
                "sdpa, sdpa_math and sdpa_flash");
  }
  if (plan.reducedPrecisionAttention && plan.attention != AttentionImplementation::SdpaMath) {
    return fail(ErrorCode::InvalidArgument,
                "attention.reduced_precision_reduction needs attention.implementation: sdpa_math; "
                "other kernels choose it themselves");
  }
  if (!plan.attentionOrder.empty() && plan.attention != AttentionImplementation::Sdpa) {
    return fail(ErrorCode::InvalidArgument,
                "attention.order needs attention.implementation: sdpa; every other one is a single "
                "kernel");
  }
  return {};
}

/// Processors know none of these.
Result<> checkProducts(const PrecisionPlan& plan, const at::Device& device) {
  const std::array<std::pair<bool, const char*>, 3> chosen{
      std::pair{!plan.splitK, "matmul.split_k"},
      std::pair{plan.float16Accumulation, "matmul.float16_accumulation"},
      std::pair{plan.library != MatmulLibrary::Default, "matmul.library"}};
  for (const auto& [isChosen, key] : chosen) {
    if (isChosen && !device.is_cuda()) {
      return fail(ErrorCode::Unsupported,
                  std::string(key) + " is a choice of cuBLAS and needs a CUDA device");
    }
  }
  if (!plan.splitK && (plan.reducedPrecisionReduction || plan.library != MatmulLibrary::CublasLt)) {
    return fail(ErrorCode::InvalidArgument,
                "matmul.split_k: false needs matmul.reduced_precision_reduction: false and "
                "matmul.library: cublaslt");
  }
  return {};
}

/// A format that has products of its own, of which float8 takes the place.
bool hasKernels(numerics::NumberFormat format) {
  return !numerics::isSimulated(format) && format != numerics::NumberFormat::Float64;
}

Result<> checkFastAccumulation(const PrecisionPlan& plan,
                               const at::Device& device,
                               const SiteFormats& base) {
  if (plan.float8.kernel != Float8Kernel::ScaledMm) {
    return fail(ErrorCode::InvalidArgument,
                "matmul.float8_fast_accumulation needs matmul.float8_kernel: scaled_mm");
  }
  if (!device.is_cuda()) {
    return fail(ErrorCode::Unsupported,
                "matmul.float8_fast_accumulation is a choice of CUDA's kernels and needs a CUDA "
                "device");
  }
  if (plan.float8.scaling == Float8Scaling::Row &&
      base.forward[Operation::Compute] != numerics::NumberFormat::BFloat16) {
    return fail(ErrorCode::InvalidArgument,
                "matmul.float8_fast_accumulation with matmul.float8: row needs "
                "precision.compute_dtype: bfloat16, the only format of that kernel's results");
  }
  return {};
}

Result<> checkFloat8(const PrecisionPlan& plan, const at::Device& device, const SiteFormats& base) {
  const Float8Products& float8 = plan.float8;
  if (float8.scaling == Float8Scaling::None) {
    const Float8Products unset;
    const std::array<std::pair<bool, const char*>, 5> chosen{
        std::pair{float8.kernel != unset.kernel, "matmul.float8_kernel"},
        std::pair{float8.gradient != unset.gradient, "matmul.float8_gradient"},
        std::pair{float8.powerOfTwoScales, "matmul.float8_power_of_two_scales"},
        std::pair{float8.fastAccumulation, "matmul.float8_fast_accumulation"},
        std::pair{!float8.modules.empty(), "matmul.float8_modules"}};
    for (const auto& [isChosen, key] : chosen) {
      if (isChosen) {
        return fail(ErrorCode::InvalidArgument,
                    std::string(key) + " needs matmul.float8: tensor or row");
      }
    }
    return {};
  }
  if (plan.semantics == Semantics::FastLlm) {
    return fail(ErrorCode::InvalidArgument,
                "matmul.float8 needs semantics: transformers; Fast-LLM multiplies in no float8");
  }
  if (!hasKernels(base.forward[Operation::Compute])) {
    return fail(ErrorCode::InvalidArgument,
                "matmul.float8 needs precision.compute_dtype: float32, bfloat16 or float16, the "
                "format of its results");
  }
  return float8.fastAccumulation ? checkFastAccumulation(plan, device, base) : Result<>();
}

}  // namespace

Numerics::Numerics() : m_base(formatsOf(m_plan, "", {}, {})) {}

Numerics Numerics::showingEverything() {
  Numerics numerics;
  numerics.m_plan.attention = AttentionImplementation::Eager;
  return numerics;
}

Result<Numerics> Numerics::resolve(const PrecisionPlan& plan,
                                   const LayerDevices& devices,
                                   const std::vector<std::string>& modules) {
  ULP_TRY(checkAttention(plan, plan.formats, "precision."));
  for (const at::Device& device : devices.all()) {
    ULP_TRY(checkBackend(plan, device));
    ULP_TRY(checkProducts(plan, device));
  }
  auto matched = ULP_TRY(matchRules(plan, modules));
  Numerics numerics;
  numerics.m_plan = plan;
  numerics.m_devices = devices;
  numerics.m_base = formatsOf(plan, "", {}, {});
  for (const at::Device& device : devices.all()) {
    ULP_TRY(checkFloat8(plan, device, numerics.m_base));
  }
  numerics.m_float8 = ULP_TRY(matchFloat8(plan, modules));
  if (plan.rounding == numerics::RoundingMode::Stochastic) {
    // Two modules must not draw the same numbers.
    for (const std::string& module : modules) {
      numerics.m_sites.emplace(module, formatsOf(plan, module, {}, {}));
    }
  }
  for (const MatchedFormats& one : matched) {
    for (const FormatOverrides* formats : {&one.forward, &one.backward}) {
      ULP_TRY(checkAttention(plan, *formats, "precision.rules: "));
    }
    numerics.m_sites.insert_or_assign(one.module,
                                      formatsOf(plan, one.module, one.forward, one.backward));
  }
  return numerics;
}

const Float8Products* Numerics::float8At(const std::string& module) const {
  const SiteFormats& site = at(module);
  const bool isOwn =
      hasKernels(site.forward[Operation::Compute]) && hasKernels(site.backward[Operation::Compute]);
  return isOwn && std::ranges::binary_search(m_float8, module) ? &m_plan.float8 : nullptr;
}

const SiteFormats& Numerics::at(const std::string& module) const {
  const auto found = m_sites.find(module);
  return found == m_sites.end() ? m_base : found->second;
}

bool Numerics::usesFloat16() const {
  const auto hasFloat16 = [](const SiteFormats& site) {
    return std::ranges::any_of(numerics::operationKeys(), [&](std::string_view key) {
      const Operation operation = *numerics::parseOperationKey(key);
      return operation != Operation::Optimizer &&
             (site.forward[operation] == numerics::NumberFormat::Float16 ||
              site.backward[operation] == numerics::NumberFormat::Float16);
    });
  };
  return hasFloat16(m_base) ||
         std::ranges::any_of(m_sites, [&](const auto& entry) { return hasFloat16(entry.second); });
}

}  // namespace ulp::engine
