#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/numerics/comparison/top_agreement.h"
#include "core/report/model/position_errors.h"

namespace ulp::worker {

/// Positions of the compared sequences of a study in which the reference continues prompts.
struct SequenceLayout {
  std::int64_t prompt = 0;
  std::int64_t length = 0;  ///< prompt and what was generated; 0: the study generates nothing
};

/// How far a variant is from the reference at each position of its sequences, in the rows of level
/// layer of the forward pass.
class PositionComparison {
 public:
  explicit PositionComparison(const SequenceLayout& layout) : m_layout(layout) {}

  /// Tells whether a tensor is one of the rows whose positions are compared: [sequences…, length,
  /// width].
  [[nodiscard]] bool takes(const Site& site, const engine::Capture& capture) const;
  /// Adds such a tensor of a micro-batch; of the logits also which elements are the largest, which
  /// it returns over all positions. Errors: InvalidArgument when the shapes differ; Device,
  /// OutOfMemory.
  [[nodiscard]] Result<numerics::TopAgreement> add(const Site& site,
                                                   const engine::Capture& reference,
                                                   const engine::Capture& variant);
  void restart() { m_errors = {}; }
  [[nodiscard]] report::PositionErrors take();

 private:
  SequenceLayout m_layout;
  report::PositionErrors m_errors;
};

}  // namespace ulp::worker
