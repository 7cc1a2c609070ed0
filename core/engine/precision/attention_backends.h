#pragma once

#include <functional>
#include <vector>

#include <ATen/SDPBackend.h>

#include "core/engine/precision_plan.h"

namespace ulp::engine {

[[nodiscard]] at::SDPBackend backendOf(AttentionKernel kernel);

/// While in scope, LibTorch chooses among these kernels alone for attention, the first of them
/// before the others. Process-wide; afterwards everything is as it was.
class AttentionBackends {
 public:
  explicit AttentionBackends(const std::vector<at::SDPBackend>& allowed);
  ~AttentionBackends();
  AttentionBackends(const AttentionBackends&) = delete;
  AttentionBackends& operator=(const AttentionBackends&) = delete;

 private:
  std::vector<std::function<void()>> m_undo;
};

}  // namespace ulp::engine
