#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "core/base/result.h"

namespace ulp::engine {

/// The random numbers of one CPU generator of LibTorch in the order of its calls, of which long
/// stretches are drawn side by side: what a call takes from the generator follows from its size,
/// and to step over numbers takes a tenth of the time of drawing them.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);

  /// Steps over what `tensor.uniform_()` or `tensor.normal_()` on `count` elements would take.
  void skipUniform(std::int64_t count, at::ScalarType dtype);
  void skipNormal(std::int64_t count, at::ScalarType dtype);

  /// Does what `tensor.normal_(0, deviation, generator)` does, at the latest in drawAll(). `tensor`
  /// is contiguous, on the CPU.
  void normal(const at::Tensor& tensor, double deviation);

  /// Draws all that is not drawn yet, on all threads. Errors: Cancelled; Unsupported (LibTorch
  /// takes other numbers than it was taken to).
  [[nodiscard]] Result<> drawAll(const std::stop_token& stop);

 private:
  /// A part of a tensor, and the generator's state before it and behind it.
  struct Stretch {
    at::Tensor elements;
    double deviation = 0;
    at::mt19937 before;
    at::mt19937 behind;
  };

  void skip(std::int64_t numbers);
  [[nodiscard]] static bool draw(const Stretch& stretch);

  at::Generator m_generator;
  std::vector<Stretch> m_stretches;
};

}  // namespace ulp::engine
