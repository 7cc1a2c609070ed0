#pragma once

#include <cstddef>
#include <cstdint>

#include "core/compat/msprobe/pairs/pairing.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// A mapping of names or cells of `msprobe compare`.
inline void fuzzNameMapping(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write("mapping.yaml", fuzzText(data, size));
  const auto mapping = compat::msprobe::readNameMapping(folder.path() / "mapping.yaml");
  if (!mapping) {
    require(!mapping.error().message().empty());
    return;
  }
  require(!mapping->empty());
  static_cast<void>(compat::msprobe::cellMapped("Cell.a.b.Linear.forward.0", *mapping));
}

}  // namespace ulp::test
