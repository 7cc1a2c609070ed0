#include "tests/fuzz/folder_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulp::dumps::fuzzFolder(data, size);
  return 0;
}
