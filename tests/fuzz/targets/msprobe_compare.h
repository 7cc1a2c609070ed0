#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dumps/msprobe/compare_json.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// compare.json, beside the folders "a" and "b".
inline void fuzzMsprobeCompare(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  static const bool isReady =
      folder.write("a/dump.json", "{}") && folder.write("b/dump.json", "{}");
  require(isReady);
  folder.write("compare.json", fuzzText(data, size));
  const auto paths = dumps::msprobe::readCompareJson(folder.path() / "compare.json");
  require(paths || !paths.error().message().empty());
  // What can be read is one.
  require(!paths || dumps::msprobe::isCompareJson(folder.path() / "compare.json"));
}

}  // namespace ulp::test
