#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/execution_order.h"
#include "core/dumps/model/dump.h"

/// Communication among ranks: what a rank gets there, others have made.
namespace ulp::analysis {

/// "all_reduce", "recv" and the like of torch.distributed, and of what wraps it.
[[nodiscard]] bool isCollective(const dumps::DumpEntry& entry);
/// The row names memory that the call fills, whatever it held: the output of all_gather, the tensor
/// of recv or copy_.
[[nodiscard]] bool isFilled(const dumps::DumpUnit& unit, std::size_t entry, std::size_t row);
/// The call hands out memory that nobody wrote: empty, empty_like.
[[nodiscard]] bool handsOutMemory(const dumps::DumpEntry& entry);

/// A communication that both units recorded.
struct CollectiveOutcome {
  std::size_t entry = 0;  ///< in the baseline's entries
  std::string name;
  /// Equal on the ranks that took part in the same communication: operation, group (where it was
  /// recorded) and how many of the same came before; of send and recv both ends.
  std::string key;
  bool isSending = true;  ///< false: it takes only (recv)
  /// What the rank put in; memory that is filled does not count.
  std::string inputRow;   ///< the tensor that differs most
  double inputError = 0;  ///< infinite: different, nobody knows how much
  bool isInputBroken = false;
  bool isInputDifferent = false;  ///< by more than rounding
};

/// In order of execution. `limits` say what rounding accounts for.
[[nodiscard]] std::vector<CollectiveOutcome> collectivesOf(const PairedCalls& pairs,
                                                           const CulpritLimits& limits = {});

}  // namespace ulp::analysis
