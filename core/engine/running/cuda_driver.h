#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ulp::engine {

/// What the CUDA driver says of its devices, through its C interface, whose binary form is stable.
class CudaDriver {
 public:
  /// Nothing: no driver answers on this machine.
  [[nodiscard]] static std::optional<CudaDriver> open();

  [[nodiscard]] int count() const;
  [[nodiscard]] std::string name(int index) const;
  [[nodiscard]] std::uint64_t memory(int index) const;
  /// compute_capability ("9.0"), multiprocessors, driver ("580.82.07") and the newest CUDA that it
  /// runs, cuda_of_driver ("13.0"); what nobody answers is left out.
  [[nodiscard]] std::map<std::string, std::string> facts(int index) const;

 private:
  template <class Signature>
  [[nodiscard]] Signature* function(const char* symbol) const;
  [[nodiscard]] std::optional<int> attribute(int which, int index) const;

  std::shared_ptr<void> m_library;
};

}  // namespace ulp::engine
