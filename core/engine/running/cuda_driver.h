#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace ulp::engine {

/// What the CUDA driver says of its devices, through its C interface, whose binary form is stable.
class CudaDriver {
 public:
  /// Errors, each with the reason and the remedy: NotFound (this machine has no driver), Device (it
  /// does not answer, or lists no device).
  [[nodiscard]] static Result<CudaDriver> open();

  [[nodiscard]] int count() const;
  /// The newest CUDA that it runs, as 1000 * major + 10 * minor; 0: it does not tell.
  [[nodiscard]] int version() const;
  [[nodiscard]] std::string name(int index) const;
  [[nodiscard]] std::uint64_t memory(int index) const;
  /// "GPU-b1e2…" as `nvidia-smi -L` has it, of a part of a card "MIG-…"; empty: nobody tells.
  [[nodiscard]] std::string uuid(int index) const;
  /// compute_capability ("9.0"), multiprocessors, driver ("580.82.07") and the newest CUDA that it
  /// runs, cuda_of_driver ("13.0"); what nobody answers is left out.
  [[nodiscard]] std::map<std::string, std::string> facts(int index) const;

 private:
  template <class Signature>
  [[nodiscard]] Signature* function(const char* symbol) const;
  [[nodiscard]] std::optional<int> attribute(int which, int index) const;
  /// Why no device can be used after a call that ended with `code`, and what helps.
  [[nodiscard]] std::string reasonOf(int code) const;

  std::shared_ptr<void> m_library;
};

/// "13.0" of 13000, as CUDA counts its versions.
[[nodiscard]] std::string cudaVersionText(int version);

}  // namespace ulp::engine
