#pragma once

#include <cstddef>
#include <cstdint>

#include "core/compat/msit/inputs.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// op_mapping_file.json of `msit llm compare`. What it says is added to what is known.
inline void fuzzOperationMapping(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write("op_mapping_file.json", fuzzText(data, size));
  const auto mapping = compat::msit::operationMapping(folder.path());
  require(mapping ? mapping->size() >= dumps::msit::builtinMapping().size()
                  : !mapping.error().message().empty());
}

}  // namespace ulp::test
