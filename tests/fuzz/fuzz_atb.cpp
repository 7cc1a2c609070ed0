#include "tests/fuzz/archive_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulp::tensors::fuzzAtb(data, size);
  return 0;
}
