#include "core/engine/precision/attention_backends.h"

#include <algorithm>
#include <cstdint>

#include <ATen/Context.h>

namespace ulp::engine {

at::SDPBackend backendOf(AttentionKernel kernel) {
  switch (kernel) {
    case AttentionKernel::Math:
      return at::SDPBackend::math;
    case AttentionKernel::Flash:
      return at::SDPBackend::flash_attention;
    case AttentionKernel::Efficient:
      return at::SDPBackend::efficient_attention;
    case AttentionKernel::Cudnn:
      break;
  }
  return at::SDPBackend::cudnn_attention;
}

AttentionBackends::AttentionBackends(const std::vector<at::SDPBackend>& allowed) {
  at::Context& context = at::globalContext();
  const auto allow = [&](at::SDPBackend backend, bool before, void (at::Context::*set)(bool)) {
    m_undo.emplace_back([&context, before, set] { (context.*set)(before); });
    (context.*set)(std::ranges::count(allowed, backend) > 0);
  };
  using enum at::SDPBackend;
  allow(math, context.userEnabledMathSDP(), &at::Context::setSDPUseMath);
  allow(flash_attention, context.userEnabledFlashSDP(), &at::Context::setSDPUseFlash);
  allow(efficient_attention,
        context.userEnabledMemEfficientSDP(),
        &at::Context::setSDPUseMemEfficient);
  allow(cudnn_attention, context.userEnabledCuDNNSDP(), &at::Context::setSDPUseCuDNN);
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> order{static_cast<std::int64_t>(allowed.front())};
  for (const at::SDPBackend backend : context.sDPPriorityOrder()) {
    before.push_back(static_cast<std::int64_t>(backend));
    if (backend != allowed.front()) {
      order.push_back(before.back());
    }
  }
  m_undo.emplace_back([&context, before] { context.setSDPPriorityOrder(before); });
  context.setSDPPriorityOrder(order);
}

AttentionBackends::~AttentionBackends() {
  std::ranges::for_each(m_undo, [](const auto& undo) { undo(); });
}

}  // namespace ulp::engine
