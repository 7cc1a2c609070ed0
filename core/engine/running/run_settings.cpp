#include "core/engine/running/run_settings.h"

#include <algorithm>
#include <array>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/AutogradState.h>

namespace ulp::engine {
namespace {

/// As LibTorch calls it; its enumeration and ours have this order.
template <class Precision>
const char* nameOf(Precision precision) {
  constexpr std::array kNames{"highest", "high", "medium"};
  return kNames.at(static_cast<std::size_t>(precision));
}
static_assert(static_cast<int>(MatmulPrecision::High) == 1);
static_assert(static_cast<int>(at::Float32MatmulPrecision::HIGH) == 1);
static_assert(static_cast<int>(MatmulPrecision::Medium) == 2);
static_assert(static_cast<int>(at::Float32MatmulPrecision::MEDIUM) == 2);

/// How cuBLAS may add up products of a format.
struct Reduction {
  bool isReduced = true;  ///< in the format itself
  bool isSplit = true;
};

}  // namespace

RunSettings::RunSettings(const PrecisionPlan& plan, const LayerDevices& devices) {
  chooseAttention(plan);
  chooseProducts(plan);
  if (plan.deterministic) {
    chooseDeterministic();
  }
  if (plan.threads > 0 && std::ranges::any_of(devices.all(), &at::Device::is_cpu)) {
    chooseThreads(plan.threads);
  }
  if (devices.all().size() > 1) {
    chooseOneBackwardThread();
  }
}

RunSettings::~RunSettings() {
  std::for_each(m_undo.rbegin(), m_undo.rend(), [](const auto& undo) { undo(); });
}

void RunSettings::chooseAttention(const PrecisionPlan& plan) {
  const AttentionImplementation attention = plan.attention;
  if (attention == AttentionImplementation::Eager || attention == AttentionImplementation::Sdpa) {
    return;
  }
  using enum AttentionImplementation;
  m_backends.emplace(std::vector{attention == SdpaMath        ? at::SDPBackend::math
                                 : attention == SdpaFlash     ? at::SDPBackend::flash_attention
                                 : attention == SdpaEfficient ? at::SDPBackend::efficient_attention
                                                              : at::SDPBackend::cudnn_attention});
  at::Context& context = at::globalContext();
  m_undo.emplace_back([&context, before = context.allowFP16BF16ReductionMathSDP()] {
    context.setAllowFP16BF16ReductionMathSDP(before);
  });
  context.setAllowFP16BF16ReductionMathSDP(plan.reducedPrecisionAttention);
}

void RunSettings::chooseProducts(const PrecisionPlan& plan) {
  at::Context& context = at::globalContext();
  // Also the default: TORCH_ALLOW_TF32_CUBLAS_OVERRIDE makes LibTorch begin with another one.
  m_undo.emplace_back([&context, before = nameOf(context.float32MatmulPrecision())] {
    context.setFloat32MatmulPrecision(before);
  });
  context.setFloat32MatmulPrecision(nameOf(plan.float32Products));
  // Before the reductions, of which LibTorch refuses some where another library is preferred.
  if (plan.library != MatmulLibrary::Default) {
    m_undo.emplace_back([&context, before = context.blasPreferredBackend()] {
      context.setBlasPreferredBackend(before);
    });
    context.setBlasPreferredBackend(plan.library == MatmulLibrary::Cublas
                                        ? at::BlasBackend::Cublas
                                        : at::BlasBackend::Cublaslt);
  }
  const auto reductionOf = [](at::CuBLASReductionOption option) {
    return Reduction{option == at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK,
                     option != at::CuBLASReductionOption::DisallowReducedPrecisionDisallowSplitK};
  };
  const auto setReductions = [&context](const Reduction& bfloat16, const Reduction& float16) {
    context.setAllowBF16ReductionCuBLAS(bfloat16.isReduced, bfloat16.isSplit);
    context.setAllowFP16ReductionCuBLAS(float16.isReduced, float16.isSplit);
  };
  m_undo.emplace_back([setReductions,
                       bfloat16 = reductionOf(context.allowBF16ReductionCuBLAS()),
                       float16 = reductionOf(context.allowFP16ReductionCuBLAS())] {
    setReductions(bfloat16, float16);
  });
  const Reduction chosen{plan.reducedPrecisionReduction, plan.splitK};
  setReductions(chosen, chosen);
  m_undo.emplace_back([&context, before = context.allowFP16AccumulationCuBLAS()] {
    context.setAllowFP16AccumulationCuBLAS(before);
  });
  context.setAllowFP16AccumulationCuBLAS(plan.float16Accumulation);
}

void RunSettings::chooseDeterministic() {
  at::Context& context = at::globalContext();
  m_undo.emplace_back([&context,
                       before = context.deterministicAlgorithms(),
                       warns = context.deterministicAlgorithmsWarnOnly()] {
    context.setDeterministicAlgorithms(before, warns);
  });
  context.setDeterministicAlgorithms(true, false);
}

void RunSettings::chooseOneBackwardThread() {
  c10::AutogradState& autograd = c10::AutogradState::get_tls_state();
  m_undo.emplace_back([&autograd, before = autograd.get_multithreading_enabled()] {
    autograd.set_multithreading_enabled(before);
  });
  autograd.set_multithreading_enabled(false);
}

void RunSettings::chooseThreads(int threads) {
  m_undo.emplace_back([before = at::get_num_threads()] { at::set_num_threads(before); });
  at::set_num_threads(threads);
}

}  // namespace ulp::engine
