#include "core/engine/precision/numerics.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

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

/// FNV-1a: the same on every machine, so that a seed means the same numbers.
std::uint64_t hashOf(std::string_view text) {
  constexpr std::uint64_t kOffset = 14695981039346656037ULL;
  constexpr std::uint64_t kPrime = 1099511628211ULL;
  std::uint64_t hash = kOffset;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  }
  return hash;
}

numerics::Rounding roundingAt(const PrecisionPlan& plan, const std::string& module) {
  return {.mode = plan.rounding,
          .overflow = plan.overflow,
          .seed = plan.roundingSeed,
          .stream = hashOf(module)};
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

}  // namespace

Numerics::Numerics() : m_base(formatsOf(m_plan, "", {}, {})) {}

Numerics Numerics::showingEverything() {
  Numerics numerics;
  numerics.m_plan.attention = AttentionImplementation::Eager;
  return numerics;
}

Result<Numerics> Numerics::resolve(const PrecisionPlan& plan,
                                   at::Device device,
                                   const std::vector<std::string>& modules) {
  ULP_TRY(checkAttention(plan, plan.formats, "precision."));
  ULP_TRY(checkBackend(plan, device));
  ULP_TRY(checkProducts(plan, device));
  auto matched = ULP_TRY(matchRules(plan, modules));
  Numerics numerics;
  numerics.m_plan = plan;
  numerics.m_device = device;
  numerics.m_base = formatsOf(plan, "", {}, {});
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
