#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dumps/msprobe/dump_json.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// stack.json
inline void fuzzMsprobeStack(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write("stack.json", fuzzText(data, size));
  const auto stacks = dumps::msprobe::readCallStacks(folder.path() / "stack.json");
  require(stacks || !stacks.error().message().empty());
  if (stacks) {
    require(stacks->byEntry.size() == 0 || !stacks->stacks.empty());
  }
}

}  // namespace ulp::test
