#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dumps/model/dump.h"

/// Units whose experts, layers and calls are numbered as the whole model counts them.
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

/// A unit whose model is a list of chunks, each with layers that do not follow one another
/// (Megatron's interleaved schedule; Narayanan et al., 2021, section 2.2), as one unit for each.
/// Module paths begin with the chunk's number, "1.module.decoder…", and all come back as those of
/// chunk 0. Calls outside of modules go with the call before them; calls of functions are numbered
/// anew in every chunk. Where no path says a chunk, the first unit has all, and a note.
[[nodiscard]] std::vector<dumps::DumpUnitPtr> chunksOf(const dumps::DumpUnitPtr& unit,
                                                       std::size_t count);

/// What a stage of a pipeline runs.
struct StageUnit {
  dumps::DumpUnitPtr unit;
  std::int64_t firstLayer = 0;  ///< added to the numbers of layers in names
};

/// The stages of a pipeline as one unit, forward in their order, backward in the opposite one.
/// Calls of functions are numbered through. A module that several stages call is one call: with
/// what the first stage read and what the last one made (backward: the other way round). One stage
/// keeps its order. `axes` are those of the result.
[[nodiscard]] dumps::DumpUnitPtr joinStages(const std::vector<StageUnit>& stages, UnitAxes axes);

}  // namespace ulp::analysis
