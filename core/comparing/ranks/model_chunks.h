#pragma once

#include <cstddef>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// A unit whose model is a list of chunks, each with layers that do not follow one another
/// (Megatron's interleaved schedule; Narayanan et al., 2021, section 2.2), as one unit for each.
/// Module paths begin with the chunk's number, "1.module.decoder…", and all come back as those of
/// chunk 0. Calls outside of modules go with the call before them; calls of functions are numbered
/// anew in every chunk. Where no path says a chunk, the first unit has all, and a note.
[[nodiscard]] std::vector<dumps::DumpUnitPtr> chunksOf(const dumps::DumpUnitPtr& unit,
                                                       std::size_t count);

}  // namespace ulp::analysis
