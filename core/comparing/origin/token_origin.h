#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/comparing/measure/token_logits.h"
#include "core/comparing/origin/collective_call.h"
#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/execution_order.h"
#include "core/comparing/origin/token_layout.h"

namespace ulp::analysis {

/// A call through which an error came from an earlier position.
struct TokenHop {
  std::int64_t position = 0;  ///< where it arrived
  std::string name;           ///< of the call
  std::string rowName;        ///< of the tensor that shows it there
  double error = 0;           ///< of that tensor at this position; NaN: of zeros in the baseline
};

/// Where the error of the first token that fails starts, in a unit that holds several tokens.
struct TokenOrigin {
  std::size_t token = 0;  ///< in TokenOutcomes::tokens
  TokenLayout layout;
  TokenIndex index;            ///< of the token in its network
  std::int64_t position = 0;   ///< where the error starts: that of the token, or an earlier one
  std::vector<TokenHop> hops;  ///< from the token back to there
  /// Of that position alone; empty where `notOwn` is not.
  Verdict verdict;
  std::vector<CollectiveOutcome> collectives;  ///< at that position
  /// Tensors that differ and have no dimension of positions: they are taken as they are.
  std::size_t wholeTensors = 0;
  /// Why a token's own culprit cannot be told, so that the unit's has to do; empty: it can.
  std::string notOwn;

  [[nodiscard]] bool isOwn() const { return notOwn.empty(); }
};

/// Follows the error of the first of `tokens` whose logits are off through its own part of the
/// network: findCulprits() over the forward calls up to the logits, of tensors cut to the token's
/// position (cutTo()), parameters as they are, which steps `before` may have moved. Numbers that
/// stand for a mask on both sides do not count. Where the call that it names had the error from an
/// earlier position (its inputs there, such as keys and values, differ by what accounts for it),
/// the same is asked of the earlier position that is farthest off, and so on, through 64 calls at
/// most. Reads what differs alone, and again for each earlier position, up to the call through
/// which the error came from there; with `threads` (0: one a core), whose number changes nothing.
/// Nothing: no token fails, of its network nothing was recorded, or the unit holds this token
/// alone, whose culprit is the unit's. Error: Cancelled.
[[nodiscard]] Result<std::optional<TokenOrigin>> traceToken(const PairedCalls& pairs,
                                                            const std::vector<TokenOutcome>& tokens,
                                                            const CulpritLimits& limits = {},
                                                            const GradientError& before = {},
                                                            int threads = 0,
                                                            const std::stop_token& stop = {});

}  // namespace ulp::analysis
