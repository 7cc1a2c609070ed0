#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/base/result.h"
#include "core/json/value.h"
#include "core/remote/protocol/numbers.h"
#include "core/report/model/report.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// What torch.allclose(candidate, baseline, rtol, atol) allows: |v - r| <= atol + rtol * |r| for
/// every element, in float64; the same infinity is close to itself, NaN to nothing.
struct Tolerances {
  double rtol = 1e-5;
  double atol = 1e-8;

  [[nodiscard]] bool allow(double reference, double variant) const;
};

/// Whether a pair of tensors is close. An excess of which nothing says how large it is, such as a
/// NaN, is NaN.
struct Closeness {
  bool isClose = false;
  double excess = 0;  ///< the largest |v - r| - rtol * |r| that was seen, to be at most atol
};

/// Judges a row by what its comparison recorded: the elements of largest |v - r|, that largest
/// (`maxDiff`; NaN: unknown), and how many are not finite. Nothing: only the elements can tell.
[[nodiscard]] std::optional<Closeness> closenessOf(const report::Comparison& row,
                                                   double maxDiff,
                                                   const Tolerances& tolerances);
/// Judges all elements of a pair, on the host where both lie on one. Nothing: it is a sample whose
/// elements are close, `stop` was requested, or checkIntact() of the pair says why.
[[nodiscard]] std::optional<Closeness> closenessOf(const TensorPair& pair,
                                                   const Tolerances& tolerances,
                                                   const std::stop_token& stop = {});

/// What a host answers.
[[nodiscard]] Result<remote::Numbers> answerCloseness(const json::Value& question,
                                                      std::span<const tensors::Tensor> tensors,
                                                      const std::stop_token& stop);

}  // namespace ulp::analysis
