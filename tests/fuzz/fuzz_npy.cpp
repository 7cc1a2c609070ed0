#include "core/tensors/npy.h"
#include "tests/fuzz/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulp::tensors;
  if (const auto tensor = parseNpy(fuzzSource(data, size))) {
    touch(*tensor);
  }
  return 0;
}
