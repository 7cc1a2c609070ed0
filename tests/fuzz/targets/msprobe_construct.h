#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dumps/msprobe/dump_json.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// construct.json
inline void fuzzMsprobeConstruct(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write("construct.json", fuzzText(data, size));
  const auto construct = dumps::msprobe::readConstruct(folder.path() / "construct.json");
  require(construct || !construct.error().message().empty());
  if (construct) {
    require(construct->calls.size() == construct->places.size());
    for (const dumps::msprobe::Construct::Call& call : construct->calls) {
      require(construct->find(call.name) == &call);
    }
  }
}

}  // namespace ulp::test
