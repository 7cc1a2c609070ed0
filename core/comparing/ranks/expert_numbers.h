#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// What a rank of an expert-parallel group holds of the experts of a layer.
struct ExpertShare {
  std::int64_t first = 0;  ///< what its expert 0 is in the whole model
  std::int64_t count = 0;  ///< how many it has
};

/// The name is of one expert, not of all of them: "mlp.experts.3.up_proj",
/// "mlp.experts.local_experts.3.linear_fc1", "mlp.experts.linear_fc1.weight3".
[[nodiscard]] bool isOfOneExpert(std::string_view name);

/// The same name with the expert's number as the whole model counts; unchanged where the number is
/// none of `share.count`.
[[nodiscard]] std::string withExpertNumber(std::string_view name, const ExpertShare& share);

/// What isOfOneExpert() and withExpertNumber() take for a row: the module's path with the row's
/// index where that can be an expert's.
[[nodiscard]] std::string expertNameOf(const dumps::DumpEntry& entry, const dumps::DumpRow& row);

/// The unit of a rank with the numbers of its experts as the whole model counts them. Numbers from
/// `share.count` up are left as they are, with a note.
[[nodiscard]] dumps::DumpUnitPtr withExpertNumbers(const dumps::DumpUnitPtr& unit,
                                                   const ExpertShare& share);

}  // namespace ulp::analysis
